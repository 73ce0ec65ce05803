import { renderPlanJson } from "../../../src/formats/json/plan-json";
import { startSimulator, type Simulator } from "../../../src/simulator";
import { consoleStack, temporaryFolder, type StackJson } from "../../cli/stack-files";
import { describeWithJq, jq } from "../../support/jq";
import { describeWithTerraform } from "../../support/terraform";
import { BothEngines } from "./both";
import { RULES } from "./rules";

const SET = "cwp_compliance_policy_set";
const policy = (name: string, given: object = {}) => ({ name, checks: { 41: true }, ...given });

describeWithTerraform("rules in jq have the same results for plans of both engines", () => {
  describeWithJq("for each kind of plan", () => {
    let simulator: Simulator;
    let both: BothEngines;

    beforeAll(async () => {
      simulator = await startSimulator();
      both = await BothEngines.open(temporaryFolder(), stack([policy("First"), policy("Second")]));
    });
    afterAll(() => simulator.close());

    function stack(policies: readonly object[], set: object = {}): StackJson {
      const { resource, variable, ...base } = consoleStack(simulator);
      const declared = (resource as Record<string, Record<string, object>>)[SET]?.policies;
      return {
        ...base,
        variable: {
          ...(variable as object),
          note: { type: "string", default: "n", sensitive: true },
        },
        resource: {
          ...(resource as object),
          [SET]: { policies: { ...declared, policies, ...set } },
          null_resource: {
            gate: {
              triggers: {
                digest: `\${${SET}.policies.content_sha256}`,
                license: "${cwp_license.license.id}",
                note: "${var.note}",
              },
            },
          },
        },
      };
    }

    /** The results of the rules, which must be the same for both engines. */
    async function answers(): Promise<Answers> {
      await both.terraform("plan -out=plan");
      const result = ask(renderPlanJson(await both.documentByUs()));
      expect(result).toEqual(ask(await both.terraform("show -json plan")));
      expect(result).toMatchObject({ version: "1.2", beforeAndAfter: true, nullWhereAbsent: true });
      return result;
    }

    test("a console that is not set up", async () => {
      expect(await answers()).toMatchObject({
        actions: { create: 4 },
        applyable: [true, true, false],
        deletesPolicySet: false,
        weakened: [],
        outputs: { policy: ["create"] },
        plannedPolicies: ["First", "Second"],
        constants: true,
        stored: [],
      });
      await both.terraform("apply plan");
    });

    test("no changes", async () => {
      expect(await answers()).toMatchObject({
        actions: { "no-op": 4 },
        applyable: [false, true, false],
        weakened: [],
      });
    });

    test("weakened and unchanged protection", async () => {
      both.write(
        stack([
          policy("Fourth"),
          policy("Second", { checks: { 41: true, 51: true } }),
          policy("First", { resources: { images: ["prod/*"] } }),
        ]),
      );
      expect(await answers()).toMatchObject({
        actions: { "delete+create": 1, "no-op": 2, update: 1 },
        deletesPolicySet: false,
        weakened: ["First"],
        replacedBecause: [
          {
            address: "null_resource.gate",
            action_reason: "replace_because_cannot_update",
            paths: [["triggers"]],
          },
        ],
        sensitive: expect.arrayContaining([
          { address: "null_resource.gate", sensitive: [["triggers", "note"]] },
        ]) as unknown,
      });
      for (const [weaker, names] of [
        [[policy("First", { disabled: true }), policy("Second")], ["First"]],
        [[policy("First", { checks: { 41: false } }), policy("Second")], ["First"]],
        [[policy("First", { checks: { 51: true } })], ["First", "Second"]],
        [[policy("Second"), policy("First")], []],
      ] as const) {
        both.write(stack(weaker));
        expect((await answers()).weakened).toEqual(names);
      }
    });

    test("a policy set that is removed or replaced", async () => {
      both.write(stack([policy("First"), policy("Second")], { ownership: "prefix" }));
      expect(await answers()).toMatchObject({
        deletesPolicySet: true,
        replacedBecause: [{ address: `${SET}.policies`, paths: [["ownership"]] }],
      });
      const { resource, ...others } = stack([]);
      const { cwp_bootstrap, cwp_license } = resource as Json;
      both.write({ ...others, resource: { cwp_bootstrap, cwp_license } });
      expect(await answers()).toMatchObject({
        actions: { delete: 2, "no-op": 2 },
        deletesPolicySet: true,
        weakened: ["First", "Second"],
      });
    });

    test("moved, forgotten and imported objects", async () => {
      const { resource, ...others } = stack([]);
      const { null_resource: gates, ...kept } = resource as Record<string, Json>;
      both.write({
        ...others,
        resource: {
          ...kept,
          [SET]: { again: { policies: [policy("First"), policy("Second")] } },
          null_resource: { moved: { ...(gates?.gate as object), triggers: {} } },
        },
        moved: [{ from: "null_resource.gate", to: "null_resource.moved" }],
        removed: [{ from: `${SET}.policies`, lifecycle: { destroy: false } }],
        import: [{ to: `${SET}.again`, id: "container" }],
      });
      expect(await answers()).toMatchObject({
        actions: { "delete+create": 1, forget: 1, "no-op": 3 },
        deletesPolicySet: false,
        movedFrom: [["null_resource.gate", "null_resource.moved"]],
        imported: [[`${SET}.again`, "container"]],
      });
    });

    test("drift", async () => {
      both.write(stack([policy("First"), policy("Second")]));
      const { console } = simulator.consoles[0];
      const [first] = console.policies();
      await console.load({ policies: [{ ...first, disabled: true }] });
      expect(await answers()).toMatchObject({
        actions: { "no-op": 3, update: 1 },
        drifted: [[`${SET}.policies`, "update"]],
        weakened: [],
      });
    });
  });
});

type Json = Record<string, unknown>;
type Answers = Readonly<Record<keyof typeof RULES, unknown>>;

/** All rules in one run: each in a member of its name. */
const ALL = `{${Object.entries(RULES)
  .map(([name, rule]) => `${name}: (${rule})`)
  .join(",")}}`;

function ask(plan: string): Answers {
  return jq(ALL, plan) as Answers;
}
