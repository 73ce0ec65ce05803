import { consoleProvider } from "../../../src/provider/cwp-provider";
import type { Console } from "../../../src/provider/console/connection";
import { Provider } from "../../../src/provider/provider";
import { ADMIN, fresh } from "../support/consoles";
import type { ClientOptions } from "../../../src/api/client-options";

const TYPE = "cwp_token";
const CONFIG = { triggers: null, token: null, expires_at: null };
const { ephemeralResources } = new Provider(consoleProvider);

async function signedUp(clientOptions: Partial<ClientOptions> = {}) {
  const simulated = fresh({}, clientOptions);
  await simulated.console.addUser(ADMIN.username, ADMIN.password);
  return simulated;
}

function open(connection: Console | undefined) {
  const { signal } = new AbortController();
  return ephemeralResources.open(TYPE, CONFIG, { connection, signal });
}

test("a token that the console takes, and when it ends", async () => {
  const { connection, console } = await signedUp();
  const opened = await open(connection);
  expect(opened.diagnostics).toEqual([]);
  expect(opened.private).toEqual({});
  const { token, expires_at: expiresAt } = opened.result ?? {};
  expect(expiresAt).toBe("2021-01-02T00:00:00.000Z");
  const answer = await console.handle({
    method: "GET",
    path: "/api/v1/policies",
    headers: { authorization: `Bearer ${token as string}` },
  });
  // 402: authorised, and without a license.
  expect(answer.status).toBe(402);
});

test("is another one than the provider's own, also where that needs none", async () => {
  const { connection, sent } = await signedUp({
    credentials: { method: "basic", ...ADMIN },
  });
  expect((await open(connection)).result?.token).toMatch(/^ey/);
  expect(sent.map(({ path }) => path)).toEqual(["/api/v1/authenticate"]);
});

test("a token that is configured cannot be exchanged", async () => {
  const { connection } = await signedUp({ credentials: { method: "static-token", token: "t" } });
  const { result, diagnostics } = await open(connection);
  expect(result).toBeNull();
  expect(diagnostics).toMatchObject([{ summary: "Invalid provider configuration" }]);
});

test("a console that refuses the credentials is a diagnostic", async () => {
  const { connection } = fresh();
  const { result, diagnostics } = await open(connection);
  expect(result).toBeNull();
  expect(diagnostics).toMatchObject([
    { severity: "error", summary: "Console refused the credentials" },
  ]);
});

test("a provider configuration that is not known yet is one, too", async () => {
  const { result, diagnostics } = await open(undefined);
  expect(result).toBeNull();
  expect(diagnostics).toMatchObject([{ summary: "Ephemeral resource cannot be opened yet" }]);
});

test("has nothing to renew or to end", async () => {
  const { connection, sent } = await signedUp();
  const context = { connection, signal: new AbortController().signal };
  const renewed = await ephemeralResources.renew(TYPE, {}, context);
  expect(renewed).toEqual({ private: {}, renewAt: undefined, diagnostics: [] });
  expect(await ephemeralResources.close(TYPE, {}, context)).toEqual([]);
  expect(sent).toEqual([]);
});
