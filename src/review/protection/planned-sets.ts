import type { Policy } from "../../protection/policy";
import type { StackPlan } from "../../runtime/documents/stack-plan";
import { entriesAttribute, entriesIn } from "./collections";
import { readPolicies } from "./review-protection";

/** An ordered set of policies as a stack wants it, with the resource that has it. */
export interface PlannedSet {
  readonly address: string;
  readonly constructPath: string | undefined;
  /** The attribute that holds the policies. */
  readonly list: string;
  readonly policies: readonly Policy[];
}

/** The ordered sets of a plan, those that do not change included. Sensitive sets are left out. */
export function plannedSets({ changes }: Pick<StackPlan, "changes">): readonly PlannedSet[] {
  return changes.flatMap((change) => {
    const attribute = entriesAttribute(change);
    const { address, constructPath, after, afterSensitive, mode } = change;
    if (!attribute?.review.ordered || !after || mode !== "managed") return [];
    if (afterSensitive.length > 0) return [];
    const policies = readPolicies(attribute, entriesIn(after, attribute));
    return [{ address, constructPath, list: attribute.name, policies }];
  });
}
