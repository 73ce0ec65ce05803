import type { ObjectValue } from "../../../src/core/values";
import { complete, Engine, errorsOf, provider, summaries } from "../support/engine";
import { closeSecondConsoles, connectToSecond } from "../support/second-console";

/* Documents of which one member is a list of the catalogue: the others are a setting. */

afterEach(closeSecondConsoles);

const RUNTIME = "policies/runtime/container";
const rules = (...names: readonly string[]): ObjectValue => ({
  kind: "container_runtime_policy",
  entries: names.map((name) => ({ name, collections: [{ name: "All" }] })),
});
const learning = (learningDisabled: boolean): ObjectValue => ({
  path: RUNTIME,
  body: { learningDisabled },
});

test("learningDisabled and the rules of a policy are managed at once", async () => {
  const { connection, served } = await connectToSecond();
  const list = new Engine(connection, "cwp_list");
  const setting = new Engine(connection, "cwp_setting");
  await Promise.all([list.applied(rules("web")), setting.applied(learning(true))]);
  expect(served.content().policies[RUNTIME]).toMatchObject({
    _id: "containerRuntime",
    learningDisabled: true,
    rules: [{ name: "web" }],
  });
  // A plan of one is not stale because the other was applied.
  const plan = await setting.plan(learning(false));
  await list.applied(rules("web", "db"));
  expect(summaries(await setting.applyPlan(learning(false), plan))).toEqual([]);
  expect(await setting.isConverged(learning(false))).toBe(true);
  expect(await list.isConverged(rules("web", "db"))).toBe(true);
  await setting.applied(learning(true));
  await setting.refresh();
  await setting.applied(null);
  expect(served.content().policies[RUNTIME]).toMatchObject({
    learningDisabled: false,
    rules: [{ name: "web" }, { name: "db" }],
  });
});

test("trusted images have groups, and a policy with rules", async () => {
  const { connection, served } = await connectToSecond();
  const groups: ObjectValue = {
    kind: "trusted_images",
    entries: [{ _id: "base", images: ["base/*"] }],
  };
  const policy: ObjectValue = {
    path: "trust/data",
    body: {
      policy: {
        enabled: true,
        rules: [{ name: "base only", allowedGroups: ["base"], collections: [{ name: "All" }] }],
      },
    },
  };
  const list = await new Engine(connection, "cwp_list").applied(groups);
  const setting = await new Engine(connection, "cwp_setting").applied(policy);
  expect(await setting.isConverged(policy)).toBe(true);
  expect(await list.isConverged(groups)).toBe(true);
  expect(served.content().documents["trust/data"]).toMatchObject({
    groups: [{ _id: "base" }],
    policy: { enabled: true, rules: [{ name: "base only" }] },
  });
  const imported = new Engine(connection, "cwp_setting");
  expect(await imported.import("trust/data")).toEqual([]);
  expect(imported.state?.body).not.toHaveProperty("groups");
  await setting.refresh();
  await setting.applied(null);
  expect(served.content().documents["trust/data"]).toMatchObject({
    groups: [{ _id: "base" }],
    policy: { enabled: false, rules: [] },
  });
});

test.each<[string, ObjectValue]>([
  ["its list", { body: { rules: [] } }],
  ["a deletion", { body: { learningDisabled: true }, on_destroy: "delete" }],
])("refuses %s, which another resource manages", (_, given) => {
  const { attributes = {} } = provider.resourceAttributes("cwp_setting") ?? {};
  const config = complete(attributes, { path: RUNTIME, ...given });
  expect(summaries(errorsOf(provider.validateResource("cwp_setting", config)))).toEqual([
    "Member of another resource",
  ]);
});
