import { RELEASES } from "../../../src/api/release";
import type { ObjectValue } from "../../../src/core/values";
import { ready } from "../support/consoles";
import { Engine, summaries } from "../support/engine";

const TYPE = "cwp_serverless_auto_deploy";
const spec = (name: string, more: ObjectValue = {}): ObjectValue => ({
  name,
  credential_id: "c",
  ...more,
});

test.each(RELEASES)("uses the path of release %s", async (release) => {
  const { console, connection, writes } = await ready({ release });
  const config = { specs: [spec("one", { provider: "aws", runtimes: ["python", "nodejs"] })] };
  const engine = await new Engine(connection, TYPE).applied(config);
  expect(console.collection("serverlessAutoDeploy")).toEqual([
    { name: "one", credentialID: "c", provider: "aws", runtimes: ["nodejs", "python"] },
  ]);
  expect(writes()).toEqual([
    release === "20.04"
      ? "POST /api/v1/settings/serverless-auto-protect"
      : "POST /api/v1/settings/serverless-auto-deploy",
  ]);
  expect(await engine.isConverged(config)).toBe(true);
});

describe("extra_json", () => {
  const config = (extra: string | null, more: ObjectValue = {}) => ({
    specs: [spec("one", { extra_json: extra, ...more })],
  });

  test("sets members without an attribute, with the spelling of numbers", async () => {
    const { console, connection, sent } = await ready();
    const engine = new Engine(connection, TYPE);
    await engine.applied(
      config('{ "memory": 1.0, "id": 9007199254740993, "deep": {"a": [null]} }'),
    );
    const write = sent.find(
      ({ method, path }) => method === "POST" && path.endsWith("auto-deploy"),
    );
    expect(write?.body).toContain('"memory":1.0,"id":9007199254740993,"deep":{"a":[null]}');
    expect(console.collection("serverlessAutoDeploy")).toHaveLength(1);
  });

  test("is compared as JSON", async () => {
    const { console, connection } = await ready();
    const engine = await new Engine(connection, TYPE).applied(
      config('{"b":{"y":1,"x":2},"a":[1]}'),
    );
    expect(await engine.isConverged(config(' {"a" : [1], "b":{"x":2, "y":1}}'))).toBe(true);
    expect(await engine.isConverged(config('{"a":[1],"b":{"x":2,"y":1.0}}'))).toBe(false);
    await console.load({
      serverlessAutoDeploy: [{ a: [1], b: { x: 2, y: 1 }, name: "one", credentialID: "c" }],
    });
    expect(await engine.isConverged(config('{"b":{"y":1,"x":2},"a":[1]}'))).toBe(true);
  });

  test("shows and reverts drift of its members only", async () => {
    const { console, connection } = await ready();
    const wanted = config('{"a":1,"b":2}');
    const engine = await new Engine(connection, TYPE).applied(wanted);
    const load = (more: ObjectValue) =>
      console.load({ serverlessAutoDeploy: [{ name: "one", credentialID: "c", ...more }] });
    await load({ a: 1, b: 2, theirs: true });
    expect(await engine.isConverged(wanted)).toBe(true);
    await load({ a: 5, theirs: true });
    await engine.refresh();
    expect(engine.state).toMatchObject({ specs: [{ extra_json: '{"a":5}' }] });
    await engine.applied(wanted);
    expect(console.collection("serverlessAutoDeploy")).toMatchObject([
      { a: 1, b: 2, theirs: true },
    ]);
    expect(await engine.isConverged(wanted)).toBe(true);
  });

  test("keeps members that it no longer names", async () => {
    const { console, connection } = await ready();
    const engine = await new Engine(connection, TYPE).applied(config('{"a":1}'));
    await engine.applied(config(null));
    expect(console.collection("serverlessAutoDeploy")).toMatchObject([{ a: 1 }]);
    expect(await engine.isConverged(config(null))).toBe(true);
  });

  test.each([
    ["", "not a JSON object"],
    ["[]", "not a JSON object"],
    ["null", "not a JSON object"],
    ["1", "not a JSON object"],
    ["{", "not a JSON object"],
    ['{"name":"x"}', '"name" has its own attribute'],
    ['{"credentialID":"x"}', '"credentialID" has its own attribute'],
    ['{"credentialId":"x"}', '"credentialId" has its own attribute'],
    ['{"provider":"x"}', '"provider" has its own attribute'],
    ['{"runtimes":[]}', '"runtimes" has its own attribute'],
    ['{"credential":{}}', '"credential" would keep a secret in the state'],
  ])("refuses %s", async (text, expected) => {
    const { connection } = await ready();
    const found = new Engine(connection, TYPE).validate(config(text));
    expect(found.map(({ path }) => path)).toEqual([["specs", 0, "extra_json"]]);
    expect(found[0]?.detail).toContain(expected);
  });

  test("accepts members with names of Object.prototype", async () => {
    const { connection } = await ready();
    const wanted = config('{"constructor":1,"toString":"x"}');
    const engine = await new Engine(connection, TYPE).applied(wanted);
    expect(await engine.isConverged(wanted)).toBe(true);
  });
});

test("refuses unmanaged specs, naming each", async () => {
  const { console, connection, writes } = await ready();
  await console.edit({
    serverlessAutoDeploy: [{ name: "theirs" }, { name: "one", credentialID: "x" }],
  });
  const { diagnostics } = await new Engine(connection, TYPE).plan({ specs: [spec("one")] });
  expect(diagnostics[0]?.detail).toContain('"theirs" would be removed');
  expect(diagnostics[0]?.detail).toContain('"one" would be overwritten');
  // There is no ownership that would help.
  expect(diagnostics[0]?.detail).not.toContain("ownership");
  expect(writes()).toEqual([]);
});

test("ignores the console's order; a lost state converges", async () => {
  const { console, connection, writes } = await ready();
  const config = { specs: [spec("one"), spec("two", { runtimes: [] })], on_destroy: "keep" };
  await new Engine(connection, TYPE).applied(config);
  await console.load({
    serverlessAutoDeploy: [...console.collection("serverlessAutoDeploy")].reverse(),
  });
  const engine = await new Engine(connection, TYPE).applied(config);
  expect(await engine.isConverged(config)).toBe(true);
  expect(writes()).toHaveLength(1);
});

test("restores the found specs, including unknown members", async () => {
  const { console, connection } = await ready();
  const before = [{ name: "one", x: { y: [1] }, credentialId: "c" }];
  await console.load({ serverlessAutoDeploy: before });
  const engine = new Engine(connection, TYPE);
  await engine.applied({ specs: [spec("one"), spec("two")] });
  await engine.applied({ specs: [spec("one", { provider: "aws" }), spec("two")] });
  await engine.applied(null);
  expect(console.collection("serverlessAutoDeploy")).toEqual(before);
});

test("refuses duplicate names", async () => {
  const { connection } = await ready();
  const found = new Engine(connection, TYPE).validate({ specs: [spec("one"), spec("one")] });
  expect(summaries(found)).toEqual(["Duplicate name"]);
  expect(found[0]?.path).toEqual(["specs", 1, "name"]);
});
