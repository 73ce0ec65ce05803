import { groupBy } from "../../core/group-by";
import { memberOf } from "../../core/member-of";
import { quote } from "../../core/printed";
import { globMatcher, isGlob } from "../../fleet/selection/glob";
import type { Region } from "../../protection/compare";
import { patternCovers } from "../../protection/pattern";
import {
  rankOf,
  scopesOf,
  type CheckEffect,
  type Policy,
  type Where,
} from "../../protection/policy";
import { remainder } from "../../protection/remainder";
import { describeCheck, type CheckTitles } from "../../review/protection/check-titles";
import { describeWhere } from "../../review/protection/where-text";
import { isExpired } from "./judge";
import type { Clause, Contract } from "./contract";

/** An effect of the difference between two contracts. */
export interface ContractChange {
  readonly change: Region["change"];
  /** `requirement "no root in production" for stacks tenant-*` */
  readonly clause: string;
  /** `check 599 block -> not required` */
  readonly text: string;
  /** The workloads: `namespaces prod-pay`. Empty where only the stacks or the days differ. */
  readonly places: readonly string[];
}

/** A part of a clause: one check, for the stacks of one pattern. */
interface Claim {
  readonly kind: "requirement" | "waiver";
  readonly title: string;
  readonly where: Where;
  readonly id: string;
  /** A requirement: null and the effect. A waiver: the effects between which it allows less. */
  readonly from: CheckEffect;
  readonly to: CheckEffect;
  /** Undefined: all stacks. */
  readonly stacks: string | undefined;
  readonly labels: Clause["selection"]["labels"];
  /** The last day of a waiver. */
  readonly expires?: string;
}

/**
 * Compares what two contracts require and waive. Names, owners, reasons, the order of clauses and how
 * they are divided have no effect. Weaker changes come first.
 *
 * @param now Milliseconds since 1970. Waivers that have expired have no effect.
 */
export function compareContracts(
  before: Contract,
  after: Contract,
  now: number,
): readonly ContractChange[] {
  const titles = new Map([...before.checkTitles, ...after.checkTitles]);
  const [was, will] = [claimsOf(before, now), claimsOf(after, now)];
  const found = [...lacking(was, will, "before", titles), ...lacking(will, was, "after", titles)];
  const joined = groupBy(found, ({ change, clause, places }) =>
    JSON.stringify([change, clause, places]),
  ).map((group) => ({ ...group[0], text: [...new Set(group.map(({ text }) => text))].join(", ") }));
  const isWeaker = ({ change }: ContractChange) => change === "weaker";
  return [...joined.filter(isWeaker), ...joined.filter((one) => !isWeaker(one))];
}

function claimsOf({ requirements, baselines, waivers }: Contract, now: number): readonly Claim[] {
  return [
    ...requirements.flatMap((clause) =>
      claimsIn(clause, `requirement ${quote(clause.name)}`, clause.where, requiredBy(clause)),
    ),
    ...baselines.flatMap((clause) => {
      const enabled = clause.policies.filter(({ disabled }) => !disabled);
      return enabled.flatMap((policy, index) => {
        const none = enabled.slice(0, index).flatMap(scopesOf);
        const title = `base line ${quote(clause.name)}`;
        return scopesOf(policy).flatMap((scope) =>
          claimsIn(clause, title, { all: [scope], none }, requiredBy(policy)),
        );
      });
    }),
    ...waivers
      .filter((clause) => !isExpired(clause, now))
      .flatMap((clause) => {
        const claims = claimsIn(clause, `waiver of ${clause.owner}`, clause.where, clause.checks);
        return claims.map((one) => ({ ...one, kind: "waiver" as const, expires: clause.expires }));
      }),
  ];
}

type Effects = Pick<Claim, "from" | "to">;

function requiredBy({ checks }: Pick<Policy, "checks">): ReadonlyMap<string, Effects> {
  const effects = Object.entries(checks).map(
    ([id, blocks]) => [id, { from: null, to: blocks ? "blocks" : "alerts" }] as const,
  );
  return new Map(effects);
}

function claimsIn(
  { selection: { stacks, labels } }: Clause,
  title: string,
  where: Where,
  checks: ReadonlyMap<string, Effects>,
): readonly Claim[] {
  const patterns = stacks.length === 0 ? [undefined] : stacks;
  const shared = { kind: "requirement", title, where, labels } as const;
  return [...checks].flatMap(([id, effects]) =>
    patterns.map((pattern) => ({ ...shared, id, ...effects, stacks: pattern })),
  );
}

/** Finds what claims of one contract say and those of the other do not. */
function lacking(
  claims: readonly Claim[],
  others: readonly Claim[],
  side: "before" | "after",
  titles: CheckTitles,
): readonly ContractChange[] {
  const found = claims.flatMap((claim) => {
    const alike = others.filter(({ kind, id }) => kind === claim.kind && id === claim.id);
    const full = alike.filter((one) => does(one, claim));
    const holding = full.filter((one) => lasts(one, claim) && isFor(one, claim));
    if (placesOf(claim, holding).length === 0) return [];
    const isWeaker = (side === "before") === (claim.kind === "requirement");
    const change: Region["change"] = isWeaker ? "weaker" : "stronger";
    const without = placesOf(claim, full);
    // For other stacks or until another day, it is there.
    const moved = without.length === 0 ? full[0] : undefined;
    if (moved) {
      const [was, now] = side === "before" ? [claim, moved] : [moved, claim];
      const days = was.expires === now.expires ? "" : untilOf(was);
      const stacks = describeStacks([was]) === describeStacks([now]) ? "" : describeStacks([was]);
      const text = `it was${days}${stacks === "" && days === "" ? " for all stacks" : stacks}`;
      return [{ change, claim: now, text, places: [] }];
    }
    const check = `check ${describeCheck(claim.id, titles)}`;
    if (claim.kind === "waiver") {
      const text = `${check} ${word(claim.from)} -> ${claim.to === null ? "none" : word(claim.to)}`;
      const shown = side === "before" ? `removed: ${text}` : text;
      return [{ change, claim, text: shown, places: without }];
    }
    const lost = placesOf(claim, alike);
    const less = placesOf(claim, [...full, ...lost.map((where) => ({ where }))]);
    const fell = (places: readonly Where[], effect: CheckEffect) => {
      const [was, now] = side === "before" ? [claim.to, effect] : [effect, claim.to];
      return { change, claim, places, text: `${check} ${word(was)} -> ${word(now)}` };
    };
    return [fell(lost, null), fell(less, "alerts")].filter(({ places }) => places.length > 0);
  });
  return groupBy(found, ({ change, claim: { title, labels, expires }, text, places }) =>
    JSON.stringify([change, title, labels, expires, text, places]),
  ).map((group) => {
    const [{ change, claim, text, places }] = group;
    const [, ...more] = group.map((one) => one.claim);
    const stacks = describeStacks([claim, ...more]);
    return {
      ...{ change, text, clause: `${claim.title}${untilOf(claim)}${stacks}` },
      places: places.map((where) => describeWhere(where, { isWhole: true })),
    };
  });
}

/** The workloads of a claim that others do not contain. */
function placesOf(
  { where }: Claim,
  others: readonly { readonly where: Where }[],
): readonly Where[] {
  const isSame = (other: Where) => JSON.stringify(other) === JSON.stringify(where);
  if (others.some((other) => isSame(other.where))) return [];
  const parts = remainder(
    where,
    others.map((other) => other.where),
  );
  return parts.map((part) => part.where);
}

/** Returns true if a claim requires or allows at least as much as another one of the same check. */
function does(one: Claim, other: Claim): boolean {
  return one.kind === "requirement"
    ? rankOf(one.to) >= rankOf(other.to)
    : rankOf(one.from) >= rankOf(other.from) && rankOf(one.to) <= rankOf(other.to);
}

function lasts({ expires = "" }: Claim, other: Claim): boolean {
  return expires >= (other.expires ?? "");
}

/** Returns true only if a claim is for each stack that another one is for. */
function isFor({ stacks, labels }: Claim, other: Claim): boolean {
  const hasStarsOnly = (glob: string) => !/[?[\]{}]/.test(glob);
  const covers = (wide: string, narrow: string | undefined) =>
    wide === narrow ||
    (narrow !== undefined &&
      (isGlob(narrow)
        ? hasStarsOnly(wide + narrow) && patternCovers(wide, narrow)
        : globMatcher(wide)(narrow)));
  return (
    (stacks === undefined || covers(stacks, other.stacks ?? "*")) &&
    Object.entries(labels).every(([key, value]) => covers(value, memberOf(other.labels, key)))
  );
}

function word(effect: CheckEffect): string {
  return effect === null ? "not required" : effect === "blocks" ? "block" : "alert";
}

function untilOf({ expires }: Claim): string {
  return expires === undefined ? "" : ` until ${expires}`;
}

/** ` for stacks tenant-* with label ring=canary`; empty for all stacks. */
function describeStacks(claims: readonly [Claim, ...Claim[]]): string {
  const stacks = [...new Set(claims.flatMap(({ stacks }) => stacks ?? []))];
  const wanted = Object.entries(claims[0].labels).map(([key, value]) => `${key}=${value}`);
  return [
    ...(stacks.length > 0 ? [` for stacks ${stacks.sort().join(", ")}`] : []),
    ...(wanted.length > 0 ? [` with label ${wanted.sort().join(", ")}`] : []),
  ].join("");
}
