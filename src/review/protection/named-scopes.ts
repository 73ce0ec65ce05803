import { memberOf } from "../../core/member-of";
import type { ResourceChange } from "../../core/documents/stack-plan";
import {
  isListValue,
  isObjectValue,
  valuesEqual,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { FIELDS } from "../../protection/policy";
import { entriesOf, ownershipOf } from "../../provider/collections/contents";
import { foundCollection, reviewOf } from "../../provider/review-hints";
import { entriesAttribute } from "./collections";
import type { CoverageChange } from "./coverage";

/**
 * Returns the possible effect of a changed collection of workloads on policies that the plan does not
 * have: of other stacks, and unmanaged ones. Policies of the plan that carry its new scope are judged
 * by themselves.
 */
export function reviewNamedScope(
  change: ResourceChange,
  changes: readonly ResourceChange[],
): readonly CoverageChange[] {
  const { action, before, after } = change;
  const attribute = scopeName(change);
  const name = attribute === undefined ? undefined : memberOf(before ?? {}, attribute);
  const isKept = action === "no-op" || action === "forget";
  if (!before || typeof name !== "string" || isKept || change.deposed !== undefined) return [];
  if (after && sameScope(before, after)) return [];
  if (after && changes.some((other) => carries(other, change, name, after))) return [];
  const possible = { entry: name, certainty: "possible" } as const;
  const weaker = { change: "weaker", ...possible } as const;
  return after ? [weaker, { change: "stronger", ...possible }] : [weaker];
}

/** The attribute with the name by which policies have the patterns of an object as their scope. */
function scopeName({ mode, attributes }: ResourceChange): string | undefined {
  if (mode !== "managed") return undefined;
  const named = Object.entries(attributes ?? {}).find(
    ([, attribute]) => reviewOf(attribute)?.kind === "named-scope",
  );
  return named?.[0];
}

/** The policies of a change have the new scope, and no other policy of the console names it. */
function carries(
  policies: ResourceChange,
  { endpoint }: ResourceChange,
  name: string,
  scope: ObjectValue,
): boolean {
  const attribute = entriesAttribute(policies);
  const { after } = policies;
  if (!attribute?.review.scopes || !after || policies.endpoint !== endpoint) return false;
  const scopes: Value = attribute.review.scopes(after);
  const isCarried =
    isListValue(scopes) &&
    scopes.some((one) => isObjectValue(one) && one.name === name && sameScope(one, scope));
  if (!isCarried || ownershipOf(after) === "exclusive") return isCarried;
  const found = foundCollection(policies)?.entries;
  const managed = new Set(entriesOf(after, attribute.name).map((entry) => entry.name));
  const mayName = (entry: ObjectValue) => {
    const names = attribute.review.collections?.(entry) ?? null;
    return isListValue(names) ? names.includes(name) : names !== null;
  };
  const others = found?.filter(({ value }) => !managed.has(value.name ?? null));
  return others !== undefined && !others.some(({ value }) => mayName(value));
}

function sameScope(one: ObjectValue, other: ObjectValue): boolean {
  return FIELDS.every((field) =>
    valuesEqual(memberOf(one, field) ?? null, memberOf(other, field) ?? null),
  );
}
