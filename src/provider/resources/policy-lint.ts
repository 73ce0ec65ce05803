import { lintPolicies, type PolicyFinding } from "../../protection/lint";
import type { Policy } from "../../protection/policy";
import { entriesOf } from "../collections/contents";
import {
  limited,
  limitOf,
  readCollectionScopes,
  readPolicy,
  UNKNOWN_NAME,
} from "../collections/read-policy";
import { finding, type Diagnostic } from "../../core/diagnostics";
import { quote } from "../../core/printed";
import type { ObjectValue, Value } from "../../core/values";
import { collectionsOf, compliancePolicyAttributes } from "./compliance-policy";

/** Findings by the text of a set: sets of many tenants are often the same. */
const known = new Map<string, readonly PolicyFinding[]>();
const MOST_KNOWN_SETS = 1000;

/**
 * Warns of the policies of a set that do not do what they seem to do.
 *
 * @param scopes - those of the collections that they name
 */
export function lintPolicySet(config: ObjectValue, scopes?: Value): readonly Diagnostic[] {
  const entries = entriesOf(config, "policies");
  const known = readCollectionScopes(scopes);
  const policies = entries.map((entry, index) => {
    const name = typeof entry.name === "string" ? entry.name : UNKNOWN_NAME;
    const policy = readPolicy(compliancePolicyAttributes, entry, name);
    return limited(policy, limitOf(collectionsOf(entry), known, `planned ${index}`));
  });
  const labelOf = (index: number) => policyLabel(entries[index]?.name, index);
  return lintOnce(policies).flatMap((found) => {
    if (policies[found.index]?.name === UNKNOWN_NAME) return []; // The plan knows it.
    const { summary, detail } = describe(found, labelOf);
    return finding(summary, detail, ["policies", found.index]);
  });
}

/** `policy "rest"`, or `policy 2` without a known name. The executor hides sensitive names; Terraform names none as such. */
export function policyLabel(name: Value | undefined, index: number): string {
  return typeof name === "string" ? `policy ${quote(name)}` : `policy ${index + 1}`;
}

function lintOnce(policies: readonly Policy[]): readonly PolicyFinding[] {
  const key = JSON.stringify(policies);
  const before = known.get(key);
  if (before) return before;
  const found = lintPolicies(policies);
  if (known.size >= MOST_KNOWN_SETS) known.clear();
  known.set(key, found);
  return found;
}

/** Patterns are not quoted: they may be sensitive. */
function describe(found: PolicyFinding, labelOf: (index: number) => string) {
  const policy = labelOf(found.index).replace(/^p/, "P");
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
      const detail = `${one ? "The policy" : "Policies"} in front of it ${one ? "matches" : "match"} all workloads of its scope: ${several(by.map(labelOf))}.${missing} The first policy that matches a workload decides alone. Move this policy in front of ${one ? "that one" : "them"}; remove it only if its checks are not needed.`;
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
        summary: `Patterns of ${labelOf(found.index)} differ by letter case only`,
        detail: `Its ${found.field.replace("_", " ")} are matched without letter case, so some of them are the same.`,
      };
  }
}

const MOST_NAMED = 10;

function several(labels: readonly string[]): string {
  const more = labels.length - MOST_NAMED;
  return `${labels.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
