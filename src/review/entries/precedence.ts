import type { Attributes } from "../../provider/schema/attribute";
import { isObjectValue, isWhollyKnown, type ObjectValue } from "../../provider/values";
import {
  asObject,
  elementsOf,
  isActive,
  notCovered,
  stateOfRule,
  type Entry,
} from "./compare-members";
import { kindOf, type EntryChange, type MemberChange } from "./entries-diff";

/**
 * Adds to the entries the changes of order that weaken protection: an entry that covers more and is
 * weaker is now before another, which then may never apply. The change is reported for the entry
 * that changes, so that unchanged entries are not listed. `entries` are in the order of `after`.
 */
export function comparePrecedence(
  attributes: Attributes,
  entries: readonly EntryChange[],
  before: readonly Entry[],
  after: readonly Entry[],
): readonly EntryChange[] {
  const was = before.map((entry) => reachOf(attributes, entry));
  const will = after.map((entry) => reachOf(attributes, entry));
  const wasOvertaken = (one: EntryChange, other: EntryChange) =>
    one.from !== undefined &&
    other.from !== undefined &&
    one.from < other.from &&
    overtakes(was[one.from], was[other.from]);

  const ahead = new Map<EntryChange, string[]>();
  const behind = new Map<EntryChange, string[]>();
  for (const [index, first] of entries.entries()) {
    const reach = will[index];
    const isChanged = kindOf(first) !== "unchanged";
    for (let next = index + 1; reach && next < entries.length; next += 1) {
      const second = entries[next];
      const other = will[next];
      if (!second || !other || !overtakes(reach, other)) continue;
      // Of two entries with the same scope, neither hides the other.
      if (covers(other, reach)) continue;
      // An entry that was not active before loses nothing.
      const isConcerned = second.from !== undefined && was[second.from] !== undefined;
      if (!isConcerned || wasOvertaken(first, second)) continue;
      if (isChanged) add(ahead, first, second);
      else add(behind, second, first);
    }
  }
  return entries.map((entry) => {
    const added: MemberChange[] = [
      ...membersOf("ahead", ahead.get(entry)),
      ...membersOf("behind", behind.get(entry)),
    ];
    return added.length === 0 ? entry : { ...entry, members: [...entry.members, ...added] };
  });
}

function add(names: Map<EntryChange, string[]>, entry: EntryChange, { name }: EntryChange): void {
  if (name === undefined) return;
  names.set(entry, [...(names.get(entry) ?? []), name]);
}

function membersOf(
  kind: "ahead" | "behind",
  of: readonly string[] | undefined,
): readonly MemberChange[] {
  return of ? [{ path: [], weakens: true, kind, of }] : [];
}

/** The scope of an entry, and the strength of its rules. */
interface Reach {
  readonly scopes: readonly (readonly string[])[];
  /** One bit for each scope that covers everything: most pairs differ in these already. */
  readonly everything: number;
  /** By rule. */
  readonly strengths: ReadonlyMap<string, number>;
}

const STRENGTH = { absent: 0, alerts: 1, blocks: 2 } as const;

/** Undefined for a disabled entry, and for one that is not wholly known or is sensitive. */
function reachOf(attributes: Attributes, { value, sensitive }: Entry): Reach | undefined {
  const isPlain = sensitive.isEmpty && isObjectValue(value) && isWhollyKnown(value);
  if (!isPlain || !isActive(attributes, value)) return undefined;
  const scopes: (readonly string[])[] = [];
  const strengths = new Map<string, number>();
  const collect = (described: Attributes, object: ObjectValue): void => {
    for (const [name, { type, review }] of Object.entries(described)) {
      const member = object[name] ?? null;
      if (type.kind === "object") collect(type.attributes, asObject(member));
      if (review?.kind === "scope") scopes.push(elementsOf(member));
      if (review?.kind !== "rules") continue;
      for (const [rule, state] of Object.entries(asObject(member))) {
        strengths.set(rule, STRENGTH[stateOfRule(state)]);
      }
    }
  };
  collect(attributes, value);
  const everything = scopes.reduce(
    (bits, scope, index) => (scope.includes("*") ? bits | (1 << index) : bits),
    0,
  );
  return { scopes, everything, strengths };
}

/** True where one covers the whole scope of the other and is weaker. */
function overtakes(one: Reach | undefined, other: Reach | undefined): boolean {
  return one !== undefined && other !== undefined && covers(one, other) && isWeaker(one, other);
}

function covers(one: Reach, other: Reach): boolean {
  if ((other.everything & ~one.everything) !== 0) return false;
  return one.scopes.every((scope, index) => {
    const isEverything = (one.everything & (1 << index)) !== 0;
    return isEverything || notCovered(other.scopes[index] ?? [], scope).length === 0;
  });
}

function isWeaker(one: Reach, other: Reach): boolean {
  for (const [rule, strength] of other.strengths) {
    if ((one.strengths.get(rule) ?? 0) < strength) return true;
  }
  return false;
}
