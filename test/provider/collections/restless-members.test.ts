import type { ObjectValue } from "../../../src/core/values";
import type { JsonObject } from "../../second-console/options";
import { Engine, summaries } from "../support/engine";
import { closeSecondConsoles, connectToSecond } from "../support/second-console";

/* A console changes members of what it answers by itself, each time it is read. */

afterEach(closeSecondConsoles);

const POLICIES = "policies/compliance/container";

/** A console that counts the reads of a document and of each rule. */
function restless() {
  let count = 0;
  const counted = (one: JsonObject): JsonObject => ({ ...one, reads: (count += 1) });
  return connectToSecond({
    content: { documents: { "settings/logging": { enabled: false, token: "" } } },
    intercept: ({ method, path }, { documents, policies }) => {
      if (method !== "GET") return undefined;
      if (path === "settings/logging") documents[path] = counted(documents[path] ?? {});
      const rules = policies[path]?.rules as readonly JsonObject[] | undefined;
      if (rules) policies[path] = { ...policies[path], rules: rules.map(counted) };
      return undefined;
    },
  });
}

const setting = (enabled: boolean, more: ObjectValue = {}): ObjectValue => ({
  path: "settings/logging",
  unlisted: true,
  body: { enabled },
  ...more,
});
const set = (...names: readonly string[]): ObjectValue => ({
  policies: names.map((name) => ({ name, checks: { "41": true } })),
});

test.each<[string, ObjectValue, ObjectValue, string]>([
  ["cwp_setting", setting(true), setting(false), 'Add them to "ignore"'],
  ["cwp_compliance_policy_set", set("a"), set("a", "b"), "they cannot be managed"],
])("%s names the members that make every plan stale", async (type, first, second, wayOut) => {
  const { served, connection } = await restless();
  const engine = await new Engine(connection, type).applied(first);
  expect(await engine.isConverged(first)).toBe(true);
  const before = served.writes().length;
  const [failure, ...others] = await engine.apply(second);
  expect([others, served.writes().length]).toEqual([[], before]);
  expect(failure?.summary).toMatch(/changed since the plan was made$/);
  expect(failure?.detail).toContain(`each time it is read: reads. `);
  expect(failure?.detail).toContain(wayOut);
  expect(failure?.detail).not.toContain("Create a new plan");
});

test("ignored members make no plan stale", async () => {
  const { connection } = await restless();
  const ignored = { ignore: ["reads"] };
  const engine = await new Engine(connection, "cwp_setting").applied(setting(true, ignored));
  await engine.applied(setting(false, ignored));
  expect(await engine.isConverged(setting(false, ignored))).toBe(true);
});

test("what somebody changed once is named as before", async () => {
  const { served, connection } = await connectToSecond();
  const engine = await new Engine(connection, "cwp_compliance_policy_set").applied(set("a"));
  const plan = await engine.plan(set("a", "b"));
  const rules = served.content().policies[POLICIES]?.rules as JsonObject[];
  rules[0] = { ...rules[0], notes: "theirs" };
  const failures = await engine.applyPlan(set("a", "b"), plan);
  expect(summaries(failures)).toEqual([
    "The console's compliance policies changed since the plan was made",
  ]);
  expect(failures[0]?.detail).toContain("Create a new plan");
});

test("members that the console drops from a write are named", async () => {
  const { connection } = await connectToSecond({
    intercept: ({ method, path, body }, { lists }) => {
      if (method !== "POST" || path !== "groups") return undefined;
      const { groupName, user } = JSON.parse(body) as JsonObject;
      lists.groups = [...(lists.groups ?? []), { groupName: groupName ?? "", user: user ?? [] }];
      return { status: 200 };
    },
  });
  const engine = new Engine(connection, "cwp_object");
  const body = { groupName: "n", note: "ours", user: [{ username: "a" }] };
  const [failure] = await engine.apply({ kind: "group", body });
  expect(failure?.summary).toMatch(/^Console changed the groups of users/);
  expect(failure?.detail).toContain("what is read afterwards differs at body.note: it changed");
});
