import { memberOf } from "../../core/member-of";
import type { Diagnostic } from "../../core/diagnostics";
import { valuesEqual, UNKNOWN, type ObjectValue, type Value } from "../../core/values";
import type { OutputChange, ResourceChange, StackPlan } from "../../core/documents/stack-plan";
import { changedCollections } from "../protection/collections";
import {
  reviewDrift,
  reviewProtection,
  type ProtectionReview,
} from "../protection/review-protection";

/*
 * Keys of the parts of plans: parts of several stacks with one key are alike, and a review shows them
 * once. Values that only the console computes, such as IDs, and the console's address do not count.
 */

/** Returns the keys of a plan's changes. Changes of one collection count together. */
export function changeKeys(plan: StackPlan): ReadonlyMap<ResourceChange, string> {
  const effects = reviewProtection(plan);
  const keys = new Map(
    plan.changes.map((change) => [change, keyOfChange(change, effects.get(change))] as const),
  );
  for (const { changes } of changedCollections(plan.changes)) {
    const together = JSON.stringify(changes.map((change) => keys.get(change)));
    if (changes.length > 1) for (const change of changes) keys.set(change, together);
  }
  return keys;
}

export function driftKey(change: ResourceChange): string {
  return keyOfChange(change, reviewDrift(change));
}

function keyOfChange(change: ResourceChange, protection: ProtectionReview | undefined): string {
  const { address, previousAddress, importing, deposed, action, reason } = change;
  const { beforeSensitive, afterSensitive, replacePaths, others, displaced } = change;
  return toKey([
    [address, previousAddress, importing?.id, deposed !== undefined, action, reason],
    changedAttributes(change),
    [beforeSensitive, afterSensitive, replacePaths],
    [others, displaced],
    protection && partsOfProtection(protection),
  ]);
}

function partsOfProtection(review: ProtectionReview): readonly unknown[] {
  const { regions, handovers, noLongerDeciding, coverage, reasons } = review;
  return [regions, handovers, noLongerDeciding, coverage, reasons];
}

/** The attributes that change, without those that only the provider computes. */
function changedAttributes({ attributes, before, after }: ResourceChange): readonly unknown[] {
  const names = Object.keys(attributes ?? { ...before, ...after });
  return names.flatMap((name) => {
    const was = valueOf(before, name);
    const will = valueOf(after, name);
    return memberOf(attributes, name)?.mode === "computed" || valuesEqual(was, will)
      ? []
      : [[name, was, will]];
  });
}

function valueOf(object: ObjectValue | null, name: string): Value {
  return memberOf(object, name) ?? null;
}

/** @param isOwn True where the values differ from stack to stack, and do not count. */
export function outputKey({ name, action, sensitive, before, after }: OutputChange, isOwn = false) {
  return toKey([name, action, sensitive, ...(isOwn ? [] : [before, after])]);
}

/** Details may name a console, so they do not count. */
export function diagnosticKey({ severity, summary, address }: Diagnostic): string {
  return toKey([severity, summary, address]);
}

function toKey(parts: readonly unknown[]): string {
  return JSON.stringify(parts, (_, part: unknown) => (part === UNKNOWN ? { unknown: true } : part));
}
