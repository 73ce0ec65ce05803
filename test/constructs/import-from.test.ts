import type { TerraformStack } from "cdktf";
import { CompliancePolicySet, ConsoleProvider } from "../../src";
import { synthStack } from "./synth";

function imported(build: (stack: TerraformStack) => void): unknown {
  const stack = synthStack((stack) => {
    new ConsoleProvider(stack, "console");
    build(stack);
  });
  return "import" in stack ? stack.import : undefined;
}

describe("importFrom", () => {
  const path = process.env.PATH;
  afterEach(() => {
    process.env.PATH = path;
  });

  test("adds an import block without running Terraform", () => {
    process.env.PATH = "";
    const block = imported((stack) => {
      const policies = new CompliancePolicySet(stack, "policies", { policies: [] });
      policies.importFrom("container:prefix:2");
      policies.node.addValidation({ validate: () => [] });
    });
    expect(block).toEqual([{ id: "container:prefix:2", to: "cwp_compliance_policy_set.policies" }]);
  });

  test("keeps other validations", () => {
    expect(() =>
      imported((stack) => {
        const policies = new CompliancePolicySet(stack, "policies", { policies: [] });
        policies.importFrom("container");
        policies.node.addValidation({ validate: () => ["refused"] });
      }),
    ).toThrow("refused");
  });
});
