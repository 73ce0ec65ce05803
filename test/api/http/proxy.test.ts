import { createServer } from "node:http";
import { connect as connectTcp, createServer as createTcp } from "node:net";
import { inspect } from "node:util";
import { UnreachableError } from "../../../src/api/errors";
import { explainFailure } from "../../../src/api/http/failure";
import { proxyVariables } from "../../../src/core/io/proxy";
import { openTransport } from "../../../src/api/http/undici-transport";
import { authority, type Keyed } from "../support/certificates";
import { closeAll, listen, serve } from "../support/https-console";

let ours: Awaited<ReturnType<typeof authority>>;
let server: Keyed;
const opened: { close: () => Promise<void> }[] = [];

beforeAll(async () => {
  ours = await authority();
  server = await ours.issue();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((transport) => transport.close()));
  await closeAll();
});

/** A proxy that tunnels to the requested host, or refuses. */
async function proxy(status = 200) {
  const targets: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const tunnels = createServer();
  tunnels.on("connect", (request, client) => {
    targets.push(request.url ?? "");
    authorizations.push(request.headers["proxy-authorization"]);
    client.on("error", () => undefined);
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const [host, port] = (request.url ?? "").split(":");
    const upstream = connectTcp(Number(port), host, () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on("error", () => client.destroy());
  });
  return { port: await listen(tunnels), targets, authorizations };
}

async function get(
  origin: string,
  environment: Parameters<typeof proxyVariables>[0],
  connectTimeout = 60_000,
): Promise<number> {
  const transport = openTransport({
    origin,
    tls: { ca: ours.ca },
    connections: 2,
    connectTimeout,
    requestTimeout: 60_000,
    proxy: proxyVariables(environment),
  });
  opened.push(transport);
  const { status, body } = await transport.send({ method: "GET", path: "/", headers: {} });
  for await (const chunk of body) expect(chunk).toBeDefined();
  return status;
}

test.each(["HTTPS_PROXY", "https_proxy"])(
  "%s is honoured, and the console behind it verified",
  async (name) => {
    const { url, port } = await serve(server, (_, response) => response.end("[]"));
    const { port: proxyPort, targets, authorizations } = await proxy();
    const status = await get(url, { [name]: `http://user:pass@127.0.0.1:${proxyPort}` });
    expect(status).toBe(200);
    expect(targets).toEqual([`127.0.0.1:${port}`]);
    expect(authorizations).toEqual([`Basic ${Buffer.from("user:pass").toString("base64")}`]);

    const stranger = await serve(await (await authority("Other")).issue(), (_, response) =>
      response.end("[]"),
    );
    const failing = get(stranger.url, { [name]: `http://127.0.0.1:${proxyPort}` });
    const explained = failing.catch((cause: unknown) =>
      explainFailure(cause, { url: stranger.url, secrets: [] }),
    );
    expect(await explained).toMatchObject({ name: "TlsError", problem: "unknown-authority" });
  },
);

test.each([
  ["NO_PROXY names the console", { NO_PROXY: "other,127.0.0.1" }],
  ["only HTTP_PROXY is set", { HTTPS_PROXY: undefined }],
  ["HTTPS_PROXY is empty", { HTTPS_PROXY: "" }],
])("uses no proxy where %s", async (_, environment) => {
  const { url } = await serve(server, (_request, response) => response.end("[]"));
  const { port, targets } = await proxy();
  const address = `http://127.0.0.1:${port}`;
  const status = await get(url, { HTTPS_PROXY: address, HTTP_PROXY: address, ...environment });
  expect(status).toBe(200);
  expect(targets).toEqual([]);
});

describe("a proxy that opens no tunnel is named once, and within the time to connect", () => {
  const console = "https://127.0.0.1:1";
  async function failing(port: number, connectTimeout?: number) {
    const address = `http://user:canary@127.0.0.1:${port}`;
    const answered = get(console, { HTTPS_PROXY: address }, connectTimeout);
    const error: unknown = await answered.catch((cause: unknown) =>
      explainFailure(cause, { url: `${console}/api/v1/policies`, secrets: ["canary"] }),
    );
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({ maybeSent: false, problem: "proxy" });
    expect(inspect(error)).not.toContain("canary");
    const start = `${console} cannot be reached through the proxy http://127.0.0.1:${port} (HTTPS_PROXY): `;
    expect((error as Error).message.slice(0, start.length)).toBe(start);
    return (error as Error).message.slice(start.length);
  }

  test("it refuses", async () => {
    const { port } = await proxy(407);
    expect(await failing(port)).toBe("it answered CONNECT with 407; check its credentials.");
    const { port: other } = await proxy(502);
    expect(await failing(other)).toBe("it answered CONNECT with 502.");
  });

  test("it closes the connection", async () => {
    let connects = 0;
    const closing = createTcp((socket) => {
      socket.once("data", () => {
        connects += 1;
        socket.destroy();
      });
    });
    expect(await failing(await listen(closing))).toBe("it closed the connection.");
    expect(connects).toBe(1);
  });

  test("it never answers", async () => {
    const silent = createTcp((socket) => socket.resume());
    expect(await failing(await listen(silent), 100)).toBe("it took too long to answer CONNECT.");
  });

  test("nothing listens", async () => {
    expect(await failing(1)).toBe("the connection was refused; nothing listens there, or not yet.");
  });
});

test("accepts a proxy's address without http://", async () => {
  const { url } = await serve(server, (_, response) => response.end("[]"));
  const { port, targets } = await proxy();
  expect(await get(url, { HTTPS_PROXY: `127.0.0.1:${port}` })).toBe(200);
  expect(targets).toHaveLength(1);
});

test.each(["user:canary@ proxy", "http://", "ftp://canary@proxy"])(
  "an address that no HTTP proxy has is refused, and not shown",
  async (address) => {
    const failing = get("https://127.0.0.1:1", { HTTPS_PROXY: address });
    await expect(failing).rejects.toMatchObject({ code: "CONSOLE_CONFIGURATION" });
    await expect(failing).rejects.not.toThrow(/canary/);
  },
);
