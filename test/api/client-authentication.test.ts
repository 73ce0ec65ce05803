import type { ConsoleClient } from "../../src/api/client";
import type { Credentials } from "../../src/api/credentials";
import { ApiError, ConfigurationError, UnauthorizedError } from "../../src/api/errors";
import { jwt } from "./support/jwt";
import { type Handler, scripted } from "./support/scripted-console";

const MINUTE = 60_000;
const login: Credentials = { method: "token-login", username: "admin", password: "p" };
const certificate: Credentials = { method: "client-certificate", cert: "C", key: "K" };

/** Issues `token-1`, `token-2` … and accepts those that `accepts` allows. */
function issuing(accepts: (authorization: string | undefined) => boolean = () => true): Handler {
  let issued = 0;
  return ({ path, headers }) => {
    if (path.includes("/authenticate")) return { body: { token: `token-${++issued}` } };
    return accepts(headers.authorization) ? { body: [] } : { status: 401 };
  };
}

describe("basic", () => {
  test("sends UTF-8 in Base64 with every request and fetches no token", async () => {
    const { client, requests, calls } = scripted(() => ({ body: [] }), {
      credentials: { method: "basic", username: "jürgen", password: "p:ä" },
    });
    await client.getPolicies();
    await client.getPolicies();
    expect(calls()).toEqual(["GET /api/v1/policies", "GET /api/v1/policies"]);
    for (const { headers } of requests) {
      expect(headers.authorization).toBe("Basic asO8cmdlbjpwOsOk");
    }
  });

  test("sends DOMAIN\\name with one backslash", async () => {
    const { client, requests } = scripted(() => ({ body: [] }), {
      credentials: { method: "basic", username: "DOMAIN\\name", password: "p" },
    });
    await client.getPolicies();
    const sent = requests[0]?.headers.authorization?.slice("Basic ".length) ?? "";
    expect(Buffer.from(sent, "base64").toString()).toBe("DOMAIN\\name:p");
  });

  test("refuses a username with a colon before anything is sent", () => {
    const credentials: Credentials = { method: "basic", username: "a:b", password: "p" };
    expect(() => scripted(() => ({}), { credentials })).toThrow(ConfigurationError);
  });
});

describe("username and password for a token", () => {
  test("fetch one token at the first authorized request for all requests", async () => {
    const { client, requests, calls } = scripted(issuing(), { credentials: login });
    await client.getPolicies();
    await client.getRuntimePolicies();
    expect(calls()).toEqual([
      "POST /api/v1/authenticate",
      "GET /api/v1/policies",
      "GET /api/v1/policies/runtime/container",
    ]);
    expect(requests[0]?.headers).toEqual({
      accept: "application/json",
      "content-type": "application/json",
    });
    expect(requests[0]?.body).toBe('{"username":"admin","password":"p"}');
    expect(requests[1]?.headers.authorization).toBe("Bearer token-1");
  });

  test("send the backslash of DOMAIN\\name doubled in JSON", async () => {
    const credentials: Credentials = { ...login, username: "DOMAIN\\name" };
    const { client, requests } = scripted(issuing(), { credentials });
    await client.getPolicies();
    expect(requests[0]?.body).toBe(String.raw`{"username":"DOMAIN\\name","password":"p"}`);
  });

  test("fetch one token for all waiting requests", async () => {
    const { client, calls } = scripted(issuing(), { credentials: login, maxConcurrency: 1 });
    await Promise.all(Array.from({ length: 10 }, () => client.getPolicies()));
    expect(calls().filter((call) => call.includes("authenticate"))).toHaveLength(1);
    expect(calls()).toHaveLength(11);
  });

  test("renew the token ten minutes before it ends", async () => {
    const handler: Handler = ({ path }) => ({
      body: path.endsWith("/authenticate") ? { token: jwt({ exp: 3600 }) } : [],
    });
    const { client, calls, advance } = scripted(handler, { credentials: login });
    await client.getPolicies();
    advance(50 * MINUTE - 1);
    await client.getPolicies();
    expect(calls().filter((call) => call.includes("authenticate"))).toHaveLength(1);
    advance(1);
    await client.getPolicies();
    expect(calls().filter((call) => call.includes("authenticate"))).toHaveLength(2);
  });

  test("replace a refused token once for all requests", async () => {
    const accepts = (authorization: string | undefined) => authorization === "Bearer token-2";
    const { client, calls } = scripted(issuing(accepts), { credentials: login });
    await Promise.all([client.getPolicies(), client.getPolicies(), client.getPolicies()]);
    expect(calls().filter((call) => call.includes("authenticate"))).toHaveLength(2);
    expect(calls()).toHaveLength(2 + 2 * 3);
  });

  test("fail when the second token is refused as well", async () => {
    const { client, calls } = scripted(
      issuing(() => false),
      { credentials: login },
    );
    await expect(client.getPolicies()).rejects.toThrow(UnauthorizedError);
    expect(calls()).toHaveLength(4);
  });

  test("are named as the cause when they are wrong", async () => {
    const { client, calls } = scripted(() => ({ status: 401, body: { err: "no" } }), {
      credentials: login,
    });
    await expect(client.getPolicies()).rejects.toThrow(/refuses the username and password/);
    expect(calls()).toEqual(["POST /api/v1/authenticate"]);
  });

  test("keep the token request of other callers when one aborts", async () => {
    let answer: (() => void) | undefined;
    const { client } = scripted(
      async ({ path }) => {
        if (!path.endsWith("/authenticate")) return { body: [] };
        await new Promise<void>((resolve) => (answer = resolve));
        return { body: { token: "t" } };
      },
      { credentials: login },
    );
    const abort = new AbortController();
    const leaving = client.getPolicies(abort.signal);
    const staying = client.getPolicies();
    abort.abort();
    await expect(leaving).rejects.toMatchObject({ code: "CONSOLE_ABORTED" });
    answer?.();
    await expect(staying).resolves.toEqual([]);
  });

  test.each([{}, { token: "" }, { token: "two\nlines" }, { token: 5 }])(
    "get an error that names the place for the answer %j",
    async (body) => {
      const { client } = scripted(() => ({ body }), { credentials: login });
      await expect(client.getPolicies()).rejects.toMatchObject({
        code: "CONSOLE_SCHEMA_MISMATCH",
        path: ["token"],
      });
    },
  );
});

test("fetches the token of a client certificate without body and header", async () => {
  const { client, requests, calls } = scripted(issuing(), { credentials: certificate });
  await client.getPolicies();
  expect(calls()[0]).toBe("POST /api/v1/authenticate-client");
  expect(requests[0]).toMatchObject({ headers: { accept: "application/json" } });
  expect(requests[0]).not.toHaveProperty("body");
  expect(requests[1]?.headers.authorization).toBe("Bearer token-1");
});

describe("a given token", () => {
  const credentials: Credentials = { method: "static-token", token: "canary-token" };

  test("is sent unchanged", async () => {
    const { client, requests } = scripted(() => ({ body: [] }), { credentials });
    await client.getPolicies();
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer canary-token"]);
  });

  test("is not renewed, which the error says", async () => {
    const { client, calls } = scripted(() => ({ status: 401 }), { credentials });
    await expect(client.getPolicies()).rejects.toThrow(/is not renewed/);
    expect(calls()).toHaveLength(1);
  });

  test.each(["", "two words", "line\n", "ключ"])("is refused if it is %j", (token) => {
    const make = () => scripted(() => ({}), { credentials: { method: "static-token", token } });
    expect(make).toThrow(ConfigurationError);
  });
});

describe("without credentials", () => {
  const options = { credentials: undefined };

  test("can sign up to a fresh console", async () => {
    const { client, requests } = scripted(() => ({}), options);
    await client.ping();
    await client.signUp({ username: "admin", password: "p" });
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  test("refuses calls that require them before anything is sent", async () => {
    const { client, calls } = scripted(() => ({}), options);
    await expect(client.getPolicies()).rejects.toThrow(ConfigurationError);
    expect(calls()).toEqual([]);
  });
});

test("sends no Authorization to sign-up and _ping", async () => {
  const { client, requests } = scripted(() => ({}));
  await client.ping();
  await client.signUp({ username: "admin", password: "p" });
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
});

describe("verifying the credentials", () => {
  const prove = (credentials: Credentials, handler: Handler) => {
    const { client, calls } = scripted(handler, { credentials });
    return { client, calls };
  };

  test.each([login, certificate])(
    "exchanges $method for a new token, regardless of the cache",
    async (given) => {
      const { client, calls } = prove(given, issuing());
      await client.getPolicies();
      await client.authenticate();
      expect(calls().filter((call) => call.includes("authenticate"))).toHaveLength(2);
    },
  );

  const calling: Credentials[] = [
    { method: "basic", username: "admin", password: "p" },
    { method: "static-token", token: "t" },
  ];

  test.each(calling)("verifies $method by a call, even without a license", async (given) => {
    for (const status of [200, 402]) {
      const { client, calls } = prove(given, () => ({ status }));
      await client.authenticate();
      expect(calls()).toEqual(["GET /api/v1/policies/runtime/container"]);
    }
  });

  test.each([login, certificate, ...calling])("fails for $method on 401", async (given) => {
    const { client } = prove(given, () => ({ status: 401 }));
    await expect(client.authenticate()).rejects.toThrow(UnauthorizedError);
  });

  test.each([login, ...calling])("fails for $method on any other error", async (given) => {
    const attempt = (client: ConsoleClient) => client.authenticate();
    const { client } = prove(given, () => ({ status: 403 }));
    await expect(attempt(client)).rejects.toThrow(ApiError);
  });
});

describe("a token for another tool", () => {
  test.each<[string, Credentials, string]>([
    ["username and password", login, "/api/v1/authenticate"],
    ["basic authorization", { ...login, method: "basic" }, "/api/v1/authenticate"],
    ["a client certificate", certificate, "/api/v1/authenticate-client"],
  ])("is issued for %s without replacing the client's token", async (_, credentials, path) => {
    const { client, calls } = scripted(issuing(), { credentials });
    expect((await client.issueToken()).token).toBe("token-1");
    expect((await client.issueToken()).token).toBe("token-2");
    expect(calls()).toEqual([`POST ${path}`, `POST ${path}`]);
  });

  test("ends at its exp, or after 24 hours", async () => {
    const now = Date.parse("2021-01-01T00:00:00Z");
    const until = async (token: string) => {
      const { client } = scripted(() => ({ body: { token } }), {
        credentials: login,
        now: () => now,
      });
      return (await client.issueToken()).expiresAt.toISOString();
    };
    expect(await until("opaque")).toBe("2021-01-02T00:00:00.000Z");
    expect(await until(jwt({ exp: now / 1000 + 60 }))).toBe("2021-01-01T00:01:00.000Z");
  });

  test("is refused for a static token", async () => {
    const credentials: Credentials = { method: "static-token", token: "t" };
    const { client, calls } = scripted(issuing(), { credentials });
    await expect(client.issueToken()).rejects.toThrow(ConfigurationError);
    expect(calls()).toEqual([]);
  });
});
