import { catalogue } from "../../../src/api/catalogue/catalogue";
import { LosslessNumber, stringifyJson } from "../../../src/core/json/lossless-json";
import { UNKNOWN, type ObjectValue } from "../../../src/core/values";
import { ready } from "../support/consoles";
import { complete, Engine, errorsOf, provider, summaries } from "../support/engine";

const TYPE = "cwp_object";
const collection = (name: string, more: ObjectValue = {}): ObjectValue => ({
  kind: "collection",
  body: { name, images: ["pay/*"], ...more },
});

async function consoleWith(path: string, ...items: readonly object[]) {
  const simulated = await ready({ any: () => undefined });
  if (items.length > 0) await simulated.console.store(path, items);
  const stored = () => simulated.console.document(path);
  return { ...simulated, stored, engine: new Engine(simulated.connection, TYPE) };
}

const objects = [...catalogue()].filter(([, { form }]) => form === "object");

test.each(objects)("%s is created, changed by its key, and deleted", async (kind, row) => {
  const key = "key" in row ? row.key : [];
  const names = Object.fromEntries(["name", "_id", ...key].map((name) => [name, "theirs"]));
  const theirs = { ...names, extra: 1 };
  const { engine, stored } = await consoleWith(row.path, theirs);
  const body = row.sample.body as ObjectValue;
  await engine.applied({ kind, body });
  expect(stored()).toContainEqual(expect.objectContaining(body));
  expect(stored()).toHaveLength(2);
  expect(await engine.isConverged({ kind, body })).toBe(true);
  const changed = { kind, body: { ...body, description: "changed" } };
  await engine.applied(changed);
  expect(stored()).toHaveLength(2);
  expect(stored()).toContainEqual(expect.objectContaining(changed.body));
  expect(await engine.isConverged(changed)).toBe(true);
  await engine.applied(null);
  expect(stored()).toEqual([theirs]);
});

test("takes the ID that the console gives", async () => {
  const { engine, writes } = await consoleWith("custom-compliance");
  const body = { name: "no-debug", title: "t", severity: "high", script: "exit 0" };
  await engine.applied({ kind: "custom_compliance", body });
  expect(engine.state?.id).toBe("9001");
  await engine.applied({ kind: "custom_compliance", body: { ...body, severity: "low" } });
  await engine.applied(null);
  expect(writes()).toEqual([
    "PUT /api/v1/custom-compliance",
    "PUT /api/v1/custom-compliance",
    "DELETE /api/v1/custom-compliance/9001",
  ]);
});

test("adopts an equal object, and refuses another one with the import ID", async () => {
  const found = { name: "payments", images: ["pay/*"], color: "red" };
  const { engine, stored, writes, connection } = await consoleWith("collections", found);
  const refused = await new Engine(connection, TYPE).apply(
    collection("payments", { color: "blue" }),
  );
  expect(summaries(refused)).toEqual(["Object already exists"]);
  expect(JSON.stringify(refused[0]?.detail)).toContain("collection:payments");
  await engine.applied(collection("payments"));
  expect(writes()).toEqual([]);
  expect(stored()).toEqual([found]);
});

test("finds an object whose create was not answered", async () => {
  const { engine, stored, fault } = await consoleWith("collections");
  fault("POST /api/v1/collections:reset-after:1");
  await engine.applied(collection("payments"));
  expect(stored()).toHaveLength(1);
  expect(await engine.isConverged(collection("payments"))).toBe(true);
});

test("is imported by its ID, and planned again when it is gone", async () => {
  const found = { name: "payments", images: ["pay/*"], color: "red" };
  const { engine, console } = await consoleWith("collections", found);
  expect(await engine.import("collection:payments")).toEqual([]);
  expect(engine.state?.body).toEqual(found);
  expect(await engine.isConverged(collection("payments"))).toBe(true);
  await console.store("collections", []);
  await engine.refresh();
  expect(engine.state).toBeUndefined();
  expect(summaries(await engine.import("collection:payments"))).toEqual([
    "Cannot import a non-existent object",
  ]);
  expect(summaries(await engine.import("collection"))).toEqual(["Invalid import ID"]);
});

test("is the same object by its kind and by its path", async () => {
  const { engine, writes } = await consoleWith("collections", { name: "payments", color: "red" });
  const body = { name: "payments", color: "red" };
  const byPath = { path: "collections", body };
  expect(await engine.import("collection:payments")).toEqual([]);
  for (const config of [byPath, { kind: "collection", body }]) {
    expect((await engine.plan(config)).requiresReplace).toEqual([]);
    await engine.applied(config);
    expect(await engine.isConverged(config)).toBe(true);
  }
  const elsewhere = { path: "settings/x", unlisted: true, body };
  const { requiresReplace } = await engine.plan(elsewhere);
  expect(requiresReplace).toEqual([["kind"], ["path"]]);
  expect((await engine.plan({ ...byPath, path: UNKNOWN })).requiresReplace).not.toEqual([]);
  expect(writes()).toEqual([]);
});

test("shows drift, keeps other members, and refuses what changed since the plan", async () => {
  const { engine, console, stored } = await consoleWith("collections");
  await engine.applied(collection("payments"));
  await console.store("collections", [{ name: "payments", images: ["x"], color: "red" }]);
  expect(await engine.isConverged(collection("payments"))).toBe(false);
  await engine.applied(collection("payments"));
  expect(stored()).toMatchObject([{ images: ["pay/*"], color: "red" }]);
  const wanted = collection("payments", { color: "blue" });
  const plan = await engine.plan(wanted);
  await console.store("collections", [{ name: "payments", images: ["y"], color: "red" }]);
  expect(summaries(await engine.applyPlan(wanted, plan))).toEqual([
    "The console's collections changed since the plan was made",
  ]);
});

test("creates another object for another key, and deletes the old one", async () => {
  const { engine, stored } = await consoleWith("collections");
  await engine.applied(collection("one"));
  await engine.applied(collection("two"));
  expect(stored()).toMatchObject([{ name: "two" }]);
  expect(engine.state?.id).toBe("two");
});

test("writes a password when its version changes, and stores none", async () => {
  const user = (version: number, role = "auditor"): ObjectValue => ({
    kind: "user",
    body: { username: "audit", role },
    write_only: { password: `canary-${version}` },
    write_only_version: version,
  });
  const { engine, sent } = await consoleWith("users");
  await engine.applied(user(1));
  await engine.applied(user(1, "admin"));
  await engine.applied(user(2, "admin"));
  const bodies = sent.filter(({ path }) => path.endsWith("/users")).map(({ body = "" }) => body);
  expect(bodies.filter((body) => body.includes("canary"))).toHaveLength(2);
  expect(await engine.isConverged(user(2, "admin"))).toBe(true);
  expect(JSON.stringify([engine.seen, engine.stored])).not.toContain("canary");
});

test("is found by an ID that no double holds", async () => {
  const ids = ["9007199254740993", "9007199254740994"].map((digits) => new LosslessNumber(digits));
  const items = ids.map((_id) => ({ _id, label: `of ${String(_id)}` }));
  const { engine, stored, writes } = await consoleWith("settings/x", ...items);
  const id = { path: "settings/x", key: ["label"], id_member: "_id", id: "9007199254740993" };
  expect(await engine.import(JSON.stringify(id))).toEqual([]);
  expect(engine.state?.id).toBe("9007199254740993");
  await engine.applied(null);
  expect(writes()).toEqual(["DELETE /api/v1/settings/x/9007199254740993"]);
  expect(stringifyJson(stored())).toBe(stringifyJson(items.slice(1)));
});

test("objects that are read at once share one request, writes share none", async () => {
  const items = ["a", "b", "c"].map((name) => ({ name, images: ["pay/*"] }));
  const { connection, sent } = await consoleWith("collections", ...items);
  const engines = items.map(() => new Engine(connection, TYPE));
  const reads = () =>
    sent.filter(({ method, path }) => method === "GET" && path.endsWith("/collections"));
  await Promise.all(
    engines.map((one, index) => one.import(`collection:${items[index]?.name ?? ""}`)),
  );
  expect(reads()).toHaveLength(1);
  await Promise.all(engines.map((one) => one.refresh()));
  expect(reads()).toHaveLength(2);
  await Promise.all(
    engines.map((one, index) =>
      one.applied(collection(items[index]?.name ?? "", { color: "red" })),
    ),
  );
  expect(reads().length).toBeGreaterThanOrEqual(2 + 2 * items.length);
});

test("on_destroy = keep leaves the object", async () => {
  const { engine, stored } = await consoleWith("collections");
  await engine.applied({ ...collection("payments"), on_destroy: "keep" });
  await engine.applied(null);
  expect(stored()).toHaveLength(1);
});

test("manages objects of a path that the catalogue does not have", async () => {
  const { engine, stored } = await consoleWith("settings/x", { _id: 1, label: "theirs" });
  const wanted = (value: number): ObjectValue => ({
    path: "settings/x",
    unlisted: true,
    key: ["label"],
    id_member: "_id",
    update: "replace",
    body: { _id: 2, label: "ours", value },
  });
  await engine.applied(wanted(1));
  await engine.applied(wanted(2));
  expect(stored()).toEqual([
    { _id: 1, label: "theirs" },
    { _id: 2, label: "ours", value: 2 },
  ]);
});

test.each<[string, ObjectValue, string]>([
  ["no object", { kind: "user", body: [1] }, "must be an object"],
  ["no key", { kind: "user", body: { role: "x" } }, "has no username"],
  ["a secret", { kind: "user", body: { username: "a", password: "x" } }, "password is a secret"],
  ["a path of a list", { path: "policies/admission", body: {} }, "cwp_list manages the kind"],
])("refuses %s", (_, given, problem) => {
  const { attributes = {} } = provider.resourceAttributes(TYPE) ?? {};
  const found = provider.validateResource(TYPE, complete(attributes, given));
  expect(
    errorsOf(found)
      .map(({ detail }) => String(detail))
      .join(),
  ).toContain(problem);
});

test("plans a body that is known after apply", async () => {
  const { engine } = await consoleWith("collections");
  const { planned, diagnostics } = await engine.plan({ kind: "collection", body: UNKNOWN });
  expect(diagnostics).toEqual([]);
  expect(planned).toMatchObject({ body: UNKNOWN, id: UNKNOWN });
});

test("does not import, change or delete a collection of the console itself", async () => {
  const ours = { name: "All", images: ["*"] };
  const { engine, console, stored, writes } = await consoleWith("collections", ours);
  await engine.applied({ kind: "collection", body: ours });
  await console.store("collections", [{ ...ours, system: true }]);
  await engine.refresh();
  const refusal = ["Collection of the console itself"];
  expect(summaries(await engine.apply(collection("All")))).toEqual(refusal);
  expect(summaries(await engine.apply(null))).toEqual(refusal);
  for (const id of ["collection:All", '{"path": "collections", "id": "All"}']) {
    expect(summaries(await engine.import(id))).toEqual(refusal);
  }
  expect(writes()).toEqual([]);
  expect(stored()).toEqual([{ ...ours, system: true }]);
});
