import {
  checkChangesOf,
  deciderOf,
  directionOf,
  type CheckChange,
  type Decider,
  type Region,
} from "./compare";
import { decisionsOf, isPartUnknown, type PolicyDecision, type Sides } from "./decisions";
import type { WorkloadQuery } from "./explain";
import { MOST_NAMES, sumChanges, type LiveChange, type LiveCounts } from "./live-counts";
import { compileScope, FIELDS, type CompiledScope, type Field, type Policy } from "./policy";
import { fitOf, PossibleDecisions, type Fit } from "./possible-decisions";

/** A running container. A member that its record does not have is left out, as in a query. */
export interface RunningContainer {
  readonly workload: WorkloadQuery;
  /** The checks that it fails now, with their titles where the console has them. */
  readonly failing: ReadonlyMap<string, string | undefined>;
}

/** The changes between one pair of deciding policies, with counts of the containers that have them. */
interface Outcome {
  /** Equal changes have equal keys; undefined if the checks are not known. */
  readonly key: string | undefined;
  readonly changes: readonly CheckChange[];
  readonly regions: readonly RegionTally[];
  /** The regions have all workloads of the pair. */
  readonly isWhole: boolean;
  readonly namespaces: Map<string | null, { running: number; readonly names: Set<string> }>;
  /** The number of containers that fail a check now, with its title, by ID. */
  readonly failing: Map<string, { running: number; title: string | undefined }>;
}

const SAME: Outcome = {
  key: "[]",
  changes: [],
  regions: [],
  isWhole: true,
  namespaces: new Map(),
  failing: new Map(),
};

/** A region of the comparison, with the number of containers in it. */
interface RegionTally {
  readonly deciders: string;
  readonly where: Region["where"];
  readonly all: readonly CompiledScope[];
  readonly none: readonly CompiledScope[];
  running: number;
  uncertain: number;
  example: WorkloadQuery | null;
}

/**
 * Counts running containers by the change of their checks. Containers are added one by one from a
 * stream; only counts by namespace and a few names are kept.
 */
export class LiveTally {
  private readonly sides: Sides;
  private readonly possible: PossibleDecisions;
  private readonly regions: readonly RegionTally[];
  private readonly outcomes = new Map<number, Outcome>();
  private readonly missing = new Set<Field>();
  private running = 0;
  private uncertain = 0;

  /** @param regions - the result of `compareProtection` for both collections */
  constructor(before: readonly Policy[], after: readonly Policy[], regions: readonly Region[]) {
    this.sides = decisionsOf(before, after);
    this.possible = new PossibleDecisions(this.sides);
    this.regions = regions.map(({ before, after, where }) => ({
      deciders: JSON.stringify([before, after]),
      where,
      all: where.all.map(compileScope),
      none: where.none.map(compileScope),
      running: 0,
      uncertain: 0,
      example: null,
    }));
  }

  add({ workload, failing }: RunningContainer): void {
    this.running += 1;
    const missing = new Set<Field>();
    const pairs = this.possible.of(workload, missing);
    const outcomes = pairs.map(([was, is]) => this.outcomeOf(was, is));
    const [first, ...others] = outcomes;
    const key = first?.key;
    if (first && key !== undefined && others.every((outcome) => outcome.key === key)) {
      if (first !== SAME) countContainer(first, workload, failing);
    } else {
      this.uncertain += 1;
      for (const field of missing) this.missing.add(field);
    }
    const found = outcomes.flatMap(({ regions, isWhole }) =>
      regions.map((region) => ({ region, isWhole })),
    );
    for (const { region, isWhole } of found) {
      const fit = isWhole ? "yes" : fitOfRegion(region, workload);
      if (fit === "no") continue;
      if (fit === "maybe" || others.length > 0) region.uncertain += 1;
      else {
        region.running += 1;
        region.example ??= workload;
      }
    }
  }

  /** Returns the counts of all added containers, which must be those of one console. */
  counts(): LiveCounts {
    const { running, uncertain } = this;
    return {
      consoles: 1,
      running,
      uncertain,
      missing: FIELDS.filter((field) => this.missing.has(field)),
      changes: sumChanges([...this.outcomes.values()].flatMap(changesIn)),
      regions: this.regions.map(({ running, uncertain, example }) => ({
        consoles: running > 0 ? 1 : 0,
        running,
        uncertain,
        example,
      })),
    };
  }

  private outcomeOf(was: PolicyDecision, is: PolicyDecision): Outcome {
    if (was.effect === is.effect) return SAME;
    const pair = was.index * (this.sides.now.policies.length + 1) + is.index;
    const known = this.outcomes.get(pair);
    if (known) return known;
    const isKnown = [was, is].every(({ policy }) => !policy || !isPartUnknown(policy, "checks"));
    const changes = isKnown ? checkChangesOf(was.policy, is.policy) : [];
    const deciders = JSON.stringify([deciderOf(was), deciderOf(is)]);
    const regions = this.regions.filter((region) => region.deciders === deciders);
    const made: Outcome = {
      key: isKnown ? JSON.stringify(changes) : undefined,
      changes,
      regions,
      isWhole: new Set(regions.map(({ where }) => where)).size === 1,
      namespaces: new Map(),
      failing: new Map(),
    };
    this.outcomes.set(pair, made);
    return made;
  }
}

function countContainer(
  { namespaces, failing }: Outcome,
  { namespace = null, container }: WorkloadQuery,
  checks: RunningContainer["failing"],
): void {
  const known = namespaces.get(namespace) ?? { running: 0, names: new Set() };
  namespaces.set(namespace, known);
  known.running += 1;
  if (typeof container === "string" && known.names.size < MOST_NAMES) known.names.add(container);
  for (const [id, title] of checks) {
    const fails = failing.get(id) ?? { running: 0, title };
    failing.set(id, fails);
    fails.running += 1;
    fails.title ??= title;
  }
}

function changesIn({ changes, namespaces, failing }: Outcome): readonly LiveChange[] {
  const counted = [...namespaces].map(([namespace, { running, names }]) => ({
    namespace,
    running,
    names: [...names],
  }));
  if (counted.length === 0) return [];
  return changes.map((change) => ({
    ...change,
    change: directionOf(change),
    title: failing.get(change.id)?.title,
    running: counted.reduce((sum, { running }) => sum + running, 0),
    failing: failing.get(change.id)?.running ?? 0,
    namespaces: counted,
  }));
}

/** The containers that a policy decides for. */
export interface LiveDecision extends Decider {
  readonly running: number;
}

export interface LiveDecisions {
  /** In the order of the policies. */
  readonly decisions: readonly LiveDecision[];
  /** The number of containers for which more than one policy may decide. */
  readonly uncertain: number;
}

/** Counts the containers that each policy decides for. */
export class DecisionTally {
  private readonly possible: PossibleDecisions;
  /** By the index of the policy, which may decide by several scopes. */
  private readonly found = new Map<number, { decision: PolicyDecision; running: number }>();
  private uncertain = 0;

  constructor(policies: readonly Policy[]) {
    this.possible = new PossibleDecisions(decisionsOf(policies, []));
  }

  add({ workload }: RunningContainer): void {
    const pairs = this.possible.of(workload);
    const [decision] = pairs.map(([was]) => was);
    const isOne = new Set(pairs.map(([was]) => was.index)).size === 1;
    if (!decision || !isOne) this.uncertain += 1;
    else {
      const { running } = this.found.get(decision.index) ?? { running: 0 };
      this.found.set(decision.index, { decision, running: running + 1 });
    }
  }

  counts(): LiveDecisions {
    const sorted = [...this.found].sort(([one], [other]) => one - other);
    const decisions = sorted.map(([, { decision, running }]) => ({
      ...deciderOf(decision),
      running,
    }));
    return { decisions, uncertain: this.uncertain };
  }
}

function fitOfRegion({ all, none }: RegionTally, workload: WorkloadQuery): Fit {
  const inside = all.map((scope) => fitOf(scope, FIELDS, workload));
  const outside = none.map((scope) => fitOf(scope, FIELDS, workload));
  if (inside.includes("no") || outside.includes("yes")) return "no";
  return inside.includes("maybe") || outside.includes("maybe") ? "maybe" : "yes";
}
