import { lintPolicies, type Finding } from "../../protection/lint";
import type { Policy } from "../../protection/policy";
import { error, type Diagnostic } from "../../provider/diagnostics";
import { plannedSets } from "../../review/protection/planned-sets";
import { quote } from "../../review/text/quote";
import type { StackPlan } from "../../runtime";

/** Errors for policies of the planned sets that do not do what they seem to do. */
export function policyFindings(plans: readonly StackPlan[]): readonly Diagnostic[] {
  // Sets of many tenants are often the same.
  const known = new Map<string, readonly Finding[]>();
  return plans.flatMap(plannedSets).flatMap(({ list, policies, address, constructPath }) => {
    const key = JSON.stringify(policies);
    const findings = known.get(key) ?? lintPolicies(policies);
    known.set(key, findings);
    return findings.map((finding): Diagnostic => {
      const { summary, detail } = describe(finding, policies[finding.index]);
      const found = error(summary, detail, [list, finding.index]);
      return { ...found, address, ...(constructPath !== undefined && { constructPath }) };
    });
  });
}

function describe(finding: Finding, policy: Policy | undefined) {
  const name = quote(policy?.name ?? "");
  switch (finding.kind) {
    case "empty": {
      const field = finding.field.replace("_", " ");
      const detail = finding.exempts
        ? `The ${field} of ${name} exempt all that they include.`
        : `The ${field} of ${name} include nothing. Add "*" to include all.`;
      return { summary: "Policy applies to nothing", detail };
    }
    case "hidden": {
      const lost =
        finding.lost.length === 0
          ? ""
          : ` None of them has check ${finding.lost.join(", ")} of ${name}.`;
      const by = finding.by.map(quote).join(", ");
      const detail = `Policies in front of ${name} match all workloads of its scope: ${by}.${lost} The first policy that matches a workload decides alone. Move ${name} in front, or remove it.`;
      return { summary: "Policy never decides", detail };
    }
    case "redundant":
      return {
        summary: "Policy changes nothing",
        detail: `Without ${name} the same checks apply, because a later policy has them for the whole of its scope.`,
      };
    case "case":
      return {
        summary: "Patterns differ by letter case only",
        detail: `The ${finding.field.replace("_", " ")} of ${name} are matched without letter case: ${finding.patterns.map(quote).join(", ")} are the same.`,
      };
  }
}
