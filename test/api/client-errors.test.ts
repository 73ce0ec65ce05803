import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:tls";
import { inspect } from "node:util";
import type { ConsoleClient } from "../../src/api/client";
import type { Credentials } from "../../src/api/credentials";
import {
  ApiError,
  ConsoleError,
  LicenseRequiredError,
  SchemaMismatchError,
  UnauthorizedError,
} from "../../src/api/errors";
import { authority, type Keyed } from "./support/certificates";
import { closeAll, connect, listen, serve } from "./support/https-console";
import { scripted } from "./support/scripted-console";

function failureOf(action: Promise<unknown>): Promise<unknown> {
  return action.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("an answer that is not 2xx", () => {
  test.each([
    [400, '{"err":"already initialised"}', "already initialised"],
    [403, "<html><body><h1>Forbidden</h1></body></html>", "Forbidden"],
    [409, "conflict", "conflict"],
    [500, "", ""],
    [302, "", ""],
    [599, '{"code":1}', '{"code":1}'],
  ])("of %d shows the status and the message", async (status, body, said) => {
    const { client } = scripted(() => ({ status, body }));
    const error = await failureOf(client.getPolicies());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      name: "ApiError",
      endpoint: "getPolicies",
      status,
      serverMessage: said,
    });
    expect((error as ApiError).message).toContain(
      `GET https://console:8083/api/v1/policies answered ${status}`,
    );
    expect((error as ApiError).message).toContain(said);
  });

  test("shows the whole text", async () => {
    const { client } = scripted(() => ({ status: 400, body: { err: "already initialised" } }));
    await expect(client.signUp({ username: "a", password: "p" })).rejects.toThrow(
      "POST https://console:8083/api/v1/signup answered 400 Bad Request: already initialised",
    );
  });

  test("of 402 is a missing license", async () => {
    const { client } = scripted(() => ({ status: 402 }));
    const error = await failureOf(client.getPolicies());
    expect(error).toBeInstanceOf(LicenseRequiredError);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ name: "LicenseRequiredError", code: "CONSOLE_LICENSE_REQUIRED" });
  });

  test("of 401 is about the credentials", async () => {
    const { client } = scripted(() => ({ status: 401 }));
    const error = await failureOf(client.getPolicies());
    expect(error).toBeInstanceOf(UnauthorizedError);
    expect(error).toMatchObject({ name: "UnauthorizedError", code: "CONSOLE_UNAUTHORIZED" });
  });

  test("is read up to a limit", async () => {
    let sent = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        await Promise.resolve();
        sent += 1;
        yield Buffer.alloc(1024, "x");
      }
    }
    const { client } = scripted(() => ({}), {
      transport: () => Promise.resolve({ status: 500, headers: {}, body: endless() }),
    });
    expect(await failureOf(client.getPolicies())).toMatchObject({ status: 500 });
    expect(sent).toBeLessThanOrEqual(64);
  });
});

describe("a 2xx answer that is not what the API describes", () => {
  test("names the place in the body", async () => {
    const { client } = scripted(() => ({ body: [{ name: "a" }, { name: null }] }));
    const error = await failureOf(client.read("policies"));
    expect(error).toBeInstanceOf(SchemaMismatchError);
    expect(error).toMatchObject({
      path: [1, "name"],
      message: expect.stringContaining("$[1].name") as unknown,
    });
  });

  test.each(["", "<html>sign in</html>", '[{"name":'])(
    "reports a body that is not JSON: %j",
    async (body) => {
      const { client } = scripted(() => ({ headers: { "content-type": "text/html" }, body }));
      const error = await failureOf(client.read("policies"));
      expect(error).toBeInstanceOf(SchemaMismatchError);
      expect(error).toMatchObject({
        message: expect.stringMatching(
          /^GET https:.*\/container answered 200 with \d+ bytes of text\/html.*not JSON/,
        ) as unknown,
      });
    },
  );
});

describe("no error shows a secret", () => {
  const canaries = /canary|Y2FuYXJ5|YWRtaW46Y2FuYXJ5/;
  const all: Credentials[] = [
    { method: "basic", username: "admin", password: "canary-password" },
    { method: "token-login", username: "admin", password: "canary-password" },
    { method: "static-token", token: "canary-token" },
  ];
  const calls: ((client: ConsoleClient) => Promise<unknown>)[] = [
    (client) => client.signUp({ username: "admin", password: "canary-sign-up" }),
    (client) => client.installLicense("canary-license"),
    (client) => client.authenticate(),
    (client) => client.read("policies"),
    (client) =>
      client.replace("registry", {
        envelope: null,
        items: [{ registry: "r", credential: { secret: { plain: "canary-registry" } } }],
      }),
  ];

  let ours: Awaited<ReturnType<typeof authority>>;
  let server: Keyed;
  beforeAll(async () => {
    ours = await authority();
    server = await ours.issue();
  });
  afterEach(closeAll);

  /**
   * Everything that could be printed or serialized, including non-enumerable members and causes.
   */
  function everything(error: unknown): string {
    if (typeof error !== "object" || error === null) return String(error);
    const own = Object.getOwnPropertyNames(error).map((name): unknown => Reflect.get(error, name));
    return [
      inspect(error, { depth: 20, showHidden: true }),
      ...own.map((value) => (value === error ? "" : everything(value))),
    ].join("\n");
  }

  async function failures(baseUrl: string): Promise<unknown[]> {
    const clients = all.map((credentials) =>
      connect({ baseUrl, credentials, tls: { ca: ours.ca }, requestTimeout: 900 }),
    );
    return Promise.all(clients.flatMap((client) => calls.map((call) => failureOf(call(client)))));
  }

  /** Echoes the whole request, as careless servers do. */
  function echo(status: number, wrap: (text: string) => string) {
    return (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const text = `${JSON.stringify(request.headers)} ${Buffer.concat(chunks).toString()}`;
        response.writeHead(status).end(wrap(text));
      });
    };
  }

  test.each<[string, number, (text: string) => string]>([
    ["in text", 400, (text) => text],
    ["in JSON", 403, (text) => JSON.stringify({ err: text })],
    ["in HTML", 500, (text) => `<h1>${text.replaceAll('"', "&quot;")}</h1>`],
    ["in a refusal", 401, (text) => text],
    ["for want of a license", 402, (text) => text],
    ["in place of an answer", 200, (text) => text],
    [
      "in JSON in place of an answer",
      200,
      (text) => JSON.stringify({ token: [text], rules: text }),
    ],
  ])("of a console that echoes the request %s", async (_, status, wrap) => {
    const { url } = await serve(server, echo(status, wrap));
    const errors = (await failures(url)).filter((error) => error !== undefined);
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) {
      expect(error).toBeInstanceOf(ConsoleError);
      expect(everything(error)).not.toMatch(canaries);
    }
  });

  test("of a server that echoes the request without HTTP", async () => {
    const port = await listen(
      createTlsServer(server, (socket) => {
        socket.on("error", () => undefined).pipe(socket);
      }),
    );
    for (const error of await failures(`https://127.0.0.1:${port}`)) {
      expect(error).toBeInstanceOf(ConsoleError);
      expect(everything(error)).not.toMatch(canaries);
    }
  });

  test("of a transport that quotes the request", async () => {
    const { client } = scripted(({ headers, body }) =>
      Promise.reject(new Error(`failed: ${headers.authorization ?? ""} ${body ?? ""}`)),
    );
    for (const call of calls) {
      const error = await failureOf(call(client));
      expect(everything(error)).toMatch(/failed|has an inline credential/);
      expect(everything(error)).not.toMatch(canaries);
    }
  });

  test("of a token that the console issued and then refuses", async () => {
    const { client } = scripted(
      ({ path, headers }) =>
        path.endsWith("/authenticate")
          ? { body: { token: "canary-issued" } }
          : { status: 401, body: `bad token ${headers.authorization ?? ""}` },
      { credentials: { method: "token-login", username: "admin", password: "p" } },
    );
    const error = await failureOf(client.getPolicies());
    expect(error).toMatchObject({ serverMessage: "bad token Bearer [redacted]" });
    expect(everything(error)).not.toMatch(canaries);
  });

  test("of a client certificate's key that cannot be used", async () => {
    const { cert } = server;
    const client = connect({
      baseUrl: "127.0.0.1",
      credentials: { method: "client-certificate", cert, key: "canary-key" },
    });
    const error = await failureOf(client.getPolicies());
    expect(error).toMatchObject({ code: "CONSOLE_CONFIGURATION" });
    expect(everything(error)).not.toMatch(canaries);
  });
});
