import { createHash } from "node:crypto";
import { memberOf } from "../../core/member-of";
import type { Diagnostic } from "../../core/diagnostics";
import {
  isListValue,
  TypedUnknown,
  UNKNOWN,
  valuesEqual,
  type ObjectValue,
  type Value,
} from "../../core/values";
import type { OutputChange, ResourceChange, StackPlan } from "../../core/documents/stack-plan";
import { diffEntries } from "../entries/compare-entries";
import { kindOfChange, type EntriesDiff } from "../entries/entries-diff";
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

/** Keys of what is shown of a change: with whole attributes, and in the short form. */
interface ChangeKeys {
  readonly exact: string;
  /** Lists of named entries count by those that change, and the number of the others. */
  readonly short: () => string;
}

/** Returns the keys of a plan's changes. Changes of one collection count together. */
export function changeKeys(plan: StackPlan): ReadonlyMap<ResourceChange, ChangeKeys> {
  const effects = reviewProtection(plan);
  const keys = new Map<ResourceChange, ChangeKeys>();
  for (const change of plan.changes) {
    const [effect, exact] = [effects.get(change), keyOfChange(change, effects.get(change))];
    const short = () => {
      const lists = diffEntries(change);
      return lists.length === 0 ? exact : keyOfChange(change, effect, lists);
    };
    keys.set(change, { exact, short });
  }
  for (const { changes } of changedCollections(plan.changes)) {
    const exact = JSON.stringify(changes.map((change) => keys.get(change)?.exact));
    if (changes.length > 1)
      for (const change of changes) keys.set(change, { exact, short: () => exact });
  }
  return keys;
}

export function driftKey(change: ResourceChange): string {
  return keyOfChange(change, reviewDrift(change));
}

/**
 * Returns the key of the effect of a change on protection, whatever the positions of policies;
 * undefined for one without effect.
 */
export function effectKey({ address }: ResourceChange, review: ProtectionReview) {
  if (review.regions.length + review.coverage.length === 0) return undefined;
  const parts = [address, partsOfProtection(review)];
  return JSON.stringify(parts, (name, part: unknown) =>
    name === "position" || name === "example" ? undefined : part,
  );
}

function keyOfChange(
  change: ResourceChange,
  protection: ProtectionReview | undefined,
  lists: readonly EntriesDiff[] = [],
): string {
  const { address, previousAddress, importing, deposed, action, reason } = change;
  const { beforeSensitive, afterSensitive, replacePaths, others, displaced } = change;
  return toKey([
    [address, previousAddress, importing?.id, deposed !== undefined, action, reason],
    changedAttributes(change, lists),
    [beforeSensitive, afterSensitive, replacePaths],
    [others, displaced],
    protection && partsOfProtection(protection),
  ]);
}

function partsOfProtection(review: ProtectionReview): readonly unknown[] {
  const { regions, handovers, noLongerDeciding, coverage, reasons } = review;
  return [regions, handovers, noLongerDeciding, coverage, reasons];
}

/**
 * Returns the attributes that change, without those that only the provider computes. All of an object
 * that is imported as it is count, because plans show them.
 */
function changedAttributes(
  { attributes, before, after, action, importing }: ResourceChange,
  lists: readonly EntriesDiff[],
): readonly unknown[] {
  const names = Object.keys(attributes ?? { ...before, ...after });
  const isAsItIs = importing !== undefined && action === "no-op";
  return names.flatMap((name) => {
    const was = isAsItIs ? null : valueOf(before, name);
    const will = valueOf(after, name);
    if (memberOf(attributes, name)?.mode === "computed" || valuesEqual(was, will)) return [];
    const list = isAsItIs ? undefined : lists.find(({ attribute }) => attribute === name);
    return [[name, ...(list && !list.unknown ? changedEntries(list, was, will) : [was, will])]];
  });
}

function changedEntries(list: EntriesDiff, was: Value, will: Value): readonly unknown[] {
  const { entries, ...rest } = list;
  const at = (whole: Value, position: number | undefined) =>
    position !== undefined && isListValue(whole) ? whole[position] : null;
  const changed = entries.filter((entry) => kindOfChange(entry) !== "unchanged");
  const isOrder = changed.length === 0 && entries.some(({ from, to }) => from !== to);
  return [
    [rest, entries.length, isOrder],
    changed.map((entry) => {
      const { from, to, moved, members } = entry;
      const isWhole = moved || kindOfChange(entry) !== "changed";
      return [entry.name, from, to, members, isWhole && [at(was, from), at(will, to)]];
    }),
  ];
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

/** A digest: the texts of thousands of plans take more memory than the plans. */
function toKey(parts: readonly unknown[]): string {
  const text = JSON.stringify(parts, (_, part: unknown) =>
    part === UNKNOWN || part instanceof TypedUnknown ? { unknown: true } : part,
  );
  return createHash("sha256").update(text).digest("base64");
}
