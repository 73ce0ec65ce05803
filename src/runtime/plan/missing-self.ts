import { NO_ELEMENT, outOfRange, type EvaluationScope } from "../../language";
import type { InstanceKey } from "../../core/documents/state";

/**
 * Returns the check of references to `self` for an instance that does not exist, in a refresh-only
 * plan: Terraform looks it up by its key among the instances in the state. Without a key, and in front
 * of the last instance, `self` is unknown.
 *
 * @param stored The instances in the state, by key.
 */
export function missingSelf(
  key: InstanceKey | undefined,
  stored: ReadonlyMap<InstanceKey | undefined, unknown>,
): NonNullable<EvaluationScope["problemOf"]> {
  return ({ subject }) => {
    if (subject.kind !== "self" || key === undefined) return undefined;
    const summary = "Invalid index";
    if (typeof key === "string") return { summary, detail: `${NO_ELEMENT}.` };
    const others = [...stored.keys()].filter((one) => typeof one === "number" && one !== key);
    const length = 1 + others.reduce<number>((last, one) => Math.max(last, Number(one)), -1);
    return key < length ? undefined : { summary, detail: outOfRange(key, length) };
  };
}
