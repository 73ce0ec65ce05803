import { Aspects, TerraformOutput } from "cdktf";
import { CompliancePolicySet, ConsoleProvider, License, Secret } from "../../src";
import { synthStack } from "./synth";

const policies = [{ name: "No root", checks: { 599: true } }];

test("aspects read the props that a construct was given", () => {
  const seen: unknown[] = [];
  synthStack((stack) => {
    new ConsoleProvider(stack, "console", { username: "admin", insecureSkipVerify: true });
    new CompliancePolicySet(stack, "policies", { ownership: "prefix", policies });
    new License(stack, "license", { key: Secret.fromEnv("KEY") });
    Aspects.of(stack).add({
      visit(node) {
        if (node instanceof CompliancePolicySet) {
          seen.push(node.ownershipInput, node.policiesInput, node.onDestroyInput);
        }
        if (node instanceof ConsoleProvider) {
          seen.push(node.usernameInput, node.insecureSkipVerifyInput, node.tokenInput);
        }
        if (node instanceof License) seen.push(node.keyInput instanceof Secret);
      },
    });
  });
  expect(seen).toEqual(["admin", true, undefined, "prefix", policies, undefined, true]);
});

test("attributes are tokens, for outputs and other constructs", () => {
  const synthesized = synthStack((stack) => {
    new ConsoleProvider(stack, "console");
    const set = new CompliancePolicySet(stack, "policies", { policies });
    new TerraformOutput(stack, "ownership", { value: set.ownership });
    new TerraformOutput(stack, "all", { value: set.policies });
  });
  expect(synthesized).toMatchObject({
    output: {
      ownership: { value: "${cwp_compliance_policy_set.policies.ownership}" },
      all: { value: "${cwp_compliance_policy_set.policies.policies}" },
    },
  });
});
