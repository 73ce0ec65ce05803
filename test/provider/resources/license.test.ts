import type { Credentials } from "../../../src/api/credentials";
import { RELEASES } from "../../../src/api/release";
import { UNKNOWN } from "../../../src/core/values";
import { ADMIN, fresh, ready } from "../support/consoles";
import { Engine, errorsOf, summaries } from "../support/engine";
import { closeSecondConsoles, connectToSecond } from "../support/second-console";

const TYPE = "cwp_license";
const INSTALL = "POST /api/v1/settings/license";

afterEach(closeSecondConsoles);

async function signedUp(options = {}) {
  const simulated = fresh({}, options);
  await simulated.console.addUser("admin", "canary-password");
  return simulated;
}

test("installs the key, and stores its fingerprint only", async () => {
  const { console, connection, writes } = await signedUp();
  const engine = await new Engine(connection, TYPE).applied({ key: "canary-key" });
  expect(engine.state).toEqual({
    id: "license",
    console: connection.client.identity.name,
    key: null,
    // The first 16 hex digits of `printf canary-key | sha256sum`.
    key_fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    expires_at: null,
  });
  expect(console.data.license).not.toBeNull();
  expect(writes()).toEqual([INSTALL]);
  expect(await engine.isConverged({ key: "canary-key" })).toBe(true);
});

test("stores a quarter of a SHA-256 as fingerprint", async () => {
  const { connection } = await signedUp();
  const { planned } = await new Engine(connection, TYPE).plan({ key: "abc" });
  // FIPS 180-2, appendix B.1.
  expect(planned?.key_fingerprint).toBe("ba7816bf8f01cfea");
});

test("installs another key in place, detected by its fingerprint", async () => {
  const { console, connection, writes } = await signedUp();
  const engine = await new Engine(connection, TYPE).applied({ key: "one" });
  const before = console.data.license;
  const plan = await engine.plan({ key: "two" });
  expect(plan.requiresReplace).toEqual([]);
  expect(await engine.applyPlan({ key: "two" }, plan)).toEqual([]);
  expect(console.data.license).not.toEqual(before);
  expect(writes()).toEqual([INSTALL, INSTALL]);
  expect(await engine.isConverged({ key: "two" })).toBe(true);
});

test("has an unknown fingerprint for an unknown key", async () => {
  const { connection } = await signedUp();
  const { planned } = await new Engine(connection, TYPE).plan({ key: UNKNOWN });
  expect(planned).toEqual({
    id: "license",
    console: connection.client.identity.name,
    key: null,
    key_fingerprint: UNKNOWN,
    expires_at: UNKNOWN,
  });
});

test("plans a create if the console answers 402", async () => {
  const { console, connection } = await signedUp();
  const engine = await new Engine(connection, TYPE).applied({ key: "one" });
  await console.reset();
  await console.addUser("admin", "canary-password");
  expect(await engine.refresh()).toEqual([]);
  expect(engine.stored).toBeUndefined();
  await engine.applied({ key: "one" });
  expect(console.data.license).not.toBeNull();
});

describe("a console that refuses the key", () => {
  test("fails without a license, and stores no state", async () => {
    const { connection, fault } = await signedUp();
    fault("installLicense:status=400");
    const engine = new Engine(connection, TYPE);
    const [problem] = errorsOf(await engine.apply({ key: "canary-key" }));
    expect(problem?.summary).toBe("Console refused the request");
    expect(problem?.detail).toContain("injected fault: 400");
    expect(problem?.detail).not.toContain("canary");
    expect(engine.stored).toBeUndefined();
  });

  test("warns if the console works with a license", async () => {
    const { connection, fault } = await ready();
    fault("installLicense:status=400");
    const engine = new Engine(connection, TYPE);
    const diagnostics = await engine.apply({ key: "canary-key" });
    expect(diagnostics.map(({ severity, summary }) => `${severity}: ${summary}`)).toEqual([
      "warning: License key was refused, but the console has a license",
    ]);
    expect(diagnostics[0]?.detail).toContain("cannot be read");
    expect(engine.state).toMatchObject({ id: "license" });
  });

  test.each([401, 403, 404])("fails at %d", async (status) => {
    const { connection, fault } = await ready();
    fault(`installLicense:status=${status}`);
    const engine = new Engine(connection, TYPE);
    expect(errorsOf(await engine.apply({ key: "canary-key" }))).toHaveLength(1);
    expect(engine.stored).toBeUndefined();
  });
});

test.each(["reset-after:1", "reset-before:1", "status=503:2", "status=429,retry-after=1:1"])(
  "%s: retries, because installing a key is idempotent",
  async (fault) => {
    const { console, connection, fault: inject } = await signedUp();
    inject(`installLicense:${fault}`);
    await new Engine(connection, TYPE).applied({ key: "one" });
    expect(console.data.license).not.toBeNull();
  },
);

test("warns in the plan of a destroy that the license stays", async () => {
  const { console, connection } = await signedUp();
  const engine = await new Engine(connection, TYPE).applied({ key: "one" });
  const plan = await engine.plan(null);
  expect(summaries(plan.diagnostics)).toEqual(["License stays installed"]);
  expect(await engine.applyPlan(null, plan)).toEqual([]);
  expect(console.data.license).not.toBeNull();
});

describe.each(RELEASES)("in release %s", (release) => {
  test.each<[string, Credentials, RegExp]>([
    ["basic", { method: "basic", ...ADMIN }, /^Basic /],
    ["bearer", { method: "token-login", ...ADMIN }, /^Bearer /],
  ])("it is installed with %s authorization", async (_, credentials, expected) => {
    const { console, connection, sent } = fresh({ release }, { credentials });
    await console.addUser(ADMIN.username, ADMIN.password);
    const engine = await new Engine(connection, TYPE).applied({ key: "canary-key" });
    const install = sent.filter(
      ({ method, path }) => method === "POST" && path.endsWith("/settings/license"),
    );
    expect(install.map(({ method, body }) => `${method} ${body}`)).toEqual([
      'POST {"key":"canary-key"}',
    ]);
    expect(install[0]?.headers).toMatchObject({
      authorization: expect.stringMatching(expected) as string,
      "content-type": "application/json",
    });
    expect(sent.some(({ path }) => path.endsWith("/authenticate"))).toBe(expected.test("Bearer "));
    expect(console.data.license).not.toBeNull();
    expect(await engine.isConverged({ key: "canary-key" })).toBe(true);
  });
});

test("requires a key that is not empty", async () => {
  const { connection } = await signedUp();
  const engine = new Engine(connection, TYPE);
  expect(summaries(engine.validate({}))).toEqual(["Missing required argument"]);
  expect(engine.validate({ key: "" }).map(({ path }) => path)).toEqual([["key"]]);
});

test("a console that answers the expiry shows it, and a renewal is no change of the stack", async () => {
  const { connection, served } = await connectToSecond();
  const config = { key: "canary-key" };
  const engine = await new Engine(connection, TYPE).applied(config);
  expect(engine.state?.expires_at).toBe("2030-01-01T00:00:00.000Z");
  const { documents } = served.content();
  documents["settings/license"] = { expiration_date: "2031-01-01T00:00:00Z" };
  expect(await engine.isConverged(config)).toBe(true);
  await engine.refresh();
  expect(engine.state?.expires_at).toBe("2031-01-01T00:00:00.000Z");
  for (const answer of [{}, { expiration_date: 7 }, { expiration_date: "" }]) {
    documents["settings/license"] = answer;
    await engine.refresh();
    expect(await engine.isConverged(config)).toBe(true);
  }
  expect(JSON.stringify([engine.seen, engine.stored])).not.toContain("tok-very-secret");
});

test("a state of the released version, which has no expiry, plans no change", async () => {
  const { connection } = await connectToSecond();
  const config = { key: "canary-key" };
  const engine = await new Engine(connection, TYPE).applied(config);
  const { stored } = engine;
  engine.stored = stored && { ...stored, state: { ...stored.state, expires_at: null } };
  const { planned } = await engine.plan(config);
  expect(planned).toEqual(engine.state);
  await engine.refresh();
  expect(engine.state?.expires_at).toBe("2030-01-01T00:00:00.000Z");
  expect((await engine.plan(config)).planned).toEqual(engine.state);
});

test.each([404, 405, 500])("a console that answers %i has no expiry", async (status) => {
  const { connection } = await connectToSecond({
    intercept: ({ method, path }) =>
      method === "GET" && path === "settings/license" ? { status } : undefined,
  });
  const engine = await new Engine(connection, TYPE).applied({ key: "canary-key" });
  expect(engine.state?.expires_at).toBeNull();
  expect(await engine.isConverged({ key: "canary-key" })).toBe(true);
});
