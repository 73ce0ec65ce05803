import { lintPolicies, type Finding } from "../../protection/lint";
import type { Policy } from "../../protection/policy";
import { entriesOf } from "../collections/contents";
import { readPolicy, UNKNOWN_NAME } from "../collections/read-policy";
import { finding, type Diagnostic } from "../../core/diagnostics";
import type { ObjectValue } from "../../core/values";
import { compliancePolicyAttributes } from "./compliance-policy";

/** Findings by the text of a set: sets of many tenants are often the same. */
const known = new Map<string, readonly Finding[]>();
const MOST_KNOWN = 1000;

/** Warns of the policies of a set that do not do what they seem to do. */
export function lintPolicySet(config: ObjectValue): readonly Diagnostic[] {
  const policies = entriesOf(config, "policies").map((entry) => {
    const { name } = entry;
    const text = typeof name === "string" ? name : UNKNOWN_NAME;
    return readPolicy(compliancePolicyAttributes, entry, text);
  });
  return lintOnce(policies).map((found) => {
    const { summary, detail } = describe(found);
    return finding(summary, detail, ["policies", found.index]);
  });
}

function lintOnce(policies: readonly Policy[]): readonly Finding[] {
  const key = JSON.stringify(policies);
  const before = known.get(key);
  if (before) return before;
  const found = lintPolicies(policies);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, found);
  return found;
}

/** Names policies by their place: an engine may not say which names and patterns are sensitive. */
function describe(found: Finding) {
  const policy = place(found.index);
  switch (found.kind) {
    case "empty": {
      const field = found.field.replace("_", " ");
      const detail = found.exempts
        ? `The ${field} of the policy exempt all that they include.`
        : `The ${field} of the policy include nothing. Add "*" to include all.`;
      return { summary: `${policy} applies to nothing`, detail };
    }
    case "hidden": {
      const { by, lost } = found;
      const one = by.length === 1;
      const missing =
        lost.length === 0
          ? ""
          : ` ${one ? "It does" : "They do"} not have ${lost.length === 1 ? "check" : "checks"} ${lost.join(", ")}, so these workloads lose ${lost.length === 1 ? "it" : "them"}.`;
      const detail = `${one ? "The policy" : "Policies"} in front of it ${one ? "matches" : "match"} all workloads of its scope: ${several(by)}.${missing} The first policy that matches a workload decides alone. Move this policy in front of ${one ? "that one" : "them"}; remove it only if its checks are not needed.`;
      return { summary: `${policy} never decides`, detail };
    }
    case "redundant":
      return {
        summary: `${policy} is redundant`,
        detail:
          "Without it, a later policy applies the same checks to the whole of its scope. Remove it, or keep it if you plan to change its checks.",
      };
    case "case":
      return {
        summary: `Patterns of ${policy} differ by letter case only`,
        detail: `Its ${found.field.replace("_", " ")} are matched without letter case, so some of them are the same.`,
      };
  }
}

const MOST_NAMED = 10;

function several(indexes: readonly number[]): string {
  const first = indexes.slice(0, MOST_NAMED).map(place);
  const more = indexes.length - first.length;
  return `${first.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const place = (index: number) => `policies[${index}]`;
