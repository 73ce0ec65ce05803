import { decodeSharedPlan, encodeSharedPlan, type ResourceChange } from "../../../src/runtime";
import { UNKNOWN, type ObjectValue } from "../../../src/core/values";
import { cwpProvider } from "../../../src/provider/cwp-provider";
import { builtInProviders } from "../../../src/provider/built-in";
import { jsonLog } from "../../../src/core/io/log";

const PROVIDERS = builtInProviders(jsonLog("off", () => undefined));
const SET = cwpProvider.resources.find(({ type }) => type === "cwp_compliance_policy_set");

function planOf(change: Partial<ResourceChange>, drift: readonly ResourceChange[] = []) {
  const policies: ResourceChange = {
    address: "cwp_compliance_policy_set.policies",
    mode: "managed",
    type: "cwp_compliance_policy_set",
    name: "policies",
    provider: "registry.terraform.io/cdktf-console/cwp",
    action: "update",
    before: null,
    after: null,
    beforeSensitive: [],
    afterSensitive: [],
    replacePaths: [],
    attributes: SET?.attributes ?? {},
    ...change,
  };
  const before = "secret-output";
  return {
    stack: "prod",
    mode: "normal",
    complete: true,
    changes: [policies],
    drift,
    outputs: [{ name: "token", action: "update", before, after: "secret-new", sensitive: true }],
    relevantAttributes: [],
    diagnostics: [],
    endpoints: ["https://console.example.com"],
    dependencies: [],
  } as const;
}

const listed = (name: string, notes: string): ObjectValue => ({
  policies: [{ name, notes, checks: { "41": true } }],
});

test("keeps a plan without sensitive values as it is", () => {
  const found = { entries: [{ value: { name: "Other" }, isPartial: false }] };
  const after: ObjectValue = { policies: UNKNOWN };
  const change = { before: listed("First", "a"), after, found };
  const plan = { ...planOf(change), outputs: [] };
  const { diagnostics, ...expected } = plan;
  expect(diagnostics).toEqual([]);
  expect(decodeSharedPlan(encodeSharedPlan(plan), PROVIDERS)).toEqual(expected);
});

test("has no sensitive value, and shows if it changes", () => {
  const paths = [["policies", 0, "notes"]] as const;
  const change = {
    before: listed("First", "secret-before"),
    after: listed("First", "secret-after"),
    beforeSensitive: paths,
    afterSensitive: paths,
    found: { entries: [{ value: { notes: "secret-found" }, isPartial: false }] },
  };
  const text = encodeSharedPlan(planOf(change, [{ ...planOf(change).changes[0] }]));
  expect(text).not.toContain("secret-");
  const shared = decodeSharedPlan(text, PROVIDERS);
  const [policies] = shared?.changes ?? [];
  expect(policies).toMatchObject({ before: listed("First", "(sensitive value)"), isExcerpt: true });
  expect(policies?.after).toEqual({
    policies: [{ name: "First", notes: UNKNOWN, checks: { "41": true } }],
  });
  expect(policies).not.toHaveProperty("found");
  const same = encodeSharedPlan(planOf({ ...change, after: change.before }));
  expect(decodeSharedPlan(same, PROVIDERS)?.changes[0]?.after).toEqual(policies?.before);
});

test("hides values that are sensitive on one side only", () => {
  const change = {
    before: listed("First", "secret-before"),
    after: listed("First", "secret-before"),
    afterSensitive: [["policies"]],
  };
  expect(encodeSharedPlan(planOf(change))).not.toContain("secret-");
});

test("does not decode other texts", () => {
  expect(decodeSharedPlan("no JSON", PROVIDERS)).toBeUndefined();
  expect(decodeSharedPlan('{"stack":"prod"}', PROVIDERS)).toBeUndefined();
});
