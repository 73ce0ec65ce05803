import type { Attributes } from "../../provider/schema/attribute";
import { isObjectValue, isWhollyKnown, type ObjectValue } from "../../provider/values";
import type { Entry } from "./compare-entries";
import { asObject, elementsOf, isActive, notCovered, stateOfRule } from "./compare-members";
import { kindOf, type EntryChange, type MemberChange } from "./model";

/**
 * Adds to the entries what their order takes from protection: where one that is for more and does
 * less has come before another, which then may never get its turn. It is told of the one that
 * changes, so that an entry which only stays is not listed. `entries` are in the order of `after`.
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
      // Of two that are for the same, neither is a catch-all that has come too early.
      if (isFor(other, reach)) continue;
      // What did nothing before had nothing to lose.
      const isConcerned = second.from !== undefined && was[second.from] !== undefined;
      if (!isConcerned || wasOvertaken(first, second)) continue;
      if (isChanged) add(ahead, first, second);
      else add(behind, second, first);
    }
  }
  return entries.map((entry) => {
    const told: MemberChange[] = [
      ...membersOf("ahead", ahead.get(entry)),
      ...membersOf("behind", behind.get(entry)),
    ];
    return told.length === 0 ? entry : { ...entry, members: [...entry.members, ...told] };
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

/** What an entry is for, and what it does there. */
interface Reach {
  readonly scopes: readonly (readonly string[])[];
  /** A bit for each scope that is everything: most pairs differ in these already. */
  readonly everything: number;
  /** By rule. */
  readonly strengths: ReadonlyMap<string, number>;
}

const STRENGTH = { absent: 0, alerts: 1, blocks: 2 } as const;

/** Undefined for an entry that does nothing, and for one of which not all is known and plain. */
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

/** Whether one is for all that the other is for, and does less there. */
function overtakes(one: Reach | undefined, other: Reach | undefined): boolean {
  return one !== undefined && other !== undefined && isFor(one, other) && isWeaker(one, other);
}

function isFor(one: Reach, other: Reach): boolean {
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
