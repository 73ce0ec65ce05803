import type { CompliancePolicy } from "../../src/api/bodies";
import { describeWithTerraform } from "../support/terraform";
import { conforms, type Step } from "./support/conform";
import { consoleBlock, policy, specification, stackOf } from "./support/stacks";
import type { World } from "./support/world";

const SET = "cwp_compliance_policy_set.all";
const SCAN = "cwp_registry_scan.all";
const MANUAL = { name: "Manual", condition: { vulnerabilities: [{ id: 57, block: true }] } };

const names = ({ console }: World) => console.policies().map(({ name }) => name);
const adds = (arrange: (own: CompliancePolicy[], added: CompliancePolicy) => CompliancePolicy[]) =>
  ((world) =>
    world.console.edit({
      policies: arrange([...world.console.policies()] as CompliancePolicy[], MANUAL),
    })) satisfies Step["before"];

describeWithTerraform("both engines write the planned state, not the configuration", () => {
  describe.each<[string, unknown]>([
    ["the policies", ["policies"]],
    ["everything", "all"],
  ])("with ignored changes of %s", (_, ignored) => {
    const stack = (...own: string[]) =>
      stackOf({
        cwp_compliance_policy_set: {
          all: {
            policies: own.map((name) => policy(name)),
            lifecycle: { ignore_changes: ignored },
          },
        },
      });

    conforms("an added policy", [
      { does: "creates", stack: stack("A"), plans: [`${SET} create`] },
      {
        does: "keeps one behind",
        before: adds((own, added) => [...own, added]),
        plans: [`${SET} update`, `drift ${SET} update`],
        after: (world) => {
          expect(names(world)).toEqual(["A", "Manual"]);
        },
      },
      {
        does: "keeps one in front",
        before: adds((own, added) => [{ ...added, name: "Front" }, ...own]),
        plans: [`${SET} update`, `drift ${SET} update`],
        after: (world) => {
          expect(names(world)).toEqual(["Front", "A", "Manual"]);
        },
      },
      {
        does: "keeps them where the configuration changes",
        stack: stack("B", "A"),
        plans: [],
        after: (world) => {
          expect(names(world)).toEqual(["Front", "A", "Manual"]);
        },
      },
    ]);
  });

  describe("with ignored changes in a registry", () => {
    const aws = (secret: string) => ({ type: "aws", account_id: secret, secret });
    const stack = (ignored: unknown, ...repositories: string[]) =>
      stackOf(
        {
          cwp_registry_scan: {
            all: {
              specifications: repositories.map((repository) =>
                specification(repository, { credential: aws(`secret of ${repository}`) }),
              ),
              lifecycle: { ignore_changes: ignored },
            },
          },
        },
        { provider: { cwp: [consoleBlock(1, { release: "20.04" })] } },
      );
    const credentials = ({ console }: World) =>
      console
        .collection("registry")
        .filter(({ repository }) => repository !== "front")
        .map(({ repository, credential }) => ({ repository, credential }));
    let before: readonly unknown[] = [];
    const inFront: Step["before"] = (world) => {
      before = credentials(world);
      const added = { ...specification("front"), credential: { type: "aws", accountID: "x" } };
      return world.console.edit({ registry: [added, ...world.console.collection("registry")] });
    };

    conforms(
      "an added specification",
      [
        { does: "creates", stack: stack(["specifications"], "a", "b"), plans: [`${SCAN} create`] },
        {
          does: "leaves each credential at its specification",
          stack: stack(["specifications", "on_destroy"], "b", "a"),
          before: inFront,
          plans: [`drift ${SCAN} update`],
        },
        {
          does: "leaves them where something else changes",
          stack: (() => {
            const changed = stack(["specifications"], "b", "c", "a");
            const { cwp_registry_scan: scan } = changed.resource as Record<string, { all: object }>;
            return {
              ...changed,
              resource: { cwp_registry_scan: { all: { ...scan?.all, on_destroy: "keep" } } },
            };
          })(),
          plans: [`${SCAN} update`, `drift ${SCAN} update`],
          after: (world) => {
            expect(credentials(world)).toEqual(before);
          },
        },
      ],
      { release: "20.04" },
    );

    conforms(
      "a key",
      [
        { does: "creates", stack: stack([], "a"), plans: [`${SCAN} create`] },
        {
          does: "refuses another specification's credential",
          stack: stack(["specifications[0].repository"], "b"),
          plans: [`${SCAN} update`],
          errors: ["error Credential is not in the configuration"],
        },
      ],
      { release: "20.04" },
    );
  });
});
