import type { ExcludedStack } from "../../core/documents/excluded-stack";
import { countChanges, hasChanges, type StackPlan } from "../../core/documents/stack-plan";
import { memberOf } from "../../core/member-of";
import type { Value } from "../../core/values";
import { formatCounts } from "../../formats/text/counts";
import type { LiveDecisions } from "../../protection/live";
import { entriesOf, ownershipOf } from "../../provider/collections/contents";
import { several } from "../entries/entry-text";
import { blindCauseOf } from "../exclusions/blind-stacks";
import { groupExclusions } from "../exclusions/group-exclusions";
import { describeDriftedObjects, driftOf } from "../overview/drift";
import { weakerEffects } from "../protection/protection-text";
import {
  countStronger,
  countWeaker,
  plannedPolicies,
  reviewDrift,
  reviewProtection,
} from "../protection/review-protection";
import type { JudgedWaiver, Verdict } from "../protection/verdict";
import type { FindingKind } from "./status-schema";

/** Something that a person on duty has to see. */
export interface StatusFinding {
  readonly kind: FindingKind;
  /** The same for all stacks that have it. */
  readonly text: string;
}

/** The running containers of a console. */
export interface RunningNow {
  readonly running: number;
  /** The containers that fail a check. */
  readonly failing: number;
  readonly decisions: LiveDecisions;
}

const BLIND = {
  unreachable: ["unread", "The console does not respond"],
  refused: ["unread", "The console refuses the credentials"],
  unlicensed: ["license", "The console has no license"],
} as const;

/** Finds what is wrong with a stack that was planned. */
export function statusFindings(plan: StackPlan, verdict: Verdict): readonly StatusFinding[] {
  const blind = blindCauseOf(plan);
  const license = plan.drift.some(({ type, after }) => type === "cwp_license" && after === null);
  if (blind !== undefined) {
    const [kind, text] = BLIND[blind];
    return [{ kind, text }];
  }
  return [
    ...(license ? [{ kind: "license", text: "The console has no license" } as const] : []),
    ...weakerThanDeclared(plan),
    ...violations(plan, verdict),
    ...inFront(plan),
    ...driftAndChanges(plan),
    ...otherRelease(plan),
  ];
}

/** Finds the reason why a stack has no plan. */
export function findingOfExcluded(stack: ExcludedStack): StatusFinding {
  const [group] = groupExclusions([stack]);
  return { kind: "unread", text: group?.reason ?? "The stack cannot be planned" };
}

/** Finds the waivers that end soon, or have ended. */
export function findingsOfWaivers(
  waivers: readonly JudgedWaiver[],
  withinDays: number,
  now: Date,
): readonly StatusFinding[] {
  return waivers.flatMap(({ place, owner, expires }): StatusFinding[] => {
    // A waiver is valid until the end of its last day.
    const leftMs = Date.parse(`${expires}T00:00:00Z`) + DAY_MS - now.getTime();
    const ends = endOf(expires, leftMs, withinDays);
    return ends === undefined
      ? []
      : [{ kind: "waiver", text: `${place}: the waiver of ${owner} ${ends}` }];
  });
}

/** Finds licenses that end soon, or have ended, in the resources and data sources of the stack. */
export function findingsOfLicense(
  { changes }: StackPlan,
  withinDays: number,
  now: Date,
): readonly StatusFinding[] {
  const times = changes.flatMap(({ type, before, after }) => {
    if (type !== "cwp_license") return [];
    const known = [after, before].map((object) => memberOf(object, "expires_at"));
    return known.find((value) => typeof value === "string") ?? [];
  });
  return [...new Set(times)].flatMap((time): StatusFinding[] => {
    const ends = endOf(time.slice(0, 10), Date.parse(time) - now.getTime(), withinDays);
    return ends === undefined ? [] : [{ kind: "expiry", text: `The license ${ends}` }];
  });
}

const DAY_MS = 86_400_000;

/** `ends on 2026-12-11, in 12 days`; undefined if it ends later than that, or the date is none. */
function endOf(date: string, leftMs: number, withinDays: number): string | undefined {
  if (leftMs <= 0) return `ended on ${date}`;
  const days = Math.floor(leftMs / DAY_MS);
  if (Number.isNaN(days) || days > withinDays) return undefined;
  const when = days === 0 ? "in less than a day" : `in ${days} ${days === 1 ? "day" : "days"}`;
  return `ends on ${date}, ${when}`;
}

/**
 * Finds running containers for which no policy decides, and those that fail checks.
 *
 * @param live - undefined if the console did not answer
 */
export function findingsOfRunning(live: RunningNow | undefined): readonly StatusFinding[] {
  if (!live) return [{ kind: "unread", text: "The running containers cannot be read" }];
  const { running, failing, decisions } = live;
  const none = decisions.decisions
    .filter(({ policy }) => policy === null)
    .reduce((sum, { running: count }) => sum + count, 0);
  const of = `of ${running} running ${running === 1 ? "container" : "containers"}`;
  return [
    ...(none > 0
      ? [{ kind: "undecided", text: `No policy decides for ${none} ${of}` } as const]
      : []),
    ...(failing > 0 ? [{ kind: "failing", text: `${failing} ${of} fail checks` } as const] : []),
  ];
}

/** Weakened outside, or declared and not applied yet. */
function weakerThanDeclared(plan: StackPlan): readonly StatusFinding[] {
  const drifted = driftOf(plan).flatMap((change) => {
    const review = reviewDrift(change);
    if (!review || countWeaker(review) === 0) return [];
    const [first, ...others] = weakerEffects(review);
    const more = others.length > 0 ? ` and ${others.length} more` : "";
    return [
      {
        address: change.address,
        text: `${change.address} was weakened: ${first?.brief ?? ""}${more}`,
      },
    ];
  });
  const known = new Set(drifted.map(({ address }) => address));
  const pending = [...reviewProtection(plan)].flatMap(([change, review]) => {
    const count = countStronger(review);
    if (count === 0 || review.addresses.some((address) => known.has(address))) return [];
    const regions = `${count} ${count === 1 ? "effect" : "effects"}`;
    return [{ text: `${change.address} protects less than declared: ${regions} not applied` }];
  });
  return [...drifted, ...pending].map(({ text }) => ({ kind: "weaker", text }));
}

function violations({ stack }: StackPlan, { clauses }: Verdict): readonly StatusFinding[] {
  return clauses
    .filter(({ breaches }) => breaches.some((breach) => breach.stack === stack))
    .map(({ kind, name, place, result }) => ({
      kind: result === "violated" ? "contract" : "pending",
      text: `${place}: ${kind} "${name}" is ${result === "violated" ? "violated" : "not proved"}`,
    }));
}

/** Unmanaged policies that decide before a managed one. Those behind a suffix are meant to be there. */
function inFront(plan: StackPlan): readonly StatusFinding[] {
  const unmanaged = new Set(
    plan.changes.flatMap(({ others = [], after, before }) =>
      ownershipOf(after ?? before ?? {}) === "suffix" ? [] : others,
    ),
  );
  if (unmanaged.size === 0) return [];
  const managed = new Set<Value>(
    plan.changes.flatMap(({ after }) =>
      entriesOf(after, "policies").map(({ name = null }) => name),
    ),
  );
  return plannedPolicies(plan).flatMap(({ collection, before, isHidden }): StatusFinding[] => {
    const names = before.map(({ name }) => name);
    const last = names.findLastIndex((name) => managed.has(name));
    const front = names.slice(0, Math.max(0, last)).filter((name) => unmanaged.has(name));
    if (front.length === 0) return [];
    const which = isHidden ? front.length : several(front);
    return [{ kind: "unmanaged", text: `${collection}: unmanaged in front of managed: ${which}` }];
  });
}

function driftAndChanges(plan: StackPlan): readonly StatusFinding[] {
  const drift = driftOf(plan);
  const other = drift.filter((change) => countWeaker(reviewDrift(change)) === 0);
  const drifted = new Set(drift.map(({ address }) => address));
  const isMore = plan.changes.some(
    ({ address, action, mode }) =>
      action !== "no-op" && mode === "managed" && !drifted.has(address),
  );
  const counts = formatCounts(countChanges(plan));
  const isPending = hasChanges(plan) && (isMore || drift.length === 0);
  return [
    ...(other.length > 0 ? [{ kind: "drift", text: describeDriftedObjects(other) } as const] : []),
    ...(isPending ? [{ kind: "pending", text: counts } as const] : []),
  ];
}

function otherRelease({ diagnostics }: StackPlan): readonly StatusFinding[] {
  const found = diagnostics.some(({ summary }) => summary === "Console runs another release");
  return found ? [{ kind: "release", text: "The console runs another release" }] : [];
}
