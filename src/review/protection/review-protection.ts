import { createHash } from "node:crypto";
import { onceForEach } from "../../core/alike";
import { regionsBetween, type Region } from "../../protection/compare";
import { decisionsOf } from "../../protection/decisions";
import { handovers, type Handover } from "../../protection/handovers";
import { unknownPolicies, type Policy } from "../../protection/policy";
import { noLongerDeciding } from "../../protection/reach";
import type { ResourceChange, StackPlan } from "../../core/documents/stack-plan";
import {
  changedCollections,
  driftedCollection,
  entriesAttribute,
  type CollectionChange,
} from "./collections";
import { memberName, type EntriesAttribute, type Member } from "./members";
import { type CheckTitles, CHECK_TITLES } from "./check-titles";
import { effectDigest } from "./effect-digest";
import { reviewNamedScope } from "./named-scopes";
import { type LiveReading, LIVE } from "./live-reading";
import { compareCoverage, type CoverageChange } from "./coverage";
import { limited, readPolicy, UNKNOWN_NAME } from "../../provider/collections/read-policy";
import { noteOf } from "../../core/notes";

/** The effect of changes of one collection of a console on what it protects. */
export interface ProtectionReview {
  /** `policies/compliance/container` */
  readonly collection: string;
  /** The resources that change it. */
  readonly addresses: readonly string[];
  /** One entry of the collection, and several: `policy`, `policies`. */
  readonly noun: string;
  readonly nouns: string;
  readonly regions: readonly Region[];
  /** If protection does not change: the workloads for which another policy decides with the same checks. */
  readonly handovers: readonly Handover[];
  /** The names of policies that decided and no longer do, though they are enabled. */
  readonly noLongerDeciding: readonly string[];
  /** The order of the entries has a meaning: the first one that matches decides. */
  readonly ordered: boolean;
  /** The changes of a collection without checks. */
  readonly coverage: readonly CoverageChange[];
  /** False if entries or conditions are not known; `reasons` has why. */
  readonly complete: boolean;
  readonly reasons: readonly string[];
  /** Names, patterns and checks are sensitive: only directions and numbers may be shown. */
  readonly isHidden: boolean;
  /** The default policies of a new console are replaced; their effects are left out. */
  readonly isSetup?: true;
  /** The containers on the console, if they were read for the review. */
  readonly live?: LiveReading;
  /** The titles of checks that are not from the console's results. */
  readonly titles: CheckTitles;
  /** The effect that `--allow-weaker NAME@DIGEST` allows; absent if a plan weakens nothing. */
  readonly digest?: string;
}

/** The container policies of a console. */
export const POLICIES = "policies/compliance/container";

/** True for an object that manages container policies of a console. */
export function isPolicySet(change: ResourceChange): boolean {
  return change.mode === "managed" && entriesAttribute(change)?.review.collection === POLICIES;
}

/** The effects of a plan by the first change of each collection. */
export function reviewProtection({
  changes,
}: Pick<StackPlan, "changes">): ReadonlyMap<ResourceChange, ProtectionReview> {
  return reviewChanges(changes);
}

const reviewChanges = onceForEach(
  (changes: readonly ResourceChange[]): ReadonlyMap<ResourceChange, ProtectionReview> =>
    new Map([
      ...changedCollections(changes).map(
        (collection) => [collection.changes[0], withDigest(judge(collection))] as const,
      ),
      ...changes.flatMap((change) => {
        const coverage = reviewNamedScope(change, changes);
        return coverage.length === 0
          ? []
          : [[change, withDigest(ofScope(change, coverage))] as const];
      }),
    ]),
);

/** The effect of a collection of workloads that policies may name. */
function ofScope(
  { address, beforeSensitive, afterSensitive }: ResourceChange,
  coverage: readonly CoverageChange[],
): ProtectionReview {
  return {
    ...NO_REVIEW,
    ...{ collection: "collections", noun: "collection", nouns: "collections", ordered: false },
    addresses: [address],
    coverage,
    isHidden: beforeSensitive.length + afterSensitive.length > 0,
  };
}

function withDigest(review: ProtectionReview): ProtectionReview {
  const isShown = countWeaker(review) > 0 && !review.isHidden;
  return isShown ? { ...review, digest: effectDigest(review) } : review;
}

/** The effect of a change that was made outside. */
export function reviewDrift(change: ResourceChange): ProtectionReview | undefined {
  const collection = driftedCollection(change);
  return collection && judge(collection);
}

/** The number of regions and entries that are protected less. */
export function countWeaker(review: ProtectionReview | undefined): number {
  return count("weaker", review);
}

/** The number of regions and entries that are protected more. */
export function countStronger(review: ProtectionReview | undefined): number {
  return count("stronger", review);
}

function count(change: Region["change"], review: ProtectionReview | undefined): number {
  const all = [...(review?.regions ?? []), ...(review?.coverage ?? [])];
  return all.filter((one) => one.change === change).length;
}

function isRead(changes: readonly ResourceChange[]): boolean {
  return changes.some(({ found, before }) => found !== undefined || before !== null);
}

/** The policies of an ordered collection of a plan, on the console now and after the plan. */
export interface PlannedPolicies {
  /** `policies/compliance/container` */
  readonly collection: string;
  /** The first change of them, to which the review of their change belongs. */
  readonly change: ResourceChange;
  readonly before: readonly Policy[];
  readonly after: readonly Policy[];
  /** Why some are missing. */
  readonly missing: readonly string[];
  /** Names, patterns and checks are sensitive. */
  readonly isHidden: boolean;
  /** Those before were read for this plan, or recorded in the state. */
  readonly isRead: boolean;
}

/** @param which Default: also those that the plan does not change. */
export function plannedPolicies(
  { changes }: Pick<StackPlan, "changes">,
  which: "changed" | "all" = "all",
): readonly PlannedPolicies[] {
  return changedCollections(changes, which)
    .filter(({ attribute }) => attribute.review.ordered)
    .map(({ attribute, changes, before, after, missing, isHidden }) => ({
      collection: attribute.review.collection,
      change: changes[0],
      before: readPolicies(attribute, before),
      after: readPolicies(attribute, after),
      missing: isHidden
        ? missing
        : [...missing, ...describeUnknown(attribute, [...before, ...after])],
      isHidden,
      isRead: isRead(changes),
    }));
}

function readPolicies(attribute: EntriesAttribute, members: readonly Member[]): readonly Policy[] {
  return members.map((member) => readMember(attribute, member));
}

function readMember(attribute: EntriesAttribute, member: Member): Policy {
  const { value, limit, missing, within } = member;
  if (missing !== undefined) {
    const policies = unknownPolicies(missing);
    if (!within) return policies;
    const taken = readPolicy(attribute.attributes, within, missing);
    const named = `${missing} ${memberName(attribute, { value: within })}`;
    // A policy that is taken over equals its entry.
    return taken.unknown
      ? { ...policies, scope: taken.scope, missing: named }
      : { ...taken, unknown: "presence", missing: named };
  }
  const name = memberName(attribute, member) || UNKNOWN_NAME;
  return limited(readPolicy(attribute.attributes, value, name), limit);
}

/** The entries whose scope the plan does not have. */
function describeUnknown(
  attribute: EntriesAttribute,
  members: readonly Member[],
): readonly string[] {
  const partial = members.filter(({ limit }) => limit && "condition" in limit);
  const names = [...new Set(partial.map((member) => memberName(attribute, member)))];
  return names.map((name) => `${JSON.stringify(name)} has collections, which are not evaluated.`);
}

function judge(collection: CollectionChange): ProtectionReview {
  const { attribute, changes, missing, isHidden } = collection;
  const { review } = attribute;
  const live = changes.map((change) => noteOf(change, LIVE)).find((found) => found !== undefined);
  const isCovering = review.covers !== undefined;
  const [before, after] = [
    readPolicies(attribute, collection.before),
    readPolicies(attribute, collection.after),
  ];
  const reasons = [
    ...missing,
    ...(collection.isAssumed
      ? [`The console cannot be read yet, so the default ${review.nouns} of a new one are assumed.`]
      : []),
    ...describeUnknown(attribute, [...collection.before, ...collection.after]),
  ];
  return {
    collection: review.collection,
    addresses: changes.map(({ address }) => address),
    noun: review.noun,
    nouns: review.nouns,
    ordered: review.ordered,
    ...(review.ordered ? compareOnce(before, after, collection.isAssumed) : NO_EFFECT),
    coverage: isCovering ? compareCoverage(collection) : [],
    complete: reasons.length === 0,
    reasons: isHidden ? missing : reasons,
    isHidden,
    ...(live && { live }),
    titles: noteOf(changes[0], CHECK_TITLES) ?? new Map(),
  };
}

type Effect = Pick<ProtectionReview, "regions" | "handovers" | "noLongerDeciding">;

const NO_EFFECT: Effect = { regions: [], handovers: [], noLongerDeciding: [] };

/** A complete review of policies without an effect. */
export const NO_REVIEW: ProtectionReview = {
  ...{ collection: "", noun: "policy", nouns: "policies", ordered: true, addresses: [] },
  ...{
    ...NO_EFFECT,
    coverage: [],
    complete: true,
    reasons: [],
    isHidden: false,
    titles: new Map(),
  },
};

/** Effects by the digest of both sides: stacks of many tenants often change alike. */
const compared = new Map<string, Effect>();

function compareOnce(
  before: readonly Policy[],
  after: readonly Policy[],
  isAssumed: boolean,
): Effect {
  const [was, will] = [JSON.stringify(before), JSON.stringify(after)];
  if (was === will && !before.some(({ unknown, missing }) => unknown && missing === undefined))
    return NO_EFFECT;
  const key = createHash("sha256").update(`${isAssumed} ${was}\n${will}`).digest("base64");
  const known = compared.get(key);
  if (known) return known;
  const sides = decisionsOf(before, after);
  const found = regionsBetween(sides);
  const regions = isAssumed
    ? found.map((region) => ({ ...region, assumed: true as const }))
    : found;
  const effect = {
    regions,
    handovers: regions.length === 0 ? handovers(before, after) : [],
    noLongerDeciding: noLongerDeciding(sides),
  };
  // A process that compares without end starts again.
  if (compared.size > 1000) compared.clear();
  compared.set(key, effect);
  return effect;
}
