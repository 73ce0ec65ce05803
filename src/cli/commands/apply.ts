import { error, hasErrors } from "../../provider/diagnostics";
import {
  hasChanges,
  type ApplyResult,
  type AppliedStack,
  type PlanMode,
  type Session,
} from "../../runtime";
import { renderApplied, renderDestroyed } from "../../runtime/review/apply-text";
import { renderOutputs } from "../../runtime/review/output-text";
import { appliedMessages } from "../../runtime/review/ui-stream/apply";
import { confirm, type Question } from "../confirm";
import { ExitCode } from "../exit-code";
import { stackHeading } from "../headings";
import { total } from "../plan-report";
import type { Screen } from "../screen";
import type { Terminal } from "../terminal";
import { planning, runScreen, type ChangeOptions } from "./plan";

export interface ApplyOptions extends ChangeOptions {
  /** Without a question. */
  readonly autoApprove?: boolean;
}

/** What tells an apply from a destroy. */
interface Kind {
  readonly mode: PlanMode;
  readonly operation: "apply" | "destroy";
  readonly question: Question;
  readonly cancelled: string;
  readonly complete: typeof renderApplied;
}

const APPLY: Kind = {
  mode: "normal",
  operation: "apply",
  question: {
    title: "Do you want to perform these actions?",
    lines: [
      "The actions described above will be performed.",
      "Only 'yes' will be accepted to approve.",
    ],
  },
  cancelled: "Apply cancelled.",
  complete: renderApplied,
};

const REFRESH: Kind = {
  ...APPLY,
  mode: "refresh-only",
  question: {
    title: "Would you like to update the Terraform state to reflect these detected changes?",
    lines: [
      "Terraform will write these changes to the state without modifying any real infrastructure.",
      "There is no undo. Only 'yes' will be accepted to confirm.",
    ],
  },
};

const DESTROY: Kind = {
  mode: "destroy",
  operation: "destroy",
  question: {
    title: "Do you really want to destroy all resources?",
    lines: [
      "Everything that the stacks manage will be destroyed, as shown above.",
      "There is no undo. Only 'yes' will be accepted to confirm.",
    ],
  },
  cancelled: "Destroy cancelled.",
  complete: renderDestroyed,
};

export const apply = (terminal: Terminal, stacks: readonly string[], options: ApplyOptions) =>
  carryOut(options.refreshOnly ? REFRESH : APPLY, terminal, stacks, options);

export const destroy = (terminal: Terminal, stacks: readonly string[], options: ApplyOptions) =>
  carryOut(DESTROY, terminal, stacks, options);

async function carryOut(
  kind: Kind,
  terminal: Terminal,
  stacks: readonly string[],
  options: ApplyOptions,
): Promise<ExitCode> {
  const screen = runScreen(terminal, options);
  const ask = !options.autoApprove;
  if (ask && screen.stream) {
    screen.report([
      error(
        "Not approved",
        "Programs that read JSON lines answer no questions. Give --auto-approve.",
      ),
    ]);
    return ExitCode.ERROR;
  }
  if (ask && !terminal.interactive) {
    screen.report([
      error(
        "Not approved",
        "There is nobody to ask whether the plan may be carried out, since input or output is " +
          `no terminal. Review it with "plan", then ${kind.operation} with --auto-approve.`,
      ),
    ]);
    return ExitCode.ERROR;
  }
  const { mode, operation } = kind;
  return planning(screen, stacks, options, { mode, operation }, async (session, { stop }) => {
    if (ask && session.plans.some(hasChanges) && !(await confirm(screen, kind.question, stop))) {
      screen.print(`${kind.cancelled}\n`);
      return stop.aborted ? ExitCode.INTERRUPTED : ExitCode.ERROR;
    }
    return conclude(screen, kind, session, await session.apply());
  });
}

function conclude(screen: Screen, kind: Kind, session: Session, result: ApplyResult): ExitCode {
  const { stacks, interrupted, diagnostics: incomplete } = result;
  screen.report(incomplete);
  for (const stack of stacks) {
    if (stacks.length > 1 && !screen.stream) {
      screen.print(stackHeading(stack.stack, screen.style));
    }
    if (!interrupted && !hasErrors(stack.diagnostics))
      printApplied(screen, kind, stack, stacks.length);
    screen.report(stack.diagnostics);
  }
  const { add, change, destroy } = total(stacks.map(({ counts }) => counts));
  const counts = `${add} added, ${change} changed, ${destroy} destroyed.`;
  if (interrupted) {
    screen.print(`\nInterrupted. Resources: ${counts} Run it again to do the rest.\n`);
    return ExitCode.INTERRUPTED;
  }
  if (stacks.length > 1) {
    screen.print(`\n${screen.style.bold(`Total of ${stacks.length} stacks:`)} ${counts}\n`);
  }
  return stacks.some(({ diagnostics }) => hasErrors(diagnostics)) ? ExitCode.ERROR : ExitCode.DONE;
}

function printApplied(
  screen: Screen,
  kind: Kind,
  { stack, counts, state }: AppliedStack,
  stacks: number,
): void {
  if (screen.stream) {
    const messages = appliedMessages(kind.operation, counts, state?.outputs ?? {});
    for (const message of messages) screen.stream.send(message, stacks > 1 ? stack : undefined);
    return;
  }
  screen.print(`\n${kind.complete(counts, screen.style)}\n`);
  const outputs = renderOutputs(state?.outputs ?? {});
  if (outputs !== "") screen.print(`\n${screen.style.bold("Outputs:")}\n\n${outputs}`);
}
