import { groupBy } from "../../core/group-by";
import { quote } from "../../core/printed";
import { requiredPolicies } from "../../protection/contract";
import { compareProtection, type CheckChange, type Region } from "../../protection/compare";
import type { CheckEffect, Policy } from "../../protection/policy";
import { describeCheck, type CheckTitles } from "../../review/protection/check-titles";
import { describeScope, describeWhere } from "../../review/protection/protection-text";
import { isExpired } from "./judge";
import type { Clause, Contract, WaiverClause } from "./read-contract";

/** An effect of the difference between two contracts. */
export interface ContractChange {
  /** `other`: a clause is for other stacks, which cannot be compared. */
  readonly change: Region["change"] | "other";
  /** `requirement "no root in production" for stacks tenant-*` */
  readonly clause: string;
  /** `check 599 block -> not required` */
  readonly text: string;
  /** The workloads: `namespaces prod-pay`. */
  readonly places: readonly string[];
}

/** A clause by what it requires. */
interface Required extends Pick<Clause, "selection"> {
  readonly title: string;
  readonly policies: readonly Policy[];
}

const RANK = { weaker: 0, other: 1, stronger: 2 } as const;

/**
 * Compares what two contracts require and waive; names of owners, reasons and the order of clauses have
 * no effect. Weaker changes come first.
 *
 * @param now Milliseconds since 1970. Waivers that have expired have no effect.
 */
export function compareContracts(
  before: Contract,
  after: Contract,
  now: number,
): readonly ContractChange[] {
  const titles = new Map([...before.checkTitles, ...after.checkTitles]);
  const [was, will] = [requiredIn(before), requiredIn(after)];
  const required = [...new Set([...was.keys(), ...will.keys()])].flatMap((key) =>
    compareRequired(was.get(key), will.get(key), titles),
  );
  const [old, added] = [before, after].map((contract) => waiversIn(contract, now));
  const waivers = [
    ...waiversBeside(added, old).map((one) => waiverChange("weaker", one, titles)),
    ...waiversBeside(old, added).map((one) => waiverChange("stronger", one, titles)),
  ];
  return [...required, ...waivers].sort((one, other) => RANK[one.change] - RANK[other.change]);
}

/** Requirements by name, and base lines by file. */
function requiredIn({ requirements, baselines }: Contract): ReadonlyMap<string, Required> {
  const all: readonly Required[] = [
    ...requirements.map((one) => ({
      title: `requirement ${quote(one.name)}`,
      policies: requiredPolicies(one),
      selection: one.selection,
    })),
    ...baselines.map((one) => ({ ...one, title: `base line ${quote(one.name)}` })),
  ];
  // Base lines of one file are for different stacks.
  return new Map(
    groupBy(all, ({ title }) => title).flatMap((group) =>
      group.map((one, index) => [`${one.title} ${index}`, one] as const),
    ),
  );
}

function compareRequired(
  before: Required | undefined,
  after: Required | undefined,
  titles: CheckTitles,
): readonly ContractChange[] {
  const [was, will] = [before, after].map((one) => (one ? describeSelection(one) : ""));
  const clause = `${after?.title ?? before?.title ?? ""}${(after ? will : was) ?? ""}`;
  const regions = compareProtection(before?.policies ?? [], after?.policies ?? []);
  const changes = groupBy(regions, ({ change, checks }) => JSON.stringify([change, checks])).map(
    (group): ContractChange => ({
      change: group[0].change,
      clause,
      text: group[0].checks.map((check) => describeRequired(check, titles)).join(", "),
      places: group.map(({ where }) => describeWhere(where)),
    }),
  );
  const isMoved = before && after && was !== will;
  const text = `it was${was === "" ? " for all stacks" : (was ?? "")}`;
  return isMoved ? [{ change: "other", clause, text, places: [] }, ...changes] : changes;
}

function describeRequired({ id, before, after }: CheckChange, titles: CheckTitles): string {
  return `check ${describeCheck(id, titles)} ${word(before)} -> ${word(after)}`;
}

function word(effect: CheckEffect): string {
  return effect === null ? "not required" : effect === "blocks" ? "block" : "alert";
}

function waiversIn({ waivers }: Contract, now: number): ReadonlyMap<string, WaiverClause> {
  return new Map(
    waivers
      .filter((waiver) => !isExpired(waiver, now))
      .map((waiver) => {
        const { where, checks, selection, expires } = waiver;
        return [JSON.stringify([where, [...checks], selection, expires]), waiver];
      }),
  );
}

function waiversBeside(
  waivers: ReadonlyMap<string, WaiverClause> | undefined,
  others: ReadonlyMap<string, WaiverClause> | undefined,
): readonly WaiverClause[] {
  return [...(waivers ?? [])].flatMap(([key, waiver]) => (others?.has(key) ? [] : [waiver]));
}

function waiverChange(
  change: Region["change"],
  waiver: WaiverClause,
  titles: CheckTitles,
): ContractChange {
  const checks = [...waiver.checks].map(
    ([id, { from, to }]) =>
      `check ${describeCheck(id, titles)} ${word(from)} -> ${to === null ? "none" : word(to)}`,
  );
  return {
    change,
    clause: `waiver of ${waiver.owner} until ${waiver.expires}${describeSelection(waiver)}`,
    text: change === "weaker" ? checks.join(", ") : `removed: ${checks.join(", ")}`,
    places: [describeScope(waiver.where)],
  };
}

/** ` for stacks tenant-* with label ring=canary`; empty for all stacks. */
function describeSelection({ selection: { stacks, labels } }: Pick<Clause, "selection">): string {
  const wanted = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return [
    ...(stacks.length > 0 ? [` for stacks ${[...stacks].sort().join(", ")}`] : []),
    ...(wanted.length > 0 ? [` with label ${wanted.sort().join(", ")}`] : []),
  ].join("");
}
