import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { globMatcher, isGlob } from "../../fleet/selection/glob";
import type { StackLabels } from "../../fleet/selection/labels";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import {
  worstOutcome,
  type JudgedWaiver,
  type Verdict,
  type Weakening,
} from "../../review/protection/verdict";
import { verdictDiagnostics, waivedText } from "../../review/protection/verdict-text";
import { weakerEffects } from "../../review/protection/protection-text";
import { isFirstSetup } from "../../review/protection/first-setup";
import { effectDigest } from "../../review/protection/effect-digest";
import { hasChanges, type PlanMode, type StackPlan } from "../../runtime";
import { isExpired, judge, type Judgement } from "../contract/judge";
import {
  NO_CONTRACT,
  concerns,
  unmatchedPatterns,
  usesLabels,
  type Contract,
  type WaiverClause,
} from "../contract/contract";
import { readContract } from "../contract/read-contract";
import { proposal, proposalProblems, type Needed } from "../contract/proposal";
import { ExitCode } from "../exit-code";
import type { Screen } from "../terminal/screen";
import type { Terminal } from "../terminal/terminal";
import { writeTextFile } from "../terminal/write-file";

export interface GateOptions {
  readonly failOn?: "weaker";
  /** Stacks, patterns of stacks and addresses that may weaken protection; `NAME@DIGEST` for one effect. */
  readonly allowWeaker?: readonly string[];
  /** Accept what is not certain. */
  readonly allowUnknown?: boolean;
  /** File to write the waivers to that the plans need. */
  readonly proposeWaivers?: string;
  /** File of the contract. Default: protection.yaml or protection.json. */
  readonly contract?: string;
}

/** The stacks that a contract and the options are about. */
export interface GateStacks {
  /** All stacks of the app, whatever is selected; undefined if only plans are known. */
  readonly names: readonly string[] | undefined;
  /** Reads the labels of stacks, by name; those of others are not known. */
  readonly labels: () => Promise<ReadonlyMap<string, StackLabels>>;
  /** A destroy and a refresh need no contract. Default: normal. */
  readonly mode?: PlanMode;
}

/** A name of `--allow-weaker`. */
interface Allowed {
  readonly text: string;
  readonly name: string;
  readonly digest: string | undefined;
}

/** Refuses plans by their effect on protection: by the contract, and with `--fail-on weaker`. */
export class ProtectionGate {
  private last?: { readonly plans: readonly StackPlan[]; readonly verdict: Verdict };

  private constructor(
    private readonly contract: Contract,
    private readonly options: GateOptions,
    private readonly stacks: {
      readonly names: GateStacks["names"];
      readonly labels: ReadonlyMap<string, StackLabels>;
    },
    private readonly allowed: readonly Allowed[],
  ) {}

  /** Reads the contract. Errors of it, and of names that match nothing, are found before planning. */
  static async open(
    { directory }: Terminal,
    options: GateOptions,
    { names, labels, mode = "normal" }: GateStacks,
  ): Promise<{ readonly gate: ProtectionGate } | { readonly problems: readonly Diagnostic[] }> {
    const { contract, diagnostics } =
      mode === "normal" || mode === "rollback" || options.failOn !== undefined
        ? await readContract(directory, options.contract)
        : { contract: NO_CONTRACT, diagnostics: [] };
    const allowed = (options.allowWeaker ?? []).map(allowedName);
    const { proposeWaivers } = options;
    const problems = [
      ...diagnostics,
      ...(proposeWaivers === undefined ? [] : proposalProblems(directory, proposeWaivers, options)),
      ...(names ? unmatchedPatterns(contract, names) : []),
      ...allowed
        .filter(({ name }) => names && !isAddress(name) && !names.some(matcherOf(name)))
        .map(({ text }) => nothingAllowed(text)),
    ];
    if (hasErrors(problems)) return { problems };
    const known = usesLabels(contract) ? await labels() : new Map<string, StackLabels>();
    return { gate: new ProtectionGate(contract, options, { names, labels: known }, allowed) };
  }

  /** Titles of checks, by ID. */
  get checkTitles(): ReadonlyMap<string, string> {
    return this.contract.checkTitles;
  }

  /**
   * Judges the plans, in each form of a review the same. With `--fail-on weaker` the plans pass if the
   * outcome is `passed`, without it also if protection gets weaker.
   */
  judge(
    plans: readonly StackPlan[],
    excluded: readonly ExcludedStack[] = [],
    now = Date.now(),
  ): Verdict {
    if (this.last?.plans === plans) return this.last.verdict;
    const { allowUnknown = false, failOn } = this.options;
    const labelsOf = (stack: string) => this.stacks.labels.get(stack);
    const judgement = judge(plans, this.contract, { allowUnknown, labelsOf, now });
    const { clauses, waived } = judgement;
    const open = judgement.weakenings.filter((one) => !this.isAllowed(one));
    const verdict = {
      outcome: worstOutcome(clauses, open, excluded.length > 0),
      ...{ clauses, open, waived, failsOnWeaker: failOn !== undefined },
      waivers: this.judgedWaivers(plans, judgement, now),
      titles: this.checkTitles,
    };
    this.last = { plans, verdict };
    return verdict;
  }

  /**
   * Reports what the plans violate and weaken. Undefined: they pass. Violations come before weakened
   * protection.
   */
  refuse(
    screen: Screen,
    plans: readonly StackPlan[],
    excluded: readonly ExcludedStack[] = [],
  ): ExitCode | undefined {
    const verdict = this.judge(plans, excluded);
    const breaches = verdict.clauses.flatMap((clause) => clause.breaches);
    const unmatched = this.unmatched(plans);
    const proposal = this.propose(screen, [
      ...verdict.open.map((one) => ({
        ...one,
        isHidden: one.review.isHidden,
        others: weakerEffects({ ...one.review, regions: [] }).map(({ text }) => text),
      })),
      ...breaches.map((one) => ({ ...one, others: [one.unproved].flatMap((why) => why ?? []) })),
    ]);
    // A first setup replaces default policies only, which its text says in one sentence.
    if (!screen.stream && !plans.every(isFirstSetup)) screen.aside(waivedText(verdict));
    screen.report([...unmatched, ...verdictDiagnostics(verdict), ...proposal]);
    if (unmatched.length + breaches.length + proposal.length > 0) return ExitCode.ERROR;
    return verdict.failsOnWeaker && verdict.open.length > 0 ? ExitCode.WEAKER : undefined;
  }

  /** Writes the waivers that are needed, also if there are none: an earlier file would be outdated. */
  private propose({ terminal }: Screen, needed: readonly Needed[]): readonly Diagnostic[] {
    const { proposeWaivers: file } = this.options;
    return file === undefined
      ? []
      : writeTextFile(terminal, file, proposal(needed, this.checkTitles), "proposal");
  }

  private isAllowed({ stack, review }: Weakening): boolean {
    const digest = effectDigest(review);
    const allows = (allowed: Allowed, name: string) =>
      (allowed.digest === undefined || allowed.digest === digest) && matcherOf(allowed.name)(name);
    return (
      this.allowed.some((one) => allows(one, stack)) ||
      review.addresses.every((address) => this.allowed.some((one) => allows(one, address)))
    );
  }

  /** Names that no plan has. A run of a part of the stacks does not have all addresses. */
  private unmatched(plans: readonly StackPlan[]): readonly Diagnostic[] {
    const { names } = this.stacks;
    if (names && plans.length < names.length) return [];
    const known = plans.flatMap(({ stack, changes }) => [
      stack,
      ...changes.map(({ address }) => address),
    ]);
    return this.allowed
      .filter(({ name }) => ![...known, ...(names ?? [])].some(matcherOf(name)))
      .map(({ text }) => nothingAllowed(text));
  }

  private judgedWaivers(
    plans: readonly StackPlan[],
    { used }: Judgement,
    now: number,
  ): readonly JudgedWaiver[] {
    const { names } = this.stacks;
    const planned = new Set(plans.map(({ stack }) => stack));
    // A plan without changes says nothing about waivers of changes.
    const changed = new Set(plans.filter(hasChanges).map(({ stack }) => stack));
    const isWhole = plans.every(({ complete }) => complete);
    const isUnused = (waiver: WaiverClause) => {
      const stacks = (names ?? [...planned]).filter((stack) =>
        concerns(waiver, stack, this.stacks.labels.get(stack), false),
      );
      return (
        isWhole &&
        stacks.every((stack) => planned.has(stack)) &&
        stacks.some((stack) => changed.has(stack))
      );
    };
    return this.contract.waivers.map((waiver) => {
      const { place, owner, reason, expires } = waiver;
      const other = isUnused(waiver) ? "unused" : "idle";
      const valid = used.has(waiver) ? "used" : other;
      return { place, owner, reason, expires, state: isExpired(waiver, now) ? "expired" : valid };
    });
  }
}

function allowedName(text: string): Allowed {
  const [, name, digest] = /^(.+)@([0-9a-f]{12})$/.exec(text) ?? [];
  return { text, name: name ?? text, digest };
}

/** A resource in a plan; the names of some stacks look like one. */
function isAddress(name: string): boolean {
  return /^[A-Za-z_][\w-]*\./.test(name);
}

function matcherOf(name: string): (text: string) => boolean {
  if (!isGlob(name)) return (text) => text === name;
  const matches = globMatcher(name);
  return (text) => text === name || matches(text);
}

function nothingAllowed(text: string): Diagnostic {
  return error(
    "Nothing to allow",
    `--allow-weaker ${JSON.stringify(text)} matches no stack and no resource. "cdktf-console stacks" lists the stacks; a digest has 12 hexadecimal digits, as the plan prints it.`,
  );
}
