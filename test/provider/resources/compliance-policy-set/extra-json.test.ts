import type { ObjectValue } from "../../../../src/core/values";
import { ready } from "../../support/consoles";
import { Engine } from "../../support/engine";

const TYPE = "cwp_compliance_policy_set";
const policy = (name: string, extra: string | null = null): ObjectValue => ({
  name,
  checks: { 41: true },
  extra_json: extra,
});
const set = (...policies: ObjectValue[]): ObjectValue => ({ ownership: "prefix", policies });

test("sets the members of a new policy that have no attribute", async () => {
  const { console, connection } = await ready();
  const engine = new Engine(connection, TYPE);
  const config = set(policy("a", '{ "notes": "asked for by audit", "blockMsg": "See the wiki" }'));
  await engine.applied(config);
  expect(console.policies()[0]).toMatchObject({
    name: "a",
    notes: "asked for by audit",
    blockMsg: "See the wiki",
  });
  expect(await engine.isConverged(config)).toBe(true);
});

test("shows and reverts drift of its members only", async () => {
  const { console, connection } = await ready();
  const config = set(policy("a", '{"notes":"ours"}'));
  const engine = await new Engine(connection, TYPE).applied(config);
  const [first, ...others] = console.policies();
  await console.load({ policies: [{ ...first, blockMsg: "theirs" }, ...others] });
  await engine.refresh();
  expect(await engine.isConverged(config)).toBe(true);
  await console.load({ policies: [{ ...first, notes: "x", blockMsg: "theirs" }, ...others] });
  await engine.refresh();
  expect(engine.state).toMatchObject({ policies: [{ extra_json: '{"notes":"x"}' }] });
  await engine.applied(config);
  expect(console.policies()[0]).toMatchObject({ notes: "ours", blockMsg: "theirs" });
});

test("keeps members that it no longer names", async () => {
  const { console, connection } = await ready();
  const engine = await new Engine(connection, TYPE).applied(set(policy("a", '{"notes":"ours"}')));
  await engine.applied(set(policy("a")));
  expect(console.policies()[0]).toMatchObject({ notes: "ours" });
  expect(await engine.isConverged(set(policy("a")))).toBe(true);
});

test("does not change the digest of sets that do not use it", async () => {
  const { connection } = await ready();
  const digest = async (...policies: ObjectValue[]) => {
    const engine = await new Engine(connection, TYPE).applied(set(...policies));
    const found = engine.state?.content_sha256;
    await engine.applied(null);
    return found;
  };
  // Version 0.2.0 computed the same.
  expect(await digest(policy("a"))).toBe(
    "f0ef90bd054a4a9727bf632965e6bec7b3a6d91f6779a661ae8d4f67f070dbef",
  );
  expect(await digest(policy("a", '{"notes":"x"}'))).not.toBe(await digest(policy("a")));
});

test.each([
  ["[]", "not a JSON object"],
  ['{"name":"x"}', '"name" has its own attribute'],
  ['{"resources":{}}', '"resources" has its own attribute'],
  ['{"condition":{}}', '"condition" has its own attribute'],
  ['{"owner":"me"}', 'The console sets the member "owner" itself'],
  ['{"modified":"now"}', 'The console sets the member "modified" itself'],
  ['{"credential":{}}', '"credential" would keep a secret in the state'],
])("refuses %s", async (text, expected) => {
  const { connection } = await ready();
  const found = new Engine(connection, TYPE).validate(set(policy("a", text)));
  expect(found.map(({ path }) => path)).toEqual([["policies", 0, "extra_json"]]);
  expect(found[0]?.detail).toContain(expected);
});

test("is imported on request, with the members that someone set, but not obsolete ones", async () => {
  const { console, connection } = await ready();
  await console.load({
    policies: [
      { name: "a", effect: "alert", graceDays: 3, owner: "jo", notes: "e\u0301", collections: [] },
      { name: "b", credential: { secret: "x" }, collections: [{ name: "All" }] },
    ],
  });
  const engine = new Engine(connection, TYPE);
  expect(await engine.import("container")).toEqual([]);
  expect(engine.state).toMatchObject({ policies: [{ extra_json: null }, { extra_json: null }] });
  expect(await engine.import("container:extra_json")).toEqual([]);
  expect(engine.state).toMatchObject({
    policies: [
      // Terraform would compose the two characters to one.
      { name: "a", extra_json: '{"notes":"e\\u0301"}' },
      // Collections have an attribute.
      { name: "b", extra_json: null },
    ],
  });
});
