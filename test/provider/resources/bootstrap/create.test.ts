import { UNKNOWN, type ObjectValue, type Value } from "../../../../src/core/values";
import { ADMIN, fresh, ready } from "../../support/consoles";
import { Engine, errorsOf, summaries } from "../../support/engine";

const TYPE = "cwp_bootstrap";
const SIGNUP = "POST /api/v1/signup";
const once = { maxRetries: 0 };

test("signs up with the provider's user, verifies it, and stores no password", async () => {
  const { console, connection, writes } = fresh();
  const engine = await new Engine(connection, TYPE).applied({});
  expect(engine.state).toEqual({
    id: "bootstrap",
    console: connection.client.identity.name,
    username: "admin",
    password: null,
    wait_timeout: 600,
  });
  expect([...console.data.users.keys()]).toEqual(["admin"]);
  expect(writes()).toEqual([SIGNUP]);
  expect(console.requests.map(({ endpoint }) => endpoint)).toEqual([
    // Requests of the plan.
    "ping",
    "ping",
    "signUp",
    "authenticate",
  ]);
  expect(await engine.isConverged({})).toBe(true);
});

test("creates and verifies the user of the resource", async () => {
  const { console, connection } = fresh();
  const engine = new Engine(connection, TYPE);
  await engine.applied({ username: "DOMAIN\\first", password: "canary-other" });
  expect(engine.state).toMatchObject({ username: "DOMAIN\\first", password: null });
  expect([...console.data.users.keys()]).toEqual(["DOMAIN\\first"]);
});

test("sends no authorization with the sign-up", async () => {
  const { connection, sent } = fresh();
  await new Engine(connection, TYPE).applied({});
  const signUp = sent.find(({ path }) => path.endsWith("/signup"));
  expect(signUp?.headers.authorization).toBeUndefined();
  expect(signUp?.headers["content-type"]).toBe("application/json");
});

describe("the planned username", () => {
  test.each<[string, ObjectValue, Value]>([
    ["the provider's", {}, "admin"],
    ["the configured one", { username: "other" }, "other"],
    ["not known, as configured", { username: UNKNOWN }, UNKNOWN],
  ])("%s", async (_, config, expected) => {
    const { connection } = fresh();
    expect((await new Engine(connection, TYPE).plan(config)).planned?.username).toBe(expected);
  });

  test("is missing if the provider has no user either", async () => {
    const { connection } = fresh();
    const engine = new Engine({ ...connection, username: undefined }, TYPE);
    expect(summaries((await engine.plan({})).diagnostics)).toEqual(["Missing username"]);
  });

  test("replaces for another username, but not for another provider user", async () => {
    const { connection } = fresh();
    const engine = await new Engine(connection, TYPE).applied({});
    expect((await engine.plan({ username: "other" })).requiresReplace).toEqual([["username"]]);
    const renamed = new Engine({ ...connection, username: "renamed" }, TYPE);
    renamed.stored = engine.stored;
    expect((await renamed.plan({})).planned).toEqual(engine.state);
  });

  test("changes wait_timeout without a request", async () => {
    const { connection, console } = fresh();
    const engine = await new Engine(connection, TYPE).applied({});
    const before = console.requests.length;
    const plan = await engine.plan({ wait_timeout: 5 });
    expect(plan.requiresReplace).toEqual([]);
    expect(await engine.applyPlan({ wait_timeout: 5 }, plan)).toEqual([]);
    expect(engine.state).toMatchObject({ username: "admin", wait_timeout: 5 });
    expect(console.requests).toHaveLength(before);
  });
});

test("requires a password", async () => {
  const { connection, writes } = fresh();
  const engine = new Engine({ ...connection, password: undefined }, TYPE);
  expect(summaries(errorsOf(await engine.apply({})))).toEqual(["Missing password"]);
  expect(writes()).toEqual([]);
});

describe("a console that was signed up before", () => {
  test("succeeds if the console accepts the credentials", async () => {
    const { connection, console } = await ready();
    const engine = await new Engine(connection, TYPE).applied({});
    expect(engine.state).toMatchObject({ username: "admin" });
    expect(console.requests.map(({ endpoint, status }) => `${endpoint ?? ""} ${status}`)).toEqual([
      "ping 200",
      "ping 200",
      "signUp 400",
      "authenticate 200",
    ]);
  });

  test("reports both causes and the console's answer for another password", async () => {
    const { connection, console } = fresh();
    await console.addUser(ADMIN.username, "another");
    const engine = new Engine(connection, TYPE);
    const [problem, ...rest] = errorsOf(await engine.apply({}));
    expect(rest).toEqual([]);
    expect(problem?.summary).toContain("Sign-up was refused");
    expect(problem?.detail).toContain("has an admin user with another name or password");
    expect(problem?.detail).toContain("refused this user");
    expect(problem?.detail).toContain("an admin user exists");
    expect(problem?.detail).toContain("401");
    expect(problem?.detail).not.toContain("canary");
    expect(engine.stored).toBeUndefined();
  });

  test("verifies the user of the resource, not the provider's", async () => {
    const { connection } = await ready();
    const engine = new Engine(connection, TYPE);
    const [problem] = errorsOf(await engine.apply({ username: "x", password: "canary-x" }));
    expect(problem?.summary).toContain("Sign-up was refused");
  });
});

describe("a sign-up without an answer", () => {
  test.each(["reset-after", "truncate"])("%s: succeeds if it was done", async (fault) => {
    const { connection, fault: inject, writes } = fresh({}, once);
    inject(`signUp:${fault}:1`);
    const engine = await new Engine(connection, TYPE).applied({});
    expect(engine.state).toMatchObject({ username: "admin" });
    expect(writes()).toEqual([SIGNUP]);
  });

  test.each(["reset-before", "status=500", "status=502,body=html"])(
    "%s: it was not, and the next apply goes through",
    async (fault) => {
      const { connection, fault: inject, writes } = fresh();
      inject(`signUp:${fault}:1`);
      const engine = new Engine(connection, TYPE);
      const [problem] = errorsOf(await engine.apply({}));
      expect(problem?.summary).toBe("Sign-up failed");
      expect(problem?.detail).not.toContain("another admin");
      // A replay could be refused because the first attempt created the user.
      expect(writes()).toEqual([SIGNUP]);
      expect(engine.stored).toBeUndefined();
      await engine.applied({});
    },
  );
});

describe("read", () => {
  test("needs no license", async () => {
    const { connection } = fresh();
    const engine = await new Engine(connection, TYPE).applied({});
    expect(await engine.refresh()).toEqual([]);
    expect(engine.state).toMatchObject({ id: "bootstrap" });
  });

  test("reports both remedies for a reinstalled console or another password", async () => {
    const { console, connection } = fresh();
    const engine = await new Engine(connection, TYPE).applied({});
    await console.reset();
    const [problem] = await engine.refresh();
    expect(problem?.severity).toBe("error");
    expect(problem?.detail).toContain("correct the provider's credentials");
    expect(problem?.detail).toContain("state rm");
    expect(engine.stored).toBeDefined();
    // The object was removed from the state, as the second remedy says.
    engine.stored = undefined;
    await engine.applied({});
  });

  test("keeps the state if the console is unreachable", async () => {
    const { connection, fault } = fresh();
    const engine = await new Engine(connection, TYPE).applied({});
    fault("*:reset-before");
    expect(summaries(errorsOf(await engine.refresh()))).toEqual(["Console is not reachable"]);
    expect(engine.stored).toBeDefined();
  });
});

test("warns in the plan of a destroy that the user is kept", async () => {
  const { console, connection } = fresh();
  const engine = await new Engine(connection, TYPE).applied({});
  const plan = await engine.plan(null);
  expect(plan.diagnostics.map(({ severity }) => severity)).toEqual(["warning"]);
  expect(await engine.applyPlan(null, plan)).toEqual([]);
  expect(engine.stored).toBeUndefined();
  expect([...console.data.users.keys()]).toEqual(["admin"]);
  // The resource can be created again.
  await engine.applied({});
});
