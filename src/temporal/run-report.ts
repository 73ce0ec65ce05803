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
  ReviewPage,
  StackOutcome,
} from "./messages";

/** News of one answer, and characters of one page of a review: answers are limited to some megabytes. */
const NEWS_OF_ANSWER = 500;
const CHARACTERS_OF_PAGE = 500_000;

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
  private running = 0;
  private readonly plans = new Map<string, PlannedStack>();
  private readonly outcomes = new Map<string, StackOutcome>();
  private readonly reviews: string[] = [];
  private readonly news: News[] = [];

  constructor(private readonly input: RolloutInput) {}

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

  addPlanned({ stacks, excluded, review }: PlannedBatch): void {
    for (const one of stacks) this.plans.set(one.stack, one);
    for (const { stack, reason } of excluded) {
      this.end({ stack, status: "excluded", reason, add: 0, change: 0, remove: 0 });
    }
    this.reviews.push(review);
    this.news.push({ kind: "planned", stacks: stacks.map(({ stack }) => stack) });
  }

  /** Excludes stacks that could not be planned. */
  exclude(stacks: readonly string[], reason: string): void {
    for (const stack of stacks) {
      this.end({ stack, status: "excluded", reason, add: 0, change: 0, remove: 0 });
    }
    this.news.push({ kind: "planned", stacks: [...stacks] });
  }

  /** Removes the plans of stacks that are planned again. */
  forget(stacks: readonly string[]): void {
    for (const stack of stacks) {
      this.plans.delete(stack);
      this.outcomes.delete(stack);
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
    const news = this.news.slice(from, from + NEWS_OF_ANSWER);
    return { status: this.status, news, next: from + news.length };
  }

  review(from: number): ReviewPage {
    let next = from;
    let characters = 0;
    for (const part of this.reviews.slice(from)) {
      characters += part.length;
      if (next > from && characters > CHARACTERS_OF_PAGE) break;
      next++;
    }
    const parts = this.reviews.slice(from, next);
    return { parts, ...(next < this.reviews.length && { next }) };
  }

  get status(): RemoteStatus {
    const plans = [...this.plans.values()];
    const outcomes = [...this.outcomes.values()];
    const count = (...statuses: readonly StackOutcome["status"][]) =>
      outcomes.filter(({ status }) => statuses.includes(status)).length;
    const { input, question, code, allowedFailures, parallelism } = this;
    const finite = (limit: number) => (Number.isFinite(limit) ? limit : null);
    return {
      operation: input.operation,
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
      reviews: this.reviews.length,
      to: sumOf(plans),
      ...sumOf(outcomes),
      ...(code !== undefined && { code }),
    };
  }
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
