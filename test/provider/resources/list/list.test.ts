import { withDynamicType } from "../../../../src/core/schema/dynamic";
import { UNKNOWN, type ObjectValue } from "../../../../src/core/values";
import type { Transport } from "../../../../src/api/http/transport";
import { transportTo } from "../../../../src/simulator";
import { bytes } from "../../data-sources/read";
import { connectTo, ready } from "../../support/consoles";
import { Engine, summaries } from "../../support/engine";

const TYPE = "cwp_list";
const PATH = "policies/admission";
const rule = (name: string, more: ObjectValue = {}): ObjectValue => ({
  name,
  effect: "block",
  ...more,
});
const config = (...entries: readonly ObjectValue[]) => ({ kind: "admission_policy", entries });

/** A console with these rules, and an engine of one list. */
async function consoleWith(...rules: readonly object[]) {
  const simulated = await ready();
  await simulated.console.store(PATH, { _id: "a", rules });
  const stored = () => simulated.console.document(PATH);
  return { ...simulated, stored, engine: new Engine(simulated.connection, TYPE) };
}

test("keeps what surrounds the list, and members that are not set", async () => {
  const { engine, stored, writes } = await consoleWith({
    name: "one",
    effect: "alert",
    notes: "n",
  });
  await engine.import("admission_policy");
  const wanted = config(rule("one"), rule("two", { script: "x" }));
  await engine.applied(wanted);
  expect(stored()).toMatchObject({
    _id: "a",
    rules: [
      { name: "one", effect: "block", notes: "n" },
      { name: "two", effect: "block", script: "x" },
    ],
  });
  expect(writes()).toEqual([`PUT /api/v1/${PATH}`]);
  expect(await engine.isConverged(wanted)).toBe(true);
});

test("refuses to remove or overwrite unmanaged entries at create, and names them", async () => {
  const { engine, writes } = await consoleWith({ name: "theirs" }, rule("one", { script: "y" }));
  const diagnostics = await engine.apply(config(rule("one", { script: "x" })));
  expect(summaries(diagnostics)).toEqual(["Console has unmanaged admission policies"]);
  expect(diagnostics[0]?.detail).toContain('"theirs" would be removed');
  expect(diagnostics[0]?.detail).toContain('"one" would be overwritten');
  expect(diagnostics[0]?.detail).toContain('import ID "admission_policy"');
  expect(writes()).toEqual([]);
});

test("restores at destroy what the create found", async () => {
  const found = [rule("one", { notes: "n" }), rule("system", { owner: "system" })];
  const { engine, stored } = await consoleWith(...found);
  await engine.applied(config(rule("one"), rule("two")));
  expect(stored()).toMatchObject({ rules: [{ name: "one" }, { name: "two" }] });
  await engine.applied(null);
  expect(stored()).toMatchObject({
    _id: "a",
    rules: [{ name: "one", notes: "n" }, { name: "system" }],
  });
});

test.each(["prefix", "suffix"] as const)("keeps unmanaged entries with %s", async (ownership) => {
  const { engine, stored } = await consoleWith({ name: "theirs" });
  const wanted = { ...config(rule("one")), ownership };
  await engine.applied(wanted);
  const order = ownership === "prefix" ? ["one", "theirs"] : ["theirs", "one"];
  expect(stored()).toMatchObject({ rules: order.map((name) => ({ name })) });
  expect(await engine.isConverged(wanted)).toBe(true);
  await engine.applied(null);
  expect(stored()).toMatchObject({ rules: [{ name: "theirs" }] });
});

test("shares a list without an order", async () => {
  const { console, connection } = await ready({ any: () => undefined });
  const path = "settings/accounts";
  await console.store(path, [{ credentialId: "theirs" }]);
  const engine = new Engine(connection, TYPE);
  const wanted = {
    path,
    unlisted: true,
    key: ["credentialId"],
    order: "none",
    ownership: "shared",
    entries: [{ credentialId: "b" }, { credentialId: "a", discoveryEnabled: true }],
  };
  await engine.applied(wanted);
  expect(console.document(path)).toMatchObject([
    { credentialId: "theirs" },
    { credentialId: "b" },
    { credentialId: "a", discoveryEnabled: true },
  ]);
  await console.store(path, [{ credentialId: "a", discoveryEnabled: true }, { credentialId: "b" }]);
  expect(await engine.isConverged(wanted)).toBe(true);
});

test("shows drift of managed members only, and reverts it", async () => {
  const { engine, console, stored } = await consoleWith();
  const wanted = config(rule("one", { resources: { images: ["a", "b"] } }));
  await engine.applied(wanted);
  const one = rule("one", { resources: { images: ["a", "b"], hosts: ["*"] }, notes: "n" });
  await console.store(PATH, { rules: [one] });
  expect(await engine.isConverged(wanted)).toBe(true);
  await console.store(PATH, { rules: [{ ...one, resources: { images: ["a"], hosts: ["*"] } }] });
  expect(await engine.isConverged(wanted)).toBe(false);
  expect(engine.state).toMatchObject({ entries: [{ resources: { images: ["a"] } }] });
  await engine.applied(wanted);
  expect(stored()).toMatchObject({ rules: [{ ...one, notes: "n" }] });
});

test("takes what the console leaves out as empty for an empty value", async () => {
  const { engine, console } = await consoleWith();
  const wanted = config(rule("one", { disabled: false, count: 0, labels: [], scope: { x: "" } }));
  await engine.applied(wanted);
  await console.store(PATH, { rules: [{ name: "one", effect: "block" }] });
  expect(await engine.isConverged(wanted)).toBe(true);
});

test("shows and reverts another order", async () => {
  const { engine, console, stored } = await consoleWith();
  const wanted = config(rule("one"), rule("two"));
  await engine.applied(wanted);
  await console.store(PATH, { rules: [rule("two"), rule("one")] });
  expect(await engine.isConverged(wanted)).toBe(false);
  await engine.applied(wanted);
  expect(stored()).toMatchObject({ rules: [{ name: "one" }, { name: "two" }] });
});

test("refuses to write over a change since the plan, but not over one of ignored members", async () => {
  const { engine, console } = await consoleWith();
  await engine.applied(config(rule("one")));
  const changed = config(rule("one", { effect: "alert" }));
  await engine.refresh();
  const plan = await engine.plan(changed);
  await console.store(PATH, { rules: [rule("one", { previousName: "x", modified: "now" })] });
  expect(summaries(await engine.applyPlan(changed, plan))).toEqual([]);
  await engine.refresh();
  const stale = await engine.plan(config(rule("one")));
  await console.store(PATH, { rules: [rule("one"), rule("theirs")] });
  expect(summaries(await engine.applyPlan(config(rule("one")), stale))).toEqual([
    "The console's admission policies changed since the plan was made",
  ]);
});

test("imports the first entries", async () => {
  const { engine } = await consoleWith(rule("a"), rule("b"), rule("c"));
  expect(await engine.import("admission_policy:prefix:2")).toEqual([]);
  expect(engine.state).toMatchObject({ ownership: "prefix", entries: [rule("a"), rule("b")] });
});

describe("a path that the catalogue does not have", () => {
  const described = { path: "settings/x", member: "list", key: ["id"], unlisted: true };

  test("is managed as the configuration describes it", async () => {
    const { console, connection } = await ready({ any: () => undefined });
    await console.store("settings/x", { list: [{ id: 1, a: null, b: 2 }], other: true });
    const engine = new Engine(connection, TYPE);
    const wanted = { ...described, entries: [{ id: 1, b: 3 }] };
    const [refused] = await engine.apply(wanted);
    expect(refused?.detail).toContain(JSON.stringify(described.path));
    const row = { path: "settings/x", member: "list", key: ["id"] };
    expect(await engine.import(JSON.stringify(row))).toEqual([]);
    expect(engine.state).toMatchObject({ ...described, entries: [{ id: 1, b: 2 }] });
    await engine.applied(wanted);
    expect(console.document("settings/x")).toEqual({
      list: [{ id: 1, a: null, b: 3 }],
      other: true,
    });
    expect(await engine.isConverged(wanted)).toBe(true);
    await engine.applied(null);
    expect(console.document("settings/x")).toMatchObject({ list: [{ id: 1, b: 2 }], other: true });
  });

  test("takes the bare list too", async () => {
    const { console, connection } = await ready({ any: () => undefined });
    await console.store("settings/x", [{ id: 1 }]);
    const engine = new Engine(connection, TYPE);
    await engine.applied({ ...described, on_destroy: "keep", entries: [{ id: 1 }] });
    expect(console.document("settings/x")).toEqual([{ id: 1 }]);
  });

  test.each([
    ["another member", { rules: [] }],
    ["an entry without the key", { list: [{ name: "x" }] }],
  ])("is an error with the shape of the answer: %s", async (_, document) => {
    const { console, connection } = await ready({ any: () => undefined });
    await console.store("settings/x", document);
    const engine = new Engine(connection, TYPE);
    const found = await engine.apply({ ...described, on_destroy: "keep", entries: [{ id: 1 }] });
    expect(summaries(found)).toEqual(["Unexpected response from the console"]);
    expect(found[0]?.detail).toContain("The answer is ");
  });
});

describe("secrets", () => {
  // The catalogue has no list with secrets, so they are those of a path.
  const described = { path: "settings/x", unlisted: true };
  const withSecret = (version: number, ...names: readonly string[]) => ({
    ...described,
    entries: names.map((name) => ({ name })),
    write_only: names.map((name) => ({ name, secret: { plain: `canary-${name}` } })),
    write_only_version: version,
  });

  test("are written with the entry, and again when the version changes", async () => {
    const { console, connection, sent } = await ready({ any: () => undefined });
    const engine = new Engine(connection, TYPE);
    await engine.applied(withSecret(1, "a"));
    expect(console.document("settings/x")).toEqual([{ name: "a", secret: { plain: "canary-a" } }]);
    await console.store("settings/x", [{ name: "a", secret: { encrypted: "e" } }]);
    const before = sent.length;
    await engine.applied(withSecret(1, "a", "b"));
    const bodies = sent.slice(before).map(({ body = "" }) => body);
    expect(bodies.join()).not.toContain("canary-a");
    expect(console.document("settings/x")).toEqual([
      { name: "a", secret: { encrypted: "e" } },
      { name: "b", secret: { plain: "canary-b" } },
    ]);
    expect(await engine.isConverged(withSecret(1, "a", "b"))).toBe(true);
    await engine.applied(withSecret(2, "a", "b"));
    expect(console.document("settings/x")).toMatchObject([{ secret: { plain: "canary-a" } }, {}]);
    expect(JSON.stringify([engine.seen, engine.stored])).not.toContain("canary");
  });
});

test.each([
  ["cwp_list", { entries: [{ name: "a" }], write_only: [{ name: "a", pass: "canary-of-a" }] }],
  ["cwp_setting", { body: { name: "a" }, write_only: { pass: "canary-of-a" } }],
  ["cwp_object", { body: { name: "a" }, write_only: { pass: "canary-of-a" } }],
])("%s: no message repeats a secret that a console sends back", async (type, secret) => {
  const { console } = await ready({ any: () => undefined });
  const echo: Transport = (request) => {
    if (request.method === "GET" || request.path.includes("authenticate")) {
      return transportTo(console)(request);
    }
    const err = `refused: ${String(request.body)}`;
    return Promise.resolve({ status: 400, headers: {}, body: bytes(JSON.stringify({ err })) });
  };
  const engine = new Engine(connectTo(echo, console.release), type);
  const found = await engine.apply({ path: "settings/x", unlisted: true, ...secret });
  expect(found.map(({ detail }) => String(detail)).join()).toContain("refused:");
  expect(JSON.stringify([found, engine.seen])).not.toContain("canary-of-a");
});

test("keeps the type of the entries in a plan and in a read", async () => {
  const { engine, console } = await consoleWith();
  const entries = [rule("one")];
  const element = { kind: "map", element: { kind: "string" } } as const;
  const typed = withDynamicType(entries, { kind: "list", element });
  const wanted: ObjectValue = { kind: "admission_policy", entries: typed };
  await engine.applied(wanted);
  const { planned } = await engine.plan(config(rule("one")));
  expect(planned?.entries).toBe(engine.state?.entries);
  await console.store(PATH, { rules: [rule("one", { theirs: 1 })] });
  await engine.refresh();
  expect(engine.state?.entries).toEqual(entries);
});

test("defers the checks of unknown entries", async () => {
  const { engine } = await consoleWith({ name: "theirs" });
  const { diagnostics, planned } = await engine.plan({
    kind: "admission_policy",
    entries: UNKNOWN,
  });
  expect(diagnostics).toEqual([]);
  expect(planned?.entries).toBe(UNKNOWN);
});
