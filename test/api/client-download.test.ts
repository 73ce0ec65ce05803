import { randomBytes } from "node:crypto";
import { ConsoleClient } from "../../src/api/client";
import { EndpointNotInReleaseError } from "../../src/api/errors";
import { scripted } from "./support/scripted-console";
import { authority, type Keyed } from "./support/certificates";
import { closeAll, connect, serve } from "./support/https-console";

let keyed: Keyed;
let ca: string;

beforeAll(async () => {
  const root = await authority();
  ca = root.ca;
  keyed = await root.issue();
});
afterEach(closeAll);

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

test("yields all bytes unchanged", async () => {
  const bytes = randomBytes(300_000);
  const { url } = await serve(keyed, (_, response) => response.end(bytes));
  const client = connect({ baseUrl: url, tls: { ca } });
  const came = await collect(client.download("downloadHelmChart", { params: { product: "svc" } }));
  expect(came.equals(bytes)).toBe(true);
});

test("yields parts as they are sent", async () => {
  let finish: () => void = () => undefined;
  const { url } = await serve(keyed, (_, response) => {
    response.write("first");
    finish = () => response.end("last");
  });
  const client = connect({ baseUrl: url, tls: { ca } });
  const chunks = client.download("downloadCloudDiscovery");
  expect(Buffer.from((await chunks.next()).value ?? []).toString()).toBe("first");
  finish();
  expect((await collect(chunks)).toString()).toBe("last");
});

test("fetches no part before the previous one is used", async () => {
  let made = 0;
  const client = new ConsoleClient({
    baseUrl: "console",
    credentials: { method: "static-token", token: "t" },
    transport: () => Promise.resolve({ status: 200, headers: {}, body: parts() }),
  });
  async function* parts() {
    for (; made < 1000; made += 1) {
      await Promise.resolve();
      yield Buffer.alloc(1000);
    }
  }
  let used = 0;
  for await (const part of client.download("downloadCloudDiscovery")) {
    expect(part).toHaveLength(1000);
    expect(made).toBe(used);
    used += 1;
  }
  expect(used).toBe(1000);
});

test("applies back-pressure to the console", async () => {
  const part = Buffer.alloc(64 * 1024, 7);
  const total = 1024;
  let sent = 0;
  const { url } = await serve(keyed, (_, response) => {
    function send() {
      while (sent < total) {
        sent += 1;
        if (!response.write(part)) {
          response.once("drain", send);
          return;
        }
      }
      response.end();
    }
    send();
  });
  const client = connect({ baseUrl: url, tls: { ca } });
  const chunks = client.download("downloadCloudDiscovery");
  let length = (await chunks.next()).value?.length ?? 0;
  // Until all buffers are full, well before the end.
  for (let before = -1; before !== sent;) {
    before = sent;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(sent).toBeLessThan(total / 2);
  for await (const chunk of chunks) length += chunk.length;
  expect(length).toBe(total * part.length);
});

test("ends the request when the loop ends", async () => {
  let closed: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (closed = resolve));
  const { url } = await serve(keyed, (_, response) => {
    response.on("close", () => {
      closed();
    });
    response.write("endless");
  });
  const client = connect({ baseUrl: url, tls: { ca } });
  for await (const chunk of client.download("downloadCloudDiscovery")) {
    expect(Buffer.from(chunk).toString()).toBe("endless");
    break;
  }
  await ended;
});

test("refuses a page of HTML in place of the file", async () => {
  const { url } = await serve(keyed, (_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end("<html>Please log in</html>");
  });
  const client = connect({ baseUrl: url, tls: { ca } });
  await expect(collect(client.download("downloadCloudDiscovery"))).rejects.toThrow(
    /^GET https:\S+\/download answered 200 with a page of HTML instead of the file\./,
  );
});

test("throws when the answer breaks off", async () => {
  const { url } = await serve(keyed, (_, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("half");
    setTimeout(() => response.destroy(), 20);
  });
  const client = connect({ baseUrl: url, tls: { ca } });
  await expect(collect(client.download("downloadCloudDiscovery"))).rejects.toMatchObject({
    code: "CONSOLE_UNREACHABLE",
  });
});

test("stops between two parts on abort", async () => {
  const { url } = await serve(keyed, (_, response) => {
    response.write("endless");
  });
  const client = connect({ baseUrl: url, tls: { ca } });
  const abort = new AbortController();
  const chunks = client.download("downloadCloudDiscovery", { signal: abort.signal });
  await chunks.next();
  const rest = chunks.next();
  abort.abort();
  await expect(rest).rejects.toMatchObject({ code: "CONSOLE_ABORTED" });
});

test("retries and reports statuses like any request", async () => {
  const { client, calls } = scripted(
    (_, number) =>
      number === 1 ? { status: 503 } : { status: 404, body: { err: "no such download" } },
    { maxRetries: 2 },
  );
  await expect(collect(client.download("downloadCloudDiscovery"))).rejects.toMatchObject({
    code: "CONSOLE_API",
    status: 404,
    serverMessage: "no such download",
  });
  expect(calls()).toHaveLength(2);
});

test("sends nothing before the first part is read", async () => {
  const { client, calls } = scripted(() => ({}));
  client.download("downloadCloudDiscovery");
  await expect(client.download("downloadComplianceStats").next()).rejects.toThrow(
    EndpointNotInReleaseError,
  );
  expect(calls()).toEqual([]);
});
