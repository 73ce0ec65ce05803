import { printed } from "../../core/printed";
import { formatStackCount } from "../../formats/text/counts";
import { statusText } from "../../review/status/status-text";
import {
  followRollout,
  isReadOnly,
  type Decision,
  type RemoteStatus,
  type Rollouts,
  type StackOutcome,
  type StackProblem,
} from "../../temporal";
import { ExitCode } from "../exit-code";
import { claimedName } from "../rollout/course";
import { tooManyFailures } from "../rollout/plan-rollout";
import { followRun, VERBS, type RunFollower } from "../stacks/follow-run";
import { reportApplied } from "../stacks/run-report";
import { askForYes } from "../terminal/confirmation";
import type { Screen } from "../terminal/screen";
import { planningVerb } from "./basis";
import { RemoteReview, type ReviewRequest } from "./remote-review";
import { resultOf } from "./remote-result";
import { readReport } from "./status-part";

interface FollowRequest {
  readonly screen: Screen;
  readonly rollouts: Rollouts;
  readonly runId: string;
  /** The person at this terminal is asked. */
  readonly asks: boolean;
  /** How the review is shown, where the app of the run is known. */
  readonly reviewed?: ReviewRequest;
  /** Changes have an exit code, as with `--detailed-exitcode`. */
  readonly detailed?: boolean;
}

/** Shows a run until it ends. An interrupt ends this command only; the run goes on. */
export async function followRemote(request: FollowRequest): Promise<ExitCode> {
  const { screen, runId } = request;
  const stop = new AbortController();
  const release = screen.terminal.onInterrupt(() => {
    stop.abort();
  });
  try {
    return await new RemoteView(request).show(stop.signal);
  } catch (failure) {
    if (!stop.signal.aborted) throw failure;
    screen.print(
      printed`\nThe run goes on. "cdktf-console rollout wait ${runId}" shows it again, "cdktf-console rollout stop ${runId}" ends it.\n`,
    );
    return ExitCode.INTERRUPTED;
  } finally {
    release();
  }
}

/** A view of a run on the screen. */
class RemoteView {
  private follower: RunFollower | undefined;
  private readonly outcomes = new Map<string, StackOutcome>();
  private readonly problems: StackProblem[] = [];
  private readonly review: RemoteReview;
  private asking: { readonly wave: number; readonly end: AbortController } | undefined;

  constructor(private readonly request: FollowRequest) {
    this.review = new RemoteReview(request.screen, request.reviewed);
  }

  async show(stop: AbortSignal): Promise<ExitCode> {
    const { rollouts, runId } = this.request;
    try {
      for await (const { status, news } of followRollout(rollouts, runId, stop)) {
        for (const one of news) this.report(one, status);
        const isReviewed = status.operation !== "status" && status.phase !== "planning";
        if (isReviewed) await this.showReview(status);
        if (status.question?.wave !== this.asking?.wave) this.ask(status, stop);
        if (status.phase === "ended") return await this.conclude(status);
      }
    } finally {
      this.asking?.end.abort();
      this.follower?.pause();
    }
    return ExitCode.ERROR;
  }

  private report(news: NewsOf, { total, waves, operation }: RemoteStatus): void {
    const { screen } = this.request;
    switch (news.kind) {
      case "planned": {
        const follower = this.followed(planningVerb(operation), total);
        for (const stack of news.stacks) follower.ended(stack, false);
        return;
      }
      case "wave": {
        this.follower?.pause();
        if (waves.length > 1) {
          const title = printed`Wave ${news.wave} of ${waves.length}: ${formatStackCount(news.stacks.length)}`;
          screen.print(printed`\n${screen.style.bold(title)}\n`);
        }
        this.follower = undefined;
        this.followed(VERBS[operation], news.stacks.length);
        return;
      }
      case "started":
        for (const stack of news.stacks) this.follower?.started(stack);
        return;
      case "ended":
        this.outcomes.set(news.outcome.stack, news.outcome);
        this.follower?.ended(news.outcome.stack, news.outcome.status !== "applied");
        return;
      case "decided":
        screen.print(printed`${news.by}: ${news.decision}\n`);
        return;
      case "problem":
        this.problems.push(news.problem);
    }
  }

  private followed(verb: string, stacks: number): RunFollower {
    if (this.follower) return this.follower;
    const names = Array.from({ length: stacks }, (_, index) => String(index));
    this.follower = followRun(this.request.screen, names);
    this.follower.begin(verb, stacks);
    return this.follower;
  }

  private async showReview({ reviews }: RemoteStatus): Promise<void> {
    const { rollouts, runId } = this.request;
    const { shown } = this.review;
    if (shown === reviews) return;
    this.follower?.pause();
    this.follower = undefined;
    await this.review.show(await rollouts.review(runId, shown, reviews), this.outcomes);
  }

  /** Asks the person at the terminal, or says how to answer. The answer may come from elsewhere. */
  private ask({ question, operation }: RemoteStatus, stop: AbortSignal): void {
    this.asking?.end.abort();
    this.asking = undefined;
    if (!question) return;
    const { screen, rollouts, runId, asks } = this.request;
    const { wave, count, stacks, changed } = question;
    const end = new AbortController();
    this.asking = { wave, end };
    this.follower?.pause();
    const about = `Wave ${wave} of ${count} has ${formatStackCount(stacks)}, ${changed} of them with changes.`;
    const waits = printed`The run waits for an answer: "cdktf-console rollout approve ${runId} --wave ${wave}" or "cdktf-console rollout reject ${runId} --wave ${wave}".\n`;
    if (!asks) {
      screen.print(printed`\n${about}\n${waits}`);
      return;
    }
    const title = QUESTIONS[operation];
    const lines = [about, "Only 'yes' will be accepted to approve."];
    stop.addEventListener("abort", () => {
      end.abort();
    });
    const answer = async (): Promise<void> => {
      const question = { title, lines, option: "--auto-approve" } as const;
      const isApproved = await askForYes(screen, question, end.signal);
      // Somebody else has answered, or nobody follows any more.
      if (end.signal.aborted) return;
      // A terminal that was closed rejects nothing.
      if (isApproved === undefined) {
        screen.print(waits);
        return;
      }
      const by = claimedName(screen.terminal.environment);
      await rollouts.decide(runId, { kind: isApproved ? "approve" : "reject", wave, by });
    };
    // The answer of somebody else was the first one.
    void answer().catch(() => {
      screen.print(printed`This answer was not accepted. ${waits}`);
    });
  }

  private async conclude(status: RemoteStatus): Promise<ExitCode> {
    const { screen, rollouts, runId, detailed } = this.request;
    const { operation, allowed_failures: allowed } = status;
    if (operation === "status") {
      const report = await readReport(rollouts, runId, { status, outcomes: this.outcomes });
      screen.print(statusText(report, screen.style));
    }
    if (!isReadOnly(operation)) {
      const outcomes = [...this.outcomes.values()];
      const result = resultOf(outcomes, this.problems, status.code === ExitCode.INTERRUPTED);
      const { excluded } = this.review;
      const ended = { ...result, excluded };
      reportApplied(screen, operation, ended, this.request.reviewed?.options);
      const { total, failed } = status;
      const counted = outcomes.filter((one) => one.status === "excluded" && !one.uncounted);
      const failures = failed + counted.length;
      // Without waves, as after too many exclusions, a stack that is not started has no result.
      const left = result.skipped.length + total - outcomes.length;
      if (allowed !== null && failures > allowed && left > 0) {
        screen.report([tooManyFailures({ allowedFailures: allowed, total }, failures, left, {})]);
      }
    }
    screen.print(printed`\nThe run ${runId} has ended.\n`);
    const code = exitCodeOf(status);
    const isWritten = this.review.isWritten || code !== ExitCode.DONE;
    if (!isWritten) return ExitCode.ERROR;
    return detailed && code === ExitCode.DONE && status.changed > 0 ? ExitCode.CHANGES : code;
  }
}

const QUESTIONS = {
  status: "",
  plan: "",
  apply: "Do you want to start it?",
  destroy: "Do you really want to destroy them?",
  rollback: "Do you want to roll back these changes?",
} as const;

type NewsOf = Awaited<ReturnType<Rollouts["follow"]>>["news"][number];

/** The exit code of a run, which is that of `apply`. */
function exitCodeOf({ code }: RemoteStatus): ExitCode {
  const known = Object.values(ExitCode).find((one) => one === code);
  return known ?? ExitCode.ERROR;
}

/** Decides about a run as the person at this terminal. */
export function decisionOf(
  screen: Screen,
  kind: Exclude<Decision["kind"], "set">,
  wave: number,
): Decision {
  const by = claimedName(screen.terminal.environment);
  return kind === "approve" || kind === "reject" ? { kind, wave, by } : { kind, by };
}
