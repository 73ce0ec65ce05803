import { ObservedProvider } from "../../src/cli/terraform/observed-provider";
import { serveReattach } from "../../src/plugin/serve-reattach";
import { cwpProvider } from "../../src/provider/cwp-provider";
import { PLAN_PROVIDERS } from "../../src/cli/stacks/built-in-schema";
import { renderHtml } from "../../src/review/html/render-html";
import { reviewDocument } from "../../src/review/json/review-json";
import { renderMarkdown } from "../../src/review/markdown/render-markdown";
import { readPlanJson } from "../../src/formats/json/read-plan";
import { renderReviewedPlan } from "../../src/review/text/reviewed-plan";
import { createStyle } from "../../src/formats/text/style";
import type { StackPlan } from "../../src/runtime";
import type { ObjectValue } from "../../src/core/values";
import type { Simulator } from "../../src/simulator";
import { startSimulator } from "../support/habitual-simulator";
import { consoleStack, temporaryFolder, type StackJson } from "../cli/stack-files";
import { describeWithTerraform } from "../support/terraform";
import { BothEngines } from "../formats/conformance/both";
import { CHANGES, SET } from "./protection/sets";

const prefixSet = {
  ownership: "prefix",
  policies: SET.slice(0, 1),
  depends_on: ["cwp_license.license"],
};

describeWithTerraform("Terraform's JSON of a plan gives the review of the embedded engine", () => {
  let simulator: Simulator;
  let both: BothEngines;

  const stackWith = (
    policies: readonly ObjectValue[] | undefined,
    given: StackJson = {},
    others: StackJson = {},
  ): StackJson => {
    const { resource, ...stack } = consoleStack(simulator);
    const set = { policies, depends_on: ["cwp_license.license"], ...given };
    const sets = policies ? { cwp_compliance_policy_set: { policies: set } } : {};
    const { cwp_bootstrap, cwp_license } = resource as StackJson;
    return { ...stack, resource: { cwp_bootstrap, cwp_license, ...sets, ...others } };
  };

  async function planned(): Promise<{ readonly ours: StackPlan; readonly theirs: StackPlan }> {
    const { plan } = await both.documentByUs();
    // Terraform prints its warnings; its JSON has none.
    const ours = { ...plan, diagnostics: [] };
    const text = JSON.stringify((await both.planByTerraform()).json);
    const { plans, diagnostics } = readPlanJson(text, "prod", "plan.json", PLAN_PROVIDERS);
    expect(diagnostics).toEqual([]);
    return { ours, theirs: plans[0]! };
  }

  beforeAll(async () => {
    simulator = await startSimulator();
    both = await BothEngines.open(temporaryFolder(), stackWith(SET));
    await both.terraform("apply -auto-approve");
  });
  afterAll(() => simulator.close());

  // Each takes Terraform some seconds. test/cli/protection.test.ts has all of them.
  const updates = CHANGES.filter(([, after], index) => after !== undefined && index % 8 === 0);

  test.each(updates)("of an update: %s", async (_, after) => {
    both.write(stackWith(after));
    const { ours, theirs } = await planned();
    expect(reviewDocument({ plans: [theirs] })).toEqual(reviewDocument({ plans: [ours] }));
    expect(renderReviewedPlan(theirs, TEXT)).toBe(renderReviewedPlan(ours, TEXT));
    expect(renderMarkdown({ plans: [theirs] })).toBe(renderMarkdown({ plans: [ours] }));
    expect(theirs.endpoints).toEqual([simulator.consoles[0].url]);
    expect(renderHtml({ plans: [theirs] })).toContain(simulator.consoles[0].url);
  });

  test("of a destroy, but for the policies that it restores", async () => {
    both.write(stackWith(undefined));
    const { ours, theirs } = await planned();
    expect(reviewDocument({ plans: [ours] }).stacks[0]!.protection).toMatchObject([
      { complete: true },
    ]);
    expect(reviewDocument({ plans: [theirs] }).stacks[0]!.protection).toMatchObject([
      {
        complete: false,
        reasons: ["The plan does not have the policies that the destroy restores."],
      },
    ]);
  });

  describe("with what the provider read, served from this process", () => {
    let served: Awaited<ReturnType<typeof serveReattach>>;
    const provider = new ObservedProvider(cwpProvider);

    beforeAll(async () => {
      served = await serveReattach({ provider, log: () => undefined });
    });
    afterAll(() => served.close());

    test.each<[string, StackJson]>([
      ["a destroy", {}],
      ["a prefix set", { cwp_compliance_policy_set: { policies: prefixSet } }],
    ])("%s", async (_, sets) => {
      both.write(stackWith(undefined, {}, sets));
      const { plan } = await both.documentByUs();
      // Terraform prints its warnings; its JSON has none.
      const ours = { ...plan, diagnostics: [] };
      const source = "registry.terraform.io/cdktf-console/cwp";
      const reattach = JSON.stringify({ [source]: served.reattachment });
      const json = await both.planJson({ TF_REATTACH_PROVIDERS: reattach });
      const { plans } = readPlanJson(json, "prod", "plan.json", PLAN_PROVIDERS);
      const theirs = provider.complete(plans[0]!);
      expect(reviewDocument({ plans: [theirs] })).toEqual(reviewDocument({ plans: [ours] }));
      expect(reviewDocument({ plans: [theirs] }).stacks[0]!.protection).toMatchObject([
        { complete: true },
      ]);
      expect(renderReviewedPlan(theirs, TEXT)).toBe(renderReviewedPlan(ours, TEXT));
    });
  });

  test("of a prefix set, but for the unmanaged policies", async () => {
    both.write(stackWith(SET.slice(0, 1), { ownership: "prefix" }));
    const { theirs } = await planned();
    const [protection] = reviewDocument({ plans: [theirs] }).stacks[0]!.protection;
    expect(protection).toMatchObject({ complete: false });
  });
});

const TEXT = { style: createStyle(false), width: 78 };
