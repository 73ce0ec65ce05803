import { createServer as createPlainServer } from "node:http";
import { createServer as createTcpServer } from "node:net";
import type { TLSSocket } from "node:tls";
import { ConfigurationError, TlsError } from "../../../src/api/errors";
import { authority, type Keyed } from "../support/certificates";
import { closeAll, connect, listen, serve } from "../support/https-console";

let ours: Awaited<ReturnType<typeof authority>>;
let server: Keyed;

beforeAll(async () => {
  ours = await authority();
  server = await ours.issue();
});
afterEach(closeAll);

function failureOf(action: Promise<unknown>): Promise<unknown> {
  return action.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("verification", () => {
  test("accepts a console of the configured authority", async () => {
    const { url } = await serve(server, (_, response) => response.end("[]"));
    const client = connect({ baseUrl: url, tls: { ca: ours.ca } });
    expect(await client.getPolicies()).toEqual([]);
  });

  test("finds the authority among several in one text", async () => {
    const { url } = await serve(server, (_, response) => response.end("[]"));
    const other = await authority("Other");
    const client = connect({ baseUrl: url, tls: { ca: `# ours\n${other.ca}\n${ours.ca}` } });
    expect(await client.getPolicies()).toEqual([]);
  });

  test("refuses an unknown authority by default with advice", async () => {
    const { url } = await serve(server, (_, response) => response.end("[]"));
    const error = await failureOf(connect({ baseUrl: url, maxRetries: 4 }).ping());
    expect(error).toBeInstanceOf(TlsError);
    expect(error).toMatchObject({
      problem: "unknown-authority",
      message: expect.stringMatching(/ca_certificate or CONSOLE_CA_FILE/) as unknown,
    });
  });

  test.each(["Other CA", "Test CA"])(
    "refuses an authority other than the given one, even of the same name (%s)",
    async (name) => {
      const { url } = await serve(server, (_, response) => response.end("[]"));
      const other = await authority(name);
      const client = connect({ baseUrl: url, tls: { ca: other.ca } });
      expect(await failureOf(client.ping())).toMatchObject({ problem: "unknown-authority" });
    },
  );

  test.each([
    ["expired", { from: -2, to: -1 }],
    ["not-yet-valid", { from: 1, to: 2 }],
    ["hostname-mismatch", { host: "console.example.com" }],
  ])("refuses a certificate: %s", async (problem, leaf) => {
    const { url } = await serve(await ours.issue(leaf), (_, response) => response.end("[]"));
    const client = connect({ baseUrl: url, tls: { ca: ours.ca } });
    expect(await failureOf(client.ping())).toMatchObject({ code: "CONSOLE_TLS", problem });
  });

  test("accepts any certificate with insecureSkipVerify", async () => {
    const expired = await ours.issue({ from: -2, to: -1, host: "elsewhere" });
    const { url } = await serve(expired, (_, response) => response.end("[]"));
    const client = connect({ baseUrl: url, tls: { insecureSkipVerify: true } });
    expect(await client.getPolicies()).toEqual([]);
  });

  test("reports a port without TLS", async () => {
    const port = await listen(createPlainServer((_, response) => response.end("[]")));
    const error = await failureOf(connect({ baseUrl: `https://127.0.0.1:${port}` }).ping());
    expect(error).toMatchObject({ code: "CONSOLE_TLS", problem: "protocol" });
  });

  test.each([
    ["no PEM", "no PEM", /contains no certificate/],
    [
      "a broken certificate",
      "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
      /cannot be read/,
    ],
  ])("refuses %s as an authority", async (_, ca, message) => {
    const error = await failureOf(connect({ baseUrl: "127.0.0.1", tls: { ca } }).ping());
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ message: expect.stringMatching(message) as unknown });
  });
});

describe("a client certificate", () => {
  test("is sent in the handshake and fetches the token", async () => {
    const { cert, key } = await ours.issue({ host: "admin" });
    const names: unknown[] = [];
    const { url } = await serve(
      { ...server, ca: ours.ca, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        const socket = request.socket as TLSSocket;
        names.push([socket.authorized, socket.getPeerCertificate().subject.CN]);
        response.end(request.url?.endsWith("authenticate-client") ? '{"token":"t"}' : "[]");
      },
    );
    const client = connect({
      baseUrl: url,
      tls: { ca: ours.ca },
      credentials: { method: "client-certificate", cert, key },
    });
    expect(await client.getPolicies()).toEqual([]);
    expect(names).toEqual([
      [true, "admin"],
      [true, "admin"],
    ]);
  });

  test("with the key of another one is a configuration error", async () => {
    const [{ cert }, { key }] = await Promise.all([ours.issue(), ours.issue()]);
    const credentials = { method: "client-certificate", cert, key } as const;
    const error = await failureOf(connect({ baseUrl: "127.0.0.1", credentials }).getPolicies());
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ option: "client_certificate" });
  });
});

describe("connections", () => {
  test("are reused", async () => {
    const { url, connections } = await serve(server, (_, response) => response.end("[]"));
    const client = connect({ baseUrl: url, tls: { ca: ours.ca } });
    for (let call = 0; call < 5; call += 1) await client.getPolicies();
    // Undici may open a second connection before the first is free.
    expect(connections()).toBeLessThanOrEqual(2);
  });

  test("are limited like concurrent requests", async () => {
    const { url, connections } = await serve(server, (_, response) => {
      setTimeout(() => response.end("[]"), 5);
    });
    const client = connect({ baseUrl: url, tls: { ca: ours.ca }, maxConcurrency: 3 });
    await Promise.all(Array.from({ length: 12 }, () => client.getPolicies()));
    expect(connections()).toBe(3);
  });

  test("are shared by clients of one host until the last is closed", async () => {
    const { url, connections } = await serve(server, (_, response) => response.end("[]"));
    const tenants = ["a", "b", "c"].map((tenant) =>
      connect({ baseUrl: `${url}/${tenant}`, tls: { ca: ours.ca } }),
    );
    for (const client of tenants) {
      await client.getPolicies();
      await client.close();
      await expect(client.getPolicies()).rejects.toMatchObject({ name: "AbortedError" });
    }
    expect(connections()).toBeLessThanOrEqual(2);
  });

  test("are not shared between different authorities", async () => {
    const { url } = await serve(server, (_, response) => response.end("[]"));
    const trusting = connect({ baseUrl: url, tls: { ca: ours.ca } });
    await trusting.getPolicies();
    const other = connect({ baseUrl: url, tls: { ca: (await authority("Other")).ca } });
    expect(await failureOf(other.getPolicies())).toMatchObject({ problem: "unknown-authority" });
  });

  test("resume their TLS session", async () => {
    const { url, connections, resumed } = await serve(server, (_, response) => {
      response.setHeader("connection", "close").end("[]");
    });
    const client = connect({ baseUrl: url, tls: { ca: ours.ca } });
    for (let call = 0; call < 3; call += 1) await client.getPolicies();
    expect(connections()).toBe(3);
    expect(resumed()).toBeGreaterThanOrEqual(1);
  });

  test("are closed with the client, which then refuses requests", async () => {
    const { url } = await serve(server, (_, response) => response.end("[]"));
    const client = connect({ baseUrl: url, tls: { ca: ours.ca } });
    await client.getPolicies();
    await client.close();
    expect(await failureOf(client.getPolicies())).toMatchObject({ code: "CONSOLE_ABORTED" });
  });

  test("are not required to close a client", async () => {
    const client = connect({ baseUrl: "127.0.0.1" });
    await client.close();
    expect(await failureOf(client.ping())).toMatchObject({ code: "CONSOLE_ABORTED" });
  });
});

describe("no answer", () => {
  test("from a port where nothing listens", async () => {
    const { port } = await serve(server, (_, response) => response.end());
    await closeAll();
    const error = await failureOf(connect({ baseUrl: `https://127.0.0.1:${port}` }).ping());
    expect(error).toMatchObject({
      code: "CONSOLE_UNREACHABLE",
      maybeSent: false,
      message: expect.stringContaining(
        `https://127.0.0.1:${port} cannot be reached: the connection was refused`,
      ) as unknown,
    });
  });

  test("from a console that closes before TLS is up: nothing was sent", async () => {
    const port = await listen(createTcpServer((socket) => socket.destroy()));
    const error = await failureOf(connect({ baseUrl: `https://127.0.0.1:${port}` }).ping());
    expect(error).toMatchObject({ code: "CONSOLE_UNREACHABLE", maybeSent: false });
  });

  test("from a console that resets the connection after it has the request", async () => {
    const { url } = await serve(server, (request) => request.socket.destroy());
    const client = connect({ baseUrl: url, tls: { ca: ours.ca } });
    const error = await failureOf(client.installLicense("k"));
    expect(error).toMatchObject({ code: "CONSOLE_UNREACHABLE", maybeSent: true });
  });

  test("to the end of a body that breaks off", async () => {
    const { url } = await serve(server, (request, response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("[", () => request.socket.destroy());
    });
    const client = connect({ baseUrl: url, tls: { ca: ours.ca } });
    expect(await failureOf(client.getPolicies())).toMatchObject({ code: "CONSOLE_UNREACHABLE" });
  });

  test("but the status, of an error whose body breaks off", async () => {
    const { url } = await serve(server, (request, response) => {
      response.writeHead(409, { "content-length": 100 });
      response.write("conflict", () => request.socket.destroy());
    });
    const client = connect({ baseUrl: url, tls: { ca: ours.ca } });
    expect(await failureOf(client.getPolicies())).toMatchObject({
      status: 409,
      serverMessage: "conflict",
    });
  });

  test.each([
    ["headers", () => undefined],
    [
      "body",
      (write: () => void) => {
        write();
      },
    ],
  ])("in time: the %s", async (phase, begin) => {
    const { url } = await serve(server, (_, response) => {
      begin(() => response.write("["));
    });
    const client = connect({ baseUrl: url, tls: { ca: ours.ca }, requestTimeout: 40 });
    expect(await failureOf(client.getPolicies())).toMatchObject({ code: "CONSOLE_TIMEOUT", phase });
  });

  test("in time: the handshake", async () => {
    const port = await listen(createTcpServer(() => undefined));
    const client = connect({ baseUrl: `https://127.0.0.1:${port}`, connectTimeout: 40 });
    expect(await failureOf(client.ping())).toMatchObject({
      code: "CONSOLE_TIMEOUT",
      phase: "connect",
    });
  });

  test("to a request that the caller gives up", async () => {
    const abort = new AbortController();
    const { url } = await serve(server, () => {
      abort.abort();
    });
    const client = connect({ baseUrl: url, tls: { ca: ours.ca } });
    expect(await failureOf(client.getPolicies(abort.signal))).toMatchObject({
      code: "CONSOLE_ABORTED",
    });
  });
});
