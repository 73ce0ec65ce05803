import { Engine, errorsOf, summaries } from "../support/engine";
import { closeSecondConsoles, connectToSecond } from "../support/second-console";

afterEach(closeSecondConsoles);

const TYPE = "cwp_object";
const group = (groupName: string) => ({ kind: "group", body: { groupName } });

test.each(["pay/eu", "..", ".", "a\nb"])("refuses to create an object named %j", async (name) => {
  const { served, connection } = await connectToSecond();
  const failures = errorsOf(await new Engine(connection, TYPE).apply(group(name)));
  expect(failures).toMatchObject([
    { summary: "Name that a path cannot carry", path: ["body", "groupName"] },
  ]);
  expect(served.writes()).toEqual([]);
});

test.each(["DOMAIN\\name", "50% off?", "é #1", "..."])("creates and deletes %j", async (name) => {
  const { served, connection } = await connectToSecond();
  const engine = await new Engine(connection, TYPE).applied(group(name));
  await engine.applied(null);
  expect(served.content().lists.groups).toEqual([]);
});

test("deletes an existing object by its encoded segment", async () => {
  const content = { lists: { groups: [{ groupName: "pay/eu" }, { groupName: ".." }] } };
  const { served, connection } = await connectToSecond({ content });
  for (const name of ["pay/eu", ".."]) {
    const engine = new Engine(connection, TYPE);
    await engine.import(`group:${name}`);
    await engine.applied(null);
  }
  expect(served.writes()).toEqual(["DELETE groups/pay%2Feu", "DELETE groups/%2E%2E"]);
  expect(served.content().lists.groups).toEqual([]);
});

test("keeps an object in the state that a 404 to its DELETE leaves on the console", async () => {
  const content = { lists: { groups: [{ groupName: "pay/eu" }] } };
  const { served, connection } = await connectToSecond({ content, decodesSlashes: true });
  const engine = new Engine(connection, TYPE);
  await engine.import("group:pay/eu");
  const [failure] = errorsOf(await engine.apply(null));
  expect(failure?.summary).toBe("Console still has the object");
  expect(failure?.detail).toContain("state rm");
  expect(engine.state?.id).toBe("pay/eu");
  expect(served.content().lists.groups).toHaveLength(1);
});

test("takes a 404 to a DELETE for done with a warning, where the list cannot be read", async () => {
  let isGone = false;
  const { connection } = await connectToSecond({
    content: { lists: { groups: [{ groupName: "a" }] } },
    intercept: ({ method }) => {
      if (method === "DELETE") isGone = true;
      return isGone ? { status: 404, json: { err: "not found" } } : undefined;
    },
  });
  const engine = new Engine(connection, TYPE);
  await engine.import("group:a");
  const diagnostics = await engine.apply(null);
  expect(summaries(diagnostics)).toEqual(["Deletion is not verified"]);
  expect(errorsOf(diagnostics)).toEqual([]);
  expect(engine.state).toBeUndefined();
});

test.each([
  [403, 200],
  [405, 404],
])("deletes by the ID of the state where the list is refused with %d", async (refusal, status) => {
  let isRefused = false;
  const { served, connection } = await connectToSecond({
    content: { lists: { groups: [{ groupName: "a" }] } },
    intercept: ({ method, path }) => {
      if (!isRefused || !path.startsWith("groups")) return undefined;
      return { status: method === "GET" ? refusal : status, json: {} };
    },
  });
  const engine = new Engine(connection, TYPE);
  await engine.import("group:a");
  isRefused = true;
  const diagnostics = await engine.applyPlan(null, await engine.plan(null));
  expect(summaries(diagnostics)).toEqual(["Deletion is not verified"]);
  expect(errorsOf(diagnostics)).toEqual([]);
  expect(engine.state).toBeUndefined();
  expect(served.writes()).toEqual(["DELETE groups/a"]);
});

const POLICIES = "policies/compliance/container";

test.each([
  ["cwp_compliance_policy_set", "container", POLICIES, "$[1].name"],
  ["cwp_setting", '{"path": "settings/x", "unlisted": true}', "settings/x", "$.rules[1].name"],
  ["cwp_object", "group:a", "groups", "$[1].name"],
])("never writes back what is not UTF-8: %s", async (type, id, path, place) => {
  const rules = '[{"name": "a", "groupName": "a"}, {"name": "caf\xe9", "groupName": "b"}]';
  const body = type === "cwp_setting" ? `{"rules": ${rules}}` : rules;
  const { served, connection } = await connectToSecond({ latin1: { [path]: body } });
  const [failure] = errorsOf(await new Engine(connection, type).import(id));
  expect(failure?.detail).toContain(`text that is not UTF-8, first at ${place} ("caf\ufffd")`);
  expect(served.writes()).toEqual([]);
});

test.each<[string, string, (name: string) => string]>([
  ["another case", "Payments", (name) => name.toLowerCase()],
  ["composed letters", "e\u0301quipe", (name) => name.normalize()],
  ["no blanks", " pay ", (name) => name.trim()],
  [
    "signs for blanks",
    "Équipe pay",
    (name) => name.toLowerCase().replace("é", "e").replace(" ", "-"),
  ],
  ["a part", "a-name-of-many-letters", (name) => name.slice(0, 12)],
])("deletes an object that the console stores as %s", async (_, name, stored) => {
  const { served, connection } = await connectToSecond({
    content: { lists: { groups: [{ groupName: "pay-other" }, { groupName: "theirs" }] } },
    intercept: ({ method }, { lists }) => {
      // The create does it: no answer shows the name that was sent.
      for (const one of method === "POST" ? [] : (lists.groups ?? [])) {
        const { groupName } = one;
        if (typeof groupName === "string") Object.assign(one, { groupName: stored(groupName) });
      }
      return undefined;
    },
  });
  const engine = new Engine(connection, TYPE);
  const [failure] = errorsOf(await engine.apply(group(name)));
  expect(failure?.summary).toBe("Console gave the object another name");
  expect(failure?.detail).toContain(
    `stored ${JSON.stringify(name)} as ${JSON.stringify(stored(name))}`,
  );
  expect(engine.state?.id).toBe(stored(name));
  await engine.applied(null);
  expect(served.content().lists.groups).toHaveLength(2);
});
