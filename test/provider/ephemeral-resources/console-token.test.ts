import { cwpProvider } from "../../../src/provider/cwp-provider";
import type { Console } from "../../../src/provider/console/connection";
import { Provider } from "../../../src/core/provider";
import { ADMIN, fresh } from "../support/consoles";
import type { ClientOptions } from "../../../src/api/client-options";

const TYPE = "cwp_token";
const CONFIG = { triggers: null, token: null, expires_at: null };
const { ephemeralResources } = new Provider(cwpProvider);

async function signedUp(clientOptions: Partial<ClientOptions> = {}) {
  const simulated = fresh({}, clientOptions);
  await simulated.console.addUser(ADMIN.username, ADMIN.password);
  return simulated;
}

function open(connection: Console | undefined) {
  const { signal } = new AbortController();
  return ephemeralResources.open(TYPE, CONFIG, { connection, signal });
}

test("returns a valid token with its time of expiry", async () => {
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

test("issues a separate token, with basic authentication too", async () => {
  const { connection, sent } = await signedUp({
    credentials: { method: "basic", ...ADMIN },
  });
  expect((await open(connection)).result?.token).toMatch(/^ey/);
  expect(sent.map(({ path }) => path)).toEqual(["/api/v1/authenticate"]);
});

test("refuses a configured token", async () => {
  const { connection } = await signedUp({ credentials: { method: "static-token", token: "t" } });
  const { result, diagnostics } = await open(connection);
  expect(result).toBeNull();
  expect(diagnostics).toMatchObject([{ summary: "Invalid provider configuration" }]);
});

test("reports refused credentials", async () => {
  const { connection } = fresh();
  const { result, diagnostics } = await open(connection);
  expect(result).toBeNull();
  expect(diagnostics).toMatchObject([
    { severity: "error", summary: "Console refused the credentials" },
  ]);
});

test("reports an unknown provider configuration", async () => {
  const { result, diagnostics } = await open(undefined);
  expect(result).toBeNull();
  expect(diagnostics).toMatchObject([{ summary: "Ephemeral resource cannot be opened yet" }]);
});

test("needs no renewal and no close", async () => {
  const { connection, sent } = await signedUp();
  const context = { connection, signal: new AbortController().signal };
  const renewed = await ephemeralResources.renew(TYPE, {}, context);
  expect(renewed).toEqual({ private: {}, renewAt: undefined, diagnostics: [] });
  expect(await ephemeralResources.close(TYPE, {}, context)).toEqual([]);
  expect(sent).toEqual([]);
});
