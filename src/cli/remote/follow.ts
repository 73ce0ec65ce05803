import { printed, prose } from "../../core/printed";
import { error, warning, type Diagnostic } from "../../core/diagnostics";
import { formatStackCount } from "../../formats/text/counts";
import { groupBy } from "../../core/group-by";
import { inStacks, listStacks } from "../../review/exclusions/exclusions-text";
import { renderHeading, renderUnchanged } from "../../review/groups/groups-text";
import {
  followRollout,
  type Decision,
  type RemoteStatus,
  type ReviewedProblem,
  type Rollouts,
  type StackOutcome,
} from "../../temporal";
import { ExitCode } from "../exit-code";
import { claimedName } from "../rollout/course";
import { followRun, type RunFollower } from "../stacks/follow-run";
import { confirm } from "../terminal/confirmation";
import type { Screen } from "../terminal/screen";

interface FollowRequest {
  readonly screen: Screen;
  readonly rollouts: Rollouts;
  readonly runId: string;
  /** The person at this terminal is asked. */
  readonly asks: boolean;
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
  private asking: { readonly wave: number; readonly end: AbortController } | undefined;
  private isReviewed = false;

  constructor(private readonly request: FollowRequest) {}

  async show(stop: AbortSignal): Promise<ExitCode> {
    const { rollouts, runId } = this.request;
    try {
      for await (const { status, news } of followRollout(rollouts, runId, stop)) {
        for (const one of news) this.report(one, status);
        const isPlanned = status.phase !== "planning";
        if (isPlanned && !this.isReviewed) await this.printReview(status);
        if (status.question?.wave !== this.asking?.wave) this.ask(status, stop);
        if (status.phase === "ended") return this.conclude(status);
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
      case "planned":
        this.followed("Planning", total).ended(news.stacks.join(), false);
        return;
      case "wave": {
        this.follower?.pause();
        if (waves.length > 1) {
          const title = printed`Wave ${news.wave} of ${waves.length}: ${formatStackCount(news.stacks.length)}`;
          screen.print(printed`\n${screen.style.bold(title)}\n`);
        }
        const verb = operation === "destroy" ? "Destroying" : "Applying";
        this.follower = undefined;
        this.followed(verb, news.stacks.length);
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
        if (this.isReviewed) screen.report([diagnosticOf(news.problem)]);
    }
  }

  private followed(verb: string, stacks: number): RunFollower {
    if (this.follower) return this.follower;
    const names = Array.from({ length: stacks }, (_, index) => String(index));
    this.follower = followRun(this.request.screen, names);
    this.follower.begin(verb, stacks);
    return this.follower;
  }

  private async printReview({ planned, total, to }: RemoteStatus): Promise<void> {
    const { screen, rollouts, runId } = this.request;
    this.isReviewed = true;
    this.follower?.pause();
    this.follower = undefined;
    for await (const { groups, unchanged, problems } of rollouts.review(runId)) {
      for (const { text, stacks } of groups) {
        const heading = renderHeading(stacks, planned, screen);
        screen.print(printed`${heading}${prose(text)}`);
      }
      if (unchanged.length > 0) screen.print(renderUnchanged(unchanged, planned, screen));
      screen.report(problems.map(diagnosticOf));
    }
    const counts = `${to.add} to add, ${to.change} to change, ${to.remove} to destroy.`;
    const title = printed`Total of ${formatStackCount(total)}:`;
    screen.print(printed`\n${screen.style.bold(title)} ${counts}\n`);
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
    if (!asks) {
      screen.print(
        printed`\n${about}\nThe run waits for an answer: "cdktf-console rollout approve ${runId} --wave ${wave}" or "cdktf-console rollout reject ${runId} --wave ${wave}".\n`,
      );
      return;
    }
    const title =
      operation === "destroy" ? "Do you really want to destroy them?" : "Do you want to start it?";
    const lines = [about, "Only 'yes' will be accepted to approve."];
    stop.addEventListener("abort", () => {
      end.abort();
    });
    const answer = async (): Promise<void> => {
      const isApproved = await confirm(
        screen,
        { title, lines, option: "--auto-approve" },
        end.signal,
      );
      // Somebody else has answered, or nobody follows any more.
      if (end.signal.aborted) return;
      const by = claimedName(screen.terminal.environment);
      await rollouts.decide(runId, { kind: isApproved ? "approve" : "reject", wave, by });
    };
    void answer().catch(() => undefined);
  }

  private conclude(status: RemoteStatus): ExitCode {
    const { screen, runId, detailed } = this.request;
    printResult(screen, runId, status, [...this.outcomes.values()]);
    const code = exitCodeOf(status);
    return detailed && code === ExitCode.DONE && status.changed > 0 ? ExitCode.CHANGES : code;
  }
}

type NewsOf = Awaited<ReturnType<Rollouts["follow"]>>["news"][number];

/** Reasons of stacks that have none. */
const REASONS: Readonly<Record<StackOutcome["status"], string>> = {
  applied: "",
  failed: "The stack failed",
  excluded: "The stack could not be planned",
  changed: "The plan is another one than was approved",
  "not started": "The run ended before",
};

/** Prints the numbers of a run that has ended, and why stacks failed. */
function printResult(
  screen: Screen,
  runId: string,
  status: RemoteStatus,
  outcomes: readonly StackOutcome[],
): void {
  const { operation, total, add, change, remove, failed, excluded, applied, phase } = status;
  if (operation !== "plan") {
    const counts = `${add} added, ${change} changed, ${remove} destroyed.`;
    const lost = failed === 0 ? "" : ` ${formatStackCount(failed)} failed.`;
    const title = printed`Total of ${formatStackCount(total)}:`;
    screen.print(printed`\n${screen.style.bold(title)} ${counts}${lost}\n`);
  }
  const reasons = groupBy(
    outcomes.filter(({ status: one }) => ["failed", "excluded", "changed"].includes(one)),
    ({ status: one, reason = "" }) => `${one} ${reason}`,
  );
  for (const group of reasons) {
    const { status: one, reason = REASONS[one] } = group[0];
    const names = listStacks(group.map(({ stack }) => stack));
    screen.print(printed`  - ${one}: ${reason} (${group.length}): ${names}\n`);
  }
  const left = total - applied - failed - excluded;
  if (operation !== "plan" && phase === "ended" && left > 0) {
    screen.print(printed`Not started: ${left} of ${formatStackCount(total)}\n`);
  }
  screen.print(printed`\nThe run ${runId} has ended.\n`);
}

/** The exit code of a run, which is that of `apply`. */
function exitCodeOf({ code }: RemoteStatus): ExitCode {
  const known = Object.values(ExitCode).find((one) => one === code);
  return known ?? ExitCode.ERROR;
}

function diagnosticOf({ severity, summary, detail, stacks }: ReviewedProblem): Diagnostic {
  const names = stacks.length === 0 ? printed`` : printed`\n\n${inStacks(stacks)}`;
  const text = printed`${prose(detail)}${names}`;
  return severity === "error" ? error(summary, text) : warning(summary, text);
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
