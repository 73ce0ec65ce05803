import { UNKNOWN, type ObjectValue } from "../../../src/core/values";
import { ready } from "../support/consoles";
import { complete, Engine, errorsOf, provider, summaries } from "../support/engine";

const TYPE = "cwp_setting";
const PATH = "settings/defender";
const config = (body: ObjectValue, more: ObjectValue = {}) => ({
  kind: "defender_settings",
  body,
  ...more,
});

async function consoleWith(document: object | null) {
  const simulated = await ready();
  await simulated.console.store(PATH, document);
  const stored = () => simulated.console.document(PATH);
  return { ...simulated, stored, engine: new Engine(simulated.connection, TYPE) };
}

describe("merge", () => {
  const found = { port: 1, days: 2, proxy: { on: true, url: "u" }, tags: ["a"], _id: "x" };

  test("changes the named members only, and restores them", async () => {
    const { engine, console, stored, writes } = await consoleWith(found);
    const wanted = config({ port: 5, proxy: { on: false, url: null }, tags: ["b"], added: true });
    await engine.applied(wanted);
    expect(stored()).toEqual({
      ...found,
      port: 5,
      proxy: { on: false, url: "u" },
      tags: ["b"],
      added: true,
    });
    expect(writes()).toEqual([`POST /api/v1/${PATH}`]);
    expect(await engine.isConverged(wanted)).toBe(true);
    await console.store(PATH, { ...(stored() as object), days: 9 });
    expect(await engine.isConverged(wanted)).toBe(true);
    await engine.applied(null);
    expect(stored()).toEqual({ ...found, days: 9 });
  });

  test("shows drift of a named member, and reverts it", async () => {
    const { engine, console, stored } = await consoleWith(found);
    const wanted = config({ proxy: { on: false } });
    await engine.applied(wanted);
    await console.store(PATH, found);
    expect(await engine.isConverged(wanted)).toBe(false);
    expect(engine.state?.body).toEqual({ proxy: { on: true } });
    await engine.applied(wanted);
    expect(stored()).toMatchObject({ proxy: { on: false, url: "u" } });
  });

  test("writes nothing where the console has it already", async () => {
    const { engine, writes, stored } = await consoleWith(found);
    await engine.applied(config({ port: 1 }));
    expect(writes()).toEqual([]);
    await engine.applied(null);
    expect(stored()).toEqual(found);
  });

  test("is imported with all members, which stay where the configuration does not name them", async () => {
    const { engine } = await consoleWith(found);
    expect(await engine.import("defender_settings")).toEqual([]);
    expect(engine.state?.body).toEqual(found);
    expect(await engine.isConverged(config({ port: 1 }))).toBe(true);
  });
});

test("replace has the members of the body only", async () => {
  const found = { port: 1, days: 2, modified: "now" };
  const { engine, console, stored } = await consoleWith(found);
  const wanted = config({ port: 5 }, { mode: "replace" });
  await engine.applied(wanted);
  expect(stored()).toEqual({ port: 5, modified: "now" });
  await console.store(PATH, { port: 5, theirs: 1, empty: "" });
  expect(await engine.isConverged(wanted)).toBe(false);
  await engine.applied(wanted);
  expect(stored()).toEqual({ port: 5 });
  await engine.applied(null);
  expect(stored()).toMatchObject({ port: 1, days: 2 });
});

test.each([
  ["keep", { port: 5 }],
  ["delete", null],
])("on_destroy = %s", async (on_destroy, left) => {
  const { engine, stored } = await consoleWith({ port: 1 });
  await engine.applied(config({ port: 5 }, { on_destroy }));
  await engine.applied(null);
  expect(stored()).toEqual(left);
});

test("refuses to write over a change since the plan", async () => {
  const { engine, console } = await consoleWith({ port: 1 });
  await engine.applied(config({ port: 5 }));
  await engine.refresh();
  const wanted = config({ port: 6 });
  const plan = await engine.plan(wanted);
  await console.store(PATH, { port: 7 });
  expect(summaries(await engine.applyPlan(wanted, plan))).toEqual([
    "The console's settings of defenders changed since the plan was made",
  ]);
});

test("writes secrets when their version changes, and stores none", async () => {
  const { engine, stored, console } = await consoleWith({ port: 1 });
  const wanted = (version: number) =>
    config({ port: 5 }, { write_only: { token: "canary-1" }, write_only_version: version });
  await engine.applied(wanted(1));
  expect(stored()).toEqual({ port: 5, token: "canary-1" });
  await console.store(PATH, { port: 5, token: "" });
  expect(await engine.isConverged(wanted(1))).toBe(true);
  await engine.applied(wanted(2));
  expect(stored()).toEqual({ port: 5, token: "canary-1" });
  expect(JSON.stringify([engine.seen, engine.stored?.state])).not.toContain("canary");
});

test("is an error where the console answers a list", async () => {
  const { connection, console } = await ready({ any: () => undefined });
  await console.store("settings/x", [1]);
  const engine = new Engine(connection, TYPE);
  const found = await engine.apply({ path: "settings/x", unlisted: true, body: {} });
  expect(errorsOf(found)[0]?.detail).toContain("with a list, which cwp_list manages");
});

test.each<[string, ObjectValue, string]>([
  ["a list", config({}, { body: [1] }), "must be an object"],
  ["a list of secrets", config({}, { write_only: [1] }), "must be an object"],
  ["an ignored member", config({ modified: "x" }), "modified is set by the console"],
  ["a path of objects", { path: "users", body: {} }, "cwp_object manages the kind"],
  ["a typed path", { path: "settings/registry", body: {} }, "cwp_registry_scan manages"],
])("refuses %s", (_, given, problem) => {
  const { attributes = {} } = provider.resourceAttributes(TYPE) ?? {};
  const found = provider.validateResource(TYPE, complete(attributes, given));
  expect(found.map(({ detail }) => String(detail)).join()).toContain(problem);
});

test("plans a body that is known after apply", async () => {
  const { engine } = await consoleWith({});
  const { planned, diagnostics } = await engine.plan({ kind: "defender_settings", body: UNKNOWN });
  expect(diagnostics).toEqual([]);
  expect(planned?.body).toBe(UNKNOWN);
});
