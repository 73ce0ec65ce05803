import { text } from "node:stream/consumers";
import { Readable } from "node:stream";
import { openTransport } from "../../../src/api/http/undici-transport";
import { authority } from "../support/certificates";
import { closeAll, serve } from "../support/https-console";

afterEach(closeAll);

const HOSTS = 103;
const KEPT = 100;

test("keeps the connections of the hosts that were used last, and opens others again", async () => {
  const ours = await authority();
  const { url, present, connections } = await serve(await ours.issue(), (_, response) =>
    response.end("[]"),
  );
  const transports = Array.from({ length: HOSTS }, () =>
    openTransport({
      origin: url,
      tls: { ca: ours.ca },
      connections: 2,
      connectTimeout: 60_000,
      requestTimeout: 60_000,
      proxy: { httpsProxy: "", noProxy: "" },
    }),
  );
  const read = async (index: number) => {
    const answer = await transports[index]!.send({ method: "GET", path: "/", headers: {} });
    return text(Readable.from(answer.body));
  };
  for (const index of transports.keys()) expect(await read(index)).toBe("[]");
  await until(() => present() === KEPT);

  expect(await read(HOSTS - 1)).toBe("[]");
  expect(connections()).toBe(HOSTS);
  expect(await read(0)).toBe("[]");
  expect(connections()).toBe(HOSTS + 1);

  await Promise.all(transports.map((transport) => transport.close()));
  await until(() => present() === 0);
  await expect(read(1)).rejects.toThrow("The client is closed");
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
