import { memberOf } from "../../core/member-of";
import { compareProtection, type Region } from "../../protection/compare";
import { FIELDS, type Policy } from "../../protection/policy";
import {
  isListValue,
  isObjectValue,
  UNKNOWN,
  type ObjectValue,
  type Value,
} from "../../core/values";
import type { CollectionChange } from "./collections";
import { memberIdentity, memberName, type EntriesAttribute, type Member } from "./members";
import { readPolicy, UNKNOWN_NAME } from "../../provider/collections/read-policy";
import { reviewOf } from "../../provider/review-hints";

/** An entry that covers less or more than before: registries, functions. */
export interface CoverageChange {
  readonly change: Region["change"];
  /** The name of the entry. */
  readonly entry: string;
  readonly certainty: Region["certainty"];
}

/** An entry on both sides; undefined where it is not there. */
interface Pair {
  readonly before: Member | undefined;
  readonly after: Member | undefined;
}

/**
 * Compares lists without order, whose entries together cover what any of them does: as policies with
 * one check, so that entries which are split or renamed change nothing.
 */
export function compareCoverage({
  attribute,
  before,
  after,
}: CollectionChange): readonly CoverageChange[] {
  const isRead = ({ missing }: Member) => missing === undefined;
  const identified = (member: Member, index: number) =>
    [memberIdentity(attribute, member) ?? `unknown ${index}`, member] as const;
  const left = new Map(before.filter(isRead).map(identified));
  const pairs: readonly Pair[] = [
    ...after.filter(isRead).map((member) => {
      const identity = memberIdentity(attribute, member) ?? "";
      const counterpart = left.get(identity);
      left.delete(identity);
      return { before: counterpart, after: member };
    }),
    ...[...left.values()].map((member) => ({ before: member, after: undefined })),
  ];
  const sides = pairs.map((pair) => settle(attribute, pair));
  const regions = compareProtection(
    sides.flatMap((side) => side.before ?? []),
    sides.flatMap((side) => side.after ?? []),
  );
  const found = [
    ...regions.map(({ change, certainty, ...region }) => ({
      change,
      certainty,
      entry: (change === "weaker" ? region.before : region.after).policy ?? "",
    })),
    ...sides.flatMap(({ possible }) => possible),
    ...pairs.flatMap((pair) => compareLimits(attribute, pair)),
  ];
  const distinct = new Map<string, CoverageChange>();
  for (const one of found) {
    const key = `${one.change} ${one.entry}`;
    if (!distinct.has(key)) distinct.set(key, one);
  }
  return [...distinct.values()];
}

interface Settled {
  readonly before?: Policy;
  readonly after?: Policy;
  readonly possible: readonly CoverageChange[];
}

/**
 * Reads both sides of an entry. A value that is no longer managed stays as it was; what the console
 * had for one that was not managed is not known, so that its first value may cover less.
 */
function settle(attribute: EntriesAttribute, { before, after }: Pair): Settled {
  const name = shownName(attribute, after ?? before);
  const [was, will] = [objectOf(before), objectOf(after)];
  const inherits = (one: ObjectValue | undefined, other: ObjectValue | undefined) =>
    other
      ? (member: string) => memberOf(one, member) ?? memberOf(other, member) ?? null
      : undefined;
  const isNarrowed =
    was &&
    will &&
    attribute.review.covers?.some(
      (member) => (memberOf(was, member) ?? null) === null && isSet(memberOf(will, member)),
    );
  return {
    ...(before && { before: policyOf(attribute, before, inherits(was, will), name) }),
    ...(after && { after: policyOf(attribute, after, inherits(will, was), name) }),
    possible: isNarrowed ? [{ change: "weaker", entry: name, certainty: "possible" }] : [],
  };
}

function isSet(value: Value | undefined): boolean {
  return value !== undefined && value !== null;
}

function objectOf(member: Member | undefined): ObjectValue | undefined {
  return member && isObjectValue(member.value) ? member.value : undefined;
}

function policyOf(
  attribute: EntriesAttribute,
  { value }: Member,
  inherited: ((member: string) => Value) | undefined,
  name: string,
): Policy {
  const { disabled, unknown } = readPolicy(attribute.attributes, value, name);
  const valueOf =
    inherited ?? ((member) => (isObjectValue(value) ? (memberOf(value, member) ?? null) : UNKNOWN));
  const patterns = (attribute.review.covers ?? []).map((member) => patternsOf(valueOf(member)));
  const isUnknown = unknown !== undefined || patterns.includes(undefined);
  return {
    name,
    disabled,
    scope: Object.fromEntries(FIELDS.map((field, index) => [field, patterns[index] ?? ["*"]])),
    checks: { covered: true },
    ...(isUnknown && { unknown: "scope" }),
  };
}

/** Undefined for what is known only after apply. An empty text is a separate value. */
function patternsOf(value: Value): readonly string[] | undefined {
  if (value === null) return ["*"];
  const list = isListValue(value) ? value : [value];
  if (list.includes(UNKNOWN)) return undefined;
  return list
    .filter((pattern) => typeof pattern === "string")
    .map((pattern) => (pattern === "" ? "(empty)" : pattern));
}

/** A limit of 0 is none. */
function compareLimits(attribute: EntriesAttribute, { before, after }: Pair): CoverageChange[] {
  const [was, will] = [objectOf(before), objectOf(after)];
  if (!was || !will) return [];
  const entry = shownName(attribute, after);
  return Object.entries(attribute.attributes).flatMap(([name, member]): CoverageChange[] => {
    const from: Value = memberOf(was, name) ?? null;
    const to: Value = memberOf(will, name) ?? null;
    if (reviewOf(member)?.kind !== "limit" || from === to || to === null) return [];
    if (to === UNKNOWN) return [{ change: "weaker", entry, certainty: "unknown" }];
    const most = (limit: Value) => (limit === 0 ? Infinity : Number(limit));
    if (from === null) {
      return to === 0 ? [] : [{ change: "weaker", entry, certainty: "possible" }];
    }
    const change = most(to) < most(from) ? "weaker" : "stronger";
    return [{ change, entry, certainty: "certain" }];
  });
}

function shownName(attribute: EntriesAttribute, member: Member | undefined): string {
  const name = member ? memberName(attribute, member) : "";
  return name === "" ? UNKNOWN_NAME : name;
}
