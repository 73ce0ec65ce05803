import { error, type Diagnostic } from "../../core/diagnostics";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import { builtInProviders } from "../../provider/built-in";
import { withCheckTitles } from "../../review/protection/check-titles";
import type { StackPlan } from "../../runtime";
import type { StackOutcome } from "../../temporal";
import type { ProtectionGate } from "../stacks/protection-gate";
import { reportPlanned } from "../stacks/report-plans";
import type { RunOptions } from "../stacks/run-options";
import { publishReviews } from "../stacks/write-reviews";
import type { Screen } from "../terminal/screen";
import { decodePart } from "./review-part";

/** How the review of a run is shown: as that of the same command without workers. */
export interface ReviewRequest {
  readonly options: RunOptions;
  readonly gate: ProtectionGate;
  /** The names of the stacks, in their order. */
  readonly stacks: readonly string[];
}

/** The review of a run, which the workers make in parts. */
export class RemoteReview {
  /** The number of parts that were shown. */
  shown = 0;
  /** False if a file could not be written. */
  isWritten = true;
  private readonly plans = new Map<string, StackPlan>();
  private readonly excludedBy = new Map<string, ExcludedStack>();

  constructor(
    private readonly screen: Screen,
    private readonly request: ReviewRequest | undefined,
  ) {}

  get excluded(): readonly ExcludedStack[] {
    return this.inOrder(this.excludedBy);
  }

  /** Shows further parts. Those of stacks that were planned again replace earlier ones. */
  async show(texts: readonly string[], outcomes: ReadonlyMap<string, StackOutcome>): Promise<void> {
    const { screen, request, plans, excludedBy } = this;
    const providers = builtInProviders(screen.log);
    const before = new Set(excludedBy.keys());
    const parts = texts.map((text) => decodePart(text, providers));
    this.shown += texts.length;
    const fresh = new Map<string, StackPlan>();
    for (const part of parts) {
      for (const plan of part.plans) fresh.set(plan.stack, plan);
      for (const one of part.excluded) excludedBy.set(one.stack, one);
    }
    for (const [stack, plan] of fresh) plans.set(stack, plan);
    // The workflow itself excludes stacks whose worker has failed.
    for (const { stack, status, reason = "" } of outcomes.values()) {
      if (status !== "excluded" || excludedBy.has(stack)) continue;
      excludedBy.set(stack, { stack, diagnostics: [error(reason, "")] });
    }
    for (const stack of fresh.keys()) excludedBy.delete(stack);
    const excluded = this.excluded.filter(({ stack }) => !before.has(stack));
    const problems = parts.flatMap((part) => part.problems);
    const titles = request?.gate.checkTitles ?? new Map<string, string>();
    const shown = withCheckTitles(this.inOrder(fresh), titles);
    const diagnostics = [...problems, ...[...shown, ...excluded].flatMap((one) => one.diagnostics)];
    const found = { plans: shown, excluded, problems, diagnostics, applicable: shown.length > 0 };
    reportPlanned(screen, found, shown, request?.options ?? {});
    if (request) await this.judge(request, diagnostics);
    else screen.report(parts.flatMap((part) => part.verdict));
  }

  /** Writes the files of the whole review, and prints the verdict. The workers have decided by it. */
  private async judge(
    { gate, options }: ReviewRequest,
    failure: readonly Diagnostic[],
  ): Promise<void> {
    const { screen, excluded } = this;
    const plans = withCheckTitles(this.inOrder(this.plans), gate.checkTitles);
    const verdict = gate.judge(plans, excluded);
    const planned = plans.length === 0 ? { failure } : { plans, excluded, verdict };
    if (!(await publishReviews(screen, planned, options))) this.isWritten = false;
    if (plans.length > 0) gate.refuse(screen, plans, excluded);
  }

  private inOrder<T>(found: ReadonlyMap<string, T>): readonly T[] {
    const { stacks = [...found.keys()] } = this.request ?? {};
    return stacks.flatMap((stack) => found.get(stack) ?? []);
  }
}
