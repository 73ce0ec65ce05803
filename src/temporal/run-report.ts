import type { RolloutInput } from "./input";
import type {
  AppliedBatch,
  Decision,
  Followed,
  News,
  PlannedBatch,
  PlannedStack,
  Question,
  RemoteStatus,
  ResultPage,
  ReviewPage,
  StackOutcome,
} from "./messages";
import { unchangedOutcome } from "./batches";
import type { EarlierExecution, KeptReport } from "./progress";

/** News, characters of a review and outcomes of one answer: answers are limited to some megabytes. */
const NEWS_OF_ANSWER = 500;
const CHARACTERS_OF_PAGE = 500_000;
const OUTCOMES_OF_ANSWER = 5_000;

/** Keeps what is known of a run, for those who follow it. */
export class RunReport {
  phase: RemoteStatus["phase"] = "planning";
  question: Question | undefined;
  isPaused = false;
  isStopping = false;
  /** The sizes of the waves. */
  waves: readonly number[] = [];
  wave = 0;
  allowedFailures = Number.POSITIVE_INFINITY;
  /** Units that may change something at a time. */
  parallelism = Number.POSITIVE_INFINITY;
  code: number | undefined;
  running = 0;
  private readonly plans: Map<string, PlannedStack>;
  private readonly outcomes: Map<string, StackOutcome>;
  private readonly earlier: readonly EarlierExecution[];
  private readonly reviews: string[] = [];
  private readonly news: News[] = [];

  /** @param kept - of the execution that this one continues */
  constructor(
    private readonly input: RolloutInput,
    kept?: KeptReport,
  ) {
    this.plans = new Map(kept?.plans);
    this.outcomes = new Map(kept?.outcomes);
    this.earlier = kept?.earlier ?? [];
    if (!kept) return;
    this.phase = kept.phase;
    this.isPaused = kept.isPaused;
    this.waves = kept.waves;
    this.wave = kept.wave;
    this.allowedFailures = kept.allowedFailures ?? Number.POSITIVE_INFINITY;
    this.parallelism = kept.parallelism ?? Number.POSITIVE_INFINITY;
  }

  /** Returns what the next execution has to know. @param runId - the ID of this one */
  kept(runId: string): KeptReport {
    const { phase, isPaused, waves, wave, plans, outcomes, allowedFailures, parallelism } = this;
    const { news, reviews } = this.start;
    const own = {
      runId,
      news: news + this.news.length,
      reviews: reviews + this.reviews.length,
    };
    return {
      ...{ phase, isPaused, waves, wave, plans, outcomes },
      earlier: [...this.earlier, own],
      allowedFailures: finite(allowedFailures),
      parallelism: finite(parallelism),
    };
  }

  /** The last plans, by stack. */
  plan(stack: string): PlannedStack | undefined {
    return this.plans.get(stack);
  }

  outcome(stack: string): StackOutcome | undefined {
    return this.outcomes.get(stack);
  }

  /** The stacks that have this result, and those that have none. */
  having(status: StackOutcome["status"]): readonly string[] {
    return [...this.outcomes.values()].flatMap((one) => (one.status === status ? one.stack : []));
  }

  /** The stacks that failed, or were excluded as failures. */
  get failures(): number {
    return this.having("failed").length + this.countedExclusions;
  }

  get countedExclusions(): number {
    const counted = this.having("excluded").filter((stack) => !this.outcome(stack)?.uncounted);
    return counted.length;
  }

  addPlanned({ stacks, excluded, review }: PlannedBatch): void {
    for (const one of stacks) {
      this.plans.set(one.stack, one);
      if (one.changed) this.outcomes.delete(one.stack);
    }
    for (const { stack, reason, isInput } of excluded) this.leaveOut(stack, reason, isInput);
    if (review !== undefined) this.reviews.push(review);
    this.news.push({ kind: "planned", stacks: stacks.map(({ stack }) => stack) });
  }

  /** Excludes stacks that could not be planned. */
  exclude(stacks: readonly string[], reason: string): void {
    for (const stack of stacks) this.leaveOut(stack, reason);
    this.news.push({ kind: "planned", stacks: [...stacks] });
  }

  private leaveOut(stack: string, reason: string, isInput?: true): void {
    // The result of a stack that is planned again with others stays.
    if (this.outcomes.has(stack)) return;
    const isUncounted = isInput && !this.input.countExcluded;
    const outcome = unchangedOutcome(stack, "excluded", reason);
    this.end(isUncounted ? { ...outcome, uncounted: true } : outcome);
  }

  /** Removes the plans of stacks that are planned again, and the results of those that are left to do. */
  forget(stacks: readonly string[]): void {
    for (const stack of stacks) {
      this.plans.delete(stack);
      if (this.outcomes.get(stack)?.status !== "applied") this.outcomes.delete(stack);
    }
  }

  begin(wave: number, stacks: readonly string[]): void {
    this.wave = wave;
    this.phase = "applying";
    this.news.push({ kind: "wave", wave, stacks: [...stacks] });
  }

  handOut(stacks: readonly string[]): void {
    this.running += stacks.length;
    this.news.push({ kind: "started", stacks: [...stacks] });
  }

  takeBack(stacks: readonly string[], { stacks: outcomes, problems }: AppliedBatch): void {
    this.running -= stacks.length;
    for (const outcome of outcomes) this.end(outcome);
    for (const problem of problems) this.news.push({ kind: "problem", problem });
  }

  end(outcome: StackOutcome): void {
    this.outcomes.set(outcome.stack, outcome);
    this.news.push({ kind: "ended", outcome });
  }

  /** Why a decision cannot be taken now; undefined if it can. */
  problemOf(decision: Decision): string | undefined {
    if (this.phase === "ended") return "The run has ended.";
    const { question } = this;
    switch (decision.kind) {
      case "approve":
      case "reject":
        if (!question) return "The run does not wait for an approval now.";
        return question.wave === decision.wave
          ? undefined
          : `The run waits for an answer about wave ${question.wave}, not ${decision.wave}.`;
      case "continue":
        return this.isPaused ? undefined : "The run is not paused.";
      case "pause":
        return this.isPaused ? "The run is paused already." : undefined;
      case "stop":
        return this.isStopping ? "The run is being stopped already." : undefined;
      case "set":
        return this.waves.length === 0 ? "The run has not planned its stacks yet." : undefined;
    }
  }

  /** Notes who has decided, by the name that they claim. */
  decided(decision: Decision): void {
    const { kind, by } = decision;
    const about =
      "wave" in decision
        ? ` wave ${decision.wave}`
        : kind === "set"
          ? ` ${this.allowedFailures} failures, ${this.parallelism} at a time`
          : "";
    this.news.push({ kind: "decided", decision: kind + about, by });
  }

  follow(from: number): Followed {
    const earlier = this.earlier.find(({ news }) => from < news);
    const { status } = this;
    if (earlier) return { status, news: [], next: from, earlier: earlier.runId };
    const at = from - this.start.news;
    const news = this.news.slice(at, at + NEWS_OF_ANSWER);
    return { status, news, next: from + news.length };
  }

  review(from: number): ReviewPage {
    const earlier = this.earlier.find(({ reviews }) => from < reviews);
    if (earlier) return { parts: [], next: from, earlier: earlier.runId };
    const at = from - this.start.reviews;
    let end = at;
    let characters = 0;
    for (const part of this.reviews.slice(at)) {
      characters += part.length;
      if (end > at && characters > CHARACTERS_OF_PAGE) break;
      end++;
    }
    const next = from + end - at;
    const parts = this.reviews.slice(at, end);
    return { parts, ...(end < this.reviews.length && { next }) };
  }

  result(from: number): ResultPage {
    const all = [...this.outcomes.values()];
    const next = from + OUTCOMES_OF_ANSWER;
    return { stacks: all.slice(from, next), ...(next < all.length && { next }) };
  }

  /** The numbers of the first news and of the first part of the review of this execution. */
  private get start(): Pick<EarlierExecution, "news" | "reviews"> {
    return this.earlier.at(-1) ?? { news: 0, reviews: 0 };
  }

  get status(): RemoteStatus {
    const plans = [...this.plans.values()];
    const outcomes = [...this.outcomes.values()];
    const count = (...statuses: readonly StackOutcome["status"][]) =>
      outcomes.filter(({ status }) => statuses.includes(status)).length;
    const { input, question, code, allowedFailures, parallelism } = this;
    return {
      operation: input.operation,
      by: input.by,
      started_at: input.startedAt,
      ...(input.rollsBack !== undefined && { rolls_back: input.rollsBack }),
      queue_by: input.queueBy,
      phase: question ? "waiting" : this.phase,
      ...(question && { question }),
      paused: this.isPaused,
      stopping: this.isStopping,
      wave: this.wave,
      waves: [...this.waves],
      total: input.units.reduce((total, { stacks }) => total + stacks.length, 0),
      planned: plans.length,
      changed: plans.filter(({ changed }) => changed).length,
      applied: count("applied"),
      failed: count("failed"),
      excluded: count("excluded"),
      running: this.running,
      allowed_failures: finite(allowedFailures),
      parallelism: finite(parallelism),
      reviews: this.start.reviews + this.reviews.length,
      to: sumOf(plans),
      ...sumOf(outcomes),
      ...(code !== undefined && { code }),
    };
  }
}

function finite(limit: number): number | null {
  return Number.isFinite(limit) ? limit : null;
}

type Counts = Pick<PlannedStack, "add" | "change" | "remove">;

function sumOf(all: readonly Counts[]): Counts {
  return all.reduce(
    (sum, { add, change, remove }) => ({
      add: sum.add + add,
      change: sum.change + change,
      remove: sum.remove + remove,
    }),
    { add: 0, change: 0, remove: 0 },
  );
}
