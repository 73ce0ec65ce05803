import { RELEASES } from "../../../src/api/release";
import { ready } from "../support/consoles";
import { Engine } from "../support/engine";
import { answering, stateOf, textIn } from "./read";

test.each(RELEASES)("release %s: reads the compliance policies", async (release) => {
  const { console, connection } = await ready({ release });
  await new Engine(connection, "cwp_compliance_policy_set").applied({
    ownership: "prefix",
    policies: [
      { name: "Mine", disabled: true, resources: { hosts: ["b", "a"] }, checks: { 41: true } },
    ],
  });
  const state = await stateOf(connection, "cwp_compliance_policies");
  expect(state.policies).toMatchObject([
    {
      name: "Mine",
      disabled: true,
      verbose: false,
      resources: { hosts: ["a", "b"], images: ["*"], account_ids: ["*"] },
      checks: { 41: true },
      owner: "admin",
      modified: expect.stringMatching(/^\d{4}-/) as string,
    },
    { name: "Default - ignore own components", owner: "system", checks: { 56: false, 57: false } },
    { name: "Default - alert on critical and high", owner: "system" },
  ]);
  expect(JSON.parse(textIn(state.policies_json))).toEqual(console.policies());
});

test("has every member in JSON, with the spelling of numbers", async () => {
  const connection = answering({
    "/api/v1/policies/compliance/container":
      '{"rules":[{"name":"a","notes":{"z":1,"y":1.0},"graceDays":9007199254740993}],"x":1}',
  });
  expect((await stateOf(connection, "cwp_compliance_policies")).policies_json).toBe(
    '[{"graceDays":9007199254740993,"name":"a","notes":{"y":1.0,"z":1}}]',
  );
});

test.each(RELEASES)(
  "release %s: reads runtime policies and custom rules as JSON",
  async (release) => {
    const { connection } = await ready({ release });
    const runtime = await stateOf(connection, "cwp_runtime_policies");
    expect(runtime).toEqual({ raw_json: '{"learningDisabled":false,"rules":[]}' });
    const { raw_json: rules } = await stateOf(connection, "cwp_custom_rules");
    expect(JSON.parse(textIn(rules))).toContainEqual(
      expect.objectContaining({ name: "Write below /etc", type: "filesystem" }),
    );
  },
);

test.each(["cwp_compliance_policies", "cwp_custom_rules"])(
  "%s: sorts members by name",
  async (type) => {
    const path = {
      cwp_compliance_policies: "/api/v1/policies/compliance/container",
      cwp_custom_rules: "/api/v1/policies/runtime/custom-rules",
    }[type]!;
    const one = await stateOf(answering({ [path]: '[{"name":"a","b":1}]' }), type);
    const other = await stateOf(answering({ [path]: '[{"b":1,"name":"a"}]' }), type);
    expect(one).toEqual(other);
  },
);
