import { createServer as createTcp } from "node:tls";
import { SchemaMismatchError, TimeoutError } from "../../../src/api/errors";
import { ConsoleClient } from "../../../src/api/client";
import { ANSWER_BOUNDS } from "../../../src/api/http/response";
import { authority } from "../support/certificates";
import { closeAll, connect, listen } from "../support/https-console";

afterEach(closeAll);

/** A client of a console whose answer yields chunks for ever; `after` runs before each. */
function endless(status: number, chunk: Uint8Array, after: () => void = () => undefined) {
  let sent = 0;
  let left = false;
  const client = new ConsoleClient({
    baseUrl: "console",
    credentials: { method: "token-login", username: "admin", password: "canary-password" },
    maxRetries: 0,
    now: () => time,
    transport: () =>
      Promise.resolve({
        status,
        headers: {},
        body: (async function* () {
          try {
            for (;;) {
              await Promise.resolve();
              after();
              sent += chunk.length;
              yield chunk;
            }
          } finally {
            left = true;
          }
        })(),
      }),
  });
  return { client, sent: () => sent, left: () => left };
}

let time = 0;

test("refuses an endless answer at the bound, also of authenticate", async () => {
  const chunk = new Uint8Array(8 * 1024 * 1024);
  const { client, sent, left } = endless(200, chunk);
  await expect(client.getPolicies()).rejects.toThrow(
    "POST https://console:8083/api/v1/authenticate answered 200 with more than 128 MiB.",
  );
  expect(sent()).toBe(ANSWER_BOUNDS.bytes + chunk.length);
  expect(left()).toBe(true);
  await expect(client.getPolicies()).rejects.toBeInstanceOf(SchemaMismatchError);
});

test("refuses an answer that trickles", async () => {
  const { client, sent } = endless(200, new Uint8Array(1), () => (time += 500));
  const failing = client.issueToken();
  await expect(failing).rejects.toThrow(
    "POST https://console:8083/api/v1/authenticate: the answer was not complete after 300 seconds.",
  );
  await expect(failing).rejects.toBeInstanceOf(TimeoutError);
  expect(sent()).toBe(601);
});

test("cuts the trickling answer of a refusal", async () => {
  const { client, sent } = endless(500, new Uint8Array([120]), () => (time += 500));
  await expect(client.issueToken()).rejects.toThrow(/answered 500 Internal Server Error: x+/);
  expect(sent()).toBe(21);
});

test("ends the connection of an endless answer", async () => {
  const ours = await authority();
  let closed: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (closed = resolve));
  const server = createTcp(await ours.issue(), (socket) => {
    const chunk = Buffer.alloc(1024 * 1024, " ");
    const pump = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on("error", () => undefined).on("close", closed);
    socket.on("drain", pump);
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n");
      pump();
    });
  });
  const client = connect({
    baseUrl: `https://127.0.0.1:${await listen(server)}`,
    tls: { ca: ours.ca },
  });
  await expect(client.getPolicies()).rejects.toThrow(/more than 128 MiB/);
  await ended;
});
