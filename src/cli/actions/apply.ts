import { error } from "../../provider/diagnostics";
import { hasChanges, type PlanMode } from "../../runtime";
import { reportApplied } from "../apply-report";
import { approvalProblem } from "../approval";
import { confirm, type Question } from "../terminal/confirmation";
import { ExitCode } from "../exit-code";
import { onlyFile } from "../stacks/plan-file";
import type { Terminal } from "../terminal/terminal";
import { applySaved } from "./apply-saved";
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
};

/** Of stacks by name, or of the file of a plan that was saved. */
export async function apply(
  terminal: Terminal,
  names: readonly string[],
  options: ApplyOptions,
): Promise<ExitCode> {
  const file = await onlyFile(terminal, names);
  if (file !== undefined) return applySaved(terminal, file, options);
  return carryOut(options.refreshOnly ? REFRESH : APPLY, terminal, names, options);
}

export async function destroy(
  terminal: Terminal,
  names: readonly string[],
  options: ApplyOptions,
): Promise<ExitCode> {
  const file = await onlyFile(terminal, names);
  if (file === undefined) return carryOut(DESTROY, terminal, names, options);
  const detail = `If ${file} was created using plan --destroy, apply it using "cdktf-console apply ${file}".`;
  runScreen(terminal, options).report([error("Destroy can't be called with a plan file", detail)]);
  return ExitCode.ERROR;
}

async function carryOut(
  kind: Kind,
  terminal: Terminal,
  stacks: readonly string[],
  options: ApplyOptions,
): Promise<ExitCode> {
  const screen = runScreen(terminal, options);
  const ask = !options.autoApprove;
  const problem = approvalProblem(terminal, kind.operation, options);
  if (problem) {
    const [name, ...others] = kind.operation === "apply" ? stacks : [];
    const isNoFile = ` A saved plan needs no approval, but ${JSON.stringify(name)} is no file here.`;
    const hint = name !== undefined && others.length === 0 ? isNoFile : "";
    screen.report([{ ...problem, detail: problem.detail + hint }]);
    return ExitCode.ERROR;
  }
  const { mode, operation } = kind;
  return planning(screen, stacks, options, { mode, operation }, async (session, { stop }) => {
    if (ask && session.plans.some(hasChanges) && !(await confirm(screen, kind.question, stop))) {
      screen.print(`${kind.cancelled}\n`);
      return stop.aborted ? ExitCode.INTERRUPTED : ExitCode.ERROR;
    }
    return reportApplied(screen, operation, await session.apply());
  });
}
