import { allowedFailures } from "../fleet/rollout/failures";
import type { Rollout } from "../fleet/rollout/rollout";
import type { Decision, Question } from "./messages";
import { DECIDE } from "./names";
import type { RunReport } from "./run-report";
import type { WorkflowSdk } from "./sdk";

/** The decisions of people about a run. */
export class Decisions {
  /** The rollout whose limits a person may change. */
  rollout: Pick<Rollout, "limited"> | undefined;
  private readonly ending = new AbortController();
  private answer: "approve" | "reject" | undefined;

  /** @param autoApprove - only what is manual is asked about */
  constructor(
    private readonly sdk: WorkflowSdk,
    private readonly report: RunReport,
    private readonly autoApprove: boolean,
  ) {
    const decide = this.decide.bind(this);
    const validator = (decision: Decision): void => {
      const problem = report.problemOf(decision);
      if (problem !== undefined) throw new Error(problem);
    };
    sdk.setHandler(sdk.defineUpdate(DECIDE), decide, { validator });
  }

  /** Aborted when a person ends the run. */
  get stop(): AbortSignal {
    return this.ending.signal;
  }

  // Methods, because these change while the workflow waits.

  isStopped(): boolean {
    return this.ending.signal.aborted;
  }

  private answered(): "approve" | "reject" | undefined {
    return this.answer;
  }

  /** Waits for an answer, where one is needed. Returns true if the wave may start. */
  async ask(question: Question, isManual: boolean): Promise<boolean> {
    if (this.autoApprove && !isManual) return true;
    const { report } = this;
    this.answer = undefined;
    report.question = question;
    await this.sdk.condition(() => this.answered() !== undefined || this.isStopped());
    report.question = undefined;
    return this.answered() === "approve" && !this.isStopped();
  }

  private decide(decision: Decision): void {
    const { report } = this;
    // The question may have changed since the decision was accepted.
    if (report.problemOf(decision) !== undefined) return;
    if (decision.kind === "set") this.limit(decision);
    report.decided(decision);
    if (decision.kind === "approve" || decision.kind === "reject") {
      this.answer = decision.kind;
      // Another answer is refused, also one that arrives in the same moment.
      report.question = undefined;
    } else if (decision.kind === "stop") {
      report.isStopping = true;
      this.ending.abort();
    } else if (decision.kind !== "set") report.isPaused = decision.kind === "pause";
  }

  private limit({ maxFailures, parallelism }: Extract<Decision, { kind: "set" }>): void {
    const { report } = this;
    const { total } = report.status;
    if (maxFailures) report.allowedFailures = allowedFailures(maxFailures, total, true);
    if (parallelism !== undefined) report.parallelism = parallelism;
    this.rollout?.limited();
  }
}
