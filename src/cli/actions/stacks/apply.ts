import { printed } from "../../../core/printed";
import { error, type Diagnostic } from "../../../core/diagnostics";
import { resolve } from "node:path";
import { fileFault } from "../../../core/io/file-fault";
import { type ApplyResult, isApplyable, type PlanMode } from "../../../runtime";
import { ExitCode } from "../../exit-code";
import { looksLikeFile, onlyFile } from "../../stacks/plan-file";
import type { RunOperation } from "../../../fleet/run-log/entries";
import { rolledBackRun } from "../../rollout/rolled-back-run";
import { RecordedRun } from "../../rollout/recorded-run";
import { announceRollout, planRollout } from "../../rollout/plan-rollout";
import { digestOfProgram } from "../../rollout/program-digest";
import { rollOut } from "../../rollout/roll-out";
import { describeProtectionOf } from "../../stacks/run-report";
import { planAndReport, runScreen, type Purpose } from "./planning";
import type { RunOptions } from "../../stacks/run-options";
import { readLabels } from "../../stacks/selection";
import { approvalProblem, confirm, type YesQuestion } from "../../terminal/confirmation";
import type { Program } from "../../stacks/engines";
import type { Terminal } from "../../terminal/terminal";
import { applySaved } from "./apply-saved";
import { runRemotely } from "./remote";

/** A way to apply plans. */
interface Operation {
  readonly name: RunOperation;
  readonly mode: PlanMode;
  /** @param workspace - of all stacks; undefined if it is the default, or if they differ */
  readonly question: (workspace: string | undefined) => Pick<YesQuestion, "title" | "lines">;
}

const APPLY: Operation = {
  name: "apply",
  mode: "normal",
  question: (workspace) => ({
    title: `Do you want to perform these actions${inWorkspace(workspace)}?`,
    lines: [
      "The actions described above will be performed.",
      "Only 'yes' will be accepted to approve.",
    ],
  }),
};

const REFRESH: Operation = {
  name: "apply",
  mode: "refresh-only",
  question: (workspace) => ({
    title: `Would you like to update the state${workspace === undefined ? "" : ` for "${workspace}"`} to reflect these detected changes?`,
    lines: [
      "These changes will be written to the state without modifying any real infrastructure.",
      "There is no undo. Only 'yes' will be accepted to confirm.",
    ],
  }),
};

const DESTROY: Operation = {
  name: "destroy",
  mode: "destroy",
  question: (workspace) => ({
    title: `Do you really want to destroy all resources${inWorkspace(workspace)}?`,
    lines: [
      "All objects that the stacks manage will be destroyed, as shown above.",
      "There is no undo. Only 'yes' will be accepted to confirm.",
    ],
  }),
};

const ROLLBACK: Operation = {
  name: "rollback",
  mode: "rollback",
  question: (workspace) => ({
    title: `Do you want to roll back these changes${inWorkspace(workspace)}?`,
    lines: [
      "The consoles and states get back what they had before the run, as shown above.",
      "Only 'yes' will be accepted to approve.",
    ],
  }),
};

const TITLES: Readonly<Record<RunOperation, string>> = {
  apply: "Apply",
  destroy: "Destroy",
  rollback: "Rollback",
};

function inWorkspace(workspace: string | undefined): string {
  return workspace === undefined ? "" : ` in workspace "${workspace}"`;
}

/** Applies stacks by name, or the saved plan in a file. */
export const apply = (terminal: Terminal, names: readonly string[], options: RunOptions) =>
  options.on !== undefined
    ? runRemotely("apply", terminal, names, options)
    : options.rollback === undefined
      ? run(options.refreshOnly ? REFRESH : APPLY, terminal, names, options)
      : applyStacks(ROLLBACK, terminal, names, options);

/** Puts back what a recorded run has changed. */
export const rollback = (
  terminal: Terminal,
  file: string,
  names: readonly string[],
  options: RunOptions,
) => applyStacks(ROLLBACK, terminal, names, { ...options, rollback: file });

/** Records changes made outside of the stacks in the states, without a question. */
export const refresh = (terminal: Terminal, names: readonly string[], options: RunOptions) =>
  run(REFRESH, terminal, names, { ...options, refreshOnly: true, autoApprove: true });

/** Destroys all objects that the stacks manage. */
export const destroy = (terminal: Terminal, names: readonly string[], options: RunOptions) =>
  options.on === undefined
    ? run(DESTROY, terminal, names, options)
    : runRemotely("destroy", terminal, names, options);

async function run(
  operation: Operation,
  terminal: Terminal,
  names: readonly string[],
  options: RunOptions,
): Promise<ExitCode> {
  const { engine } = options;
  const file = await onlyFile(terminal, names);
  const [only, ...others] = names;
  if (file === undefined && only !== undefined && others.length === 0 && looksLikeFile(only)) {
    return runScreen(terminal, options).fail(noPlanFile(terminal, only));
  }
  if (file === undefined) return applyStacks(operation, terminal, names, options);
  if (engine !== "embedded") return runScreen(terminal, options).fail(foreignPlan(engine));
  if (operation.name === "apply") return applySaved(terminal, file, options);
  const detail = `If ${file} was created using plan --destroy, apply it using "cdktf-console apply ${file}".`;
  const screen = runScreen(terminal, options);
  return screen.fail(error("Destroy can't be called with a plan file", detail));
}

function noPlanFile({ directory }: Terminal, file: string): Diagnostic {
  const fault = fileFault({ code: "ENOENT", syscall: "open" }, resolve(directory, file));
  const detail = `${file}: ${fault} Save a plan there with "plan --out ${file}", or name a stack.`;
  return error("Plan file cannot be read", detail);
}

function foreignPlan(program: Program): Diagnostic {
  const detail = `Apply a plan that ${program} saved in the folder of its stack, with "${program} apply FILE". Apply a plan that "plan --out" saved without --engine in the same way, without --engine.`;
  return error("Unsupported by this engine", detail);
}

async function applyStacks(
  operation: Operation,
  terminal: Terminal,
  stacks: readonly string[],
  given: RunOptions,
): Promise<ExitCode> {
  const { name, mode, question } = operation;
  const screen = runScreen(terminal, given);
  // The plans of an approved wave are those that were reviewed, or nothing starts.
  const autoApprove = given.autoApprove === true || given.approveWave !== undefined;
  const problem = approvalProblem(name, { ...given, autoApprove });
  if (problem) return screen.fail(problem);
  const recorded = await RecordedRun.open(screen, name, given);
  if (!recorded) return ExitCode.ERROR;
  const options = { ...given, ...recorded.options };
  const rolledBack = await rolledBackRun(screen, options);
  if (rolledBack === "unusable") return ExitCode.ERROR;
  const { log, course, labels } = recorded;
  const purpose: Purpose = {
    mode,
    operation: name === "destroy" ? "destroy" : "apply",
    runId: () => log.recordId,
    judge: recorded.tenants.check,
    ...(rolledBack && { rollback: rolledBack.stacks }),
    choose: (found, all) => {
      const selected = rolledBack?.choose(found, all) ?? found;
      const choice = {
        selected,
        app: all,
        labels: () => readLabels(all),
        program: () => digestOfProgram(all),
      };
      return recorded.choose(choice, rolledBack);
    },
  };
  let again: RunOptions | undefined;
  let code: ExitCode;
  try {
    code = await planAndReport(screen, stacks, options, {
      ...purpose,
      decide: async ({ session, interruption, follower, gate, plans }) => {
        log.addExcluded(session.excluded);
        const refusal = gate.refuse(screen, plans);
        if (refusal !== undefined) return refusal;
        const rollout = { session, operation: name, options, course, labels };
        const run = { ...rollout, screen, interruption, log, follower };
        const planned = planRollout(rollout);
        if (planned.refusal) return screen.fail(planned.refusal);
        announceRollout(screen, planned, options);
        const asks = !autoApprove && session.plans.some(isApplyable);
        const [workspace, ...others] = new Set(session.plans.map((plan) => plan.workspace));
        const { title, lines } = question(others.length === 0 ? workspace : undefined);
        const effect = describeProtectionOf(plans);
        const shown = effect ? [`${effect.text}.`, ...lines] : lines;
        const asked = { title, lines: shown, option: "--auto-approve" } as const;
        if (asks && !(await confirm(screen, asked, interruption.stop))) {
          screen.print(printed`${TITLES[name]} cancelled.\n`);
          return interruption.stop.aborted ? ExitCode.INTERRUPTED : ExitCode.ERROR;
        }
        const ended = (result: ApplyResult) => {
          if (!result.interrupted && foundUnforeseen(result)) again = continuing(given, log.name);
        };
        return rollOut({ ...run, isAnswered: asks, ended }, planned);
      },
    });
  } finally {
    screen.report(log.close());
  }
  // The plans of an approved wave are never others.
  if (!again || given.approveWave !== undefined) return code;
  screen.print(
    printed`\nA console was set up before this run. It can be read now, and is planned again.\n`,
  );
  return applyStacks(operation, terminal, stacks, again);
}

/** Reports whether a console had something that its plan could not know. */
function foundUnforeseen({ stacks }: ApplyResult): boolean {
  return stacks.some(({ diagnostics }) => diagnostics.some((one) => one.isUnforeseen));
}

/** The options by which a run continues its own record, which has its ID. */
function continuing(given: RunOptions, record: string | undefined): RunOptions {
  if (record === undefined) return given;
  const continued = { ...given, resume: record, runLog: record };
  delete continued.runId;
  return continued;
}
