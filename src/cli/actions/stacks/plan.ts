import { printed, type Printed } from "../../../core/printed";
import { isApplyable, type PlanMode, Session } from "../../../runtime";
import { ExitCode } from "../../exit-code";
import { writePlanFile } from "../../stacks/plan-file";
import type { ProtectionGate } from "../../stacks/protection-gate";
import { planAndReport, runScreen, type Purpose } from "./planning";
import { runRemotely } from "./remote";
import type { RunOptions } from "../../stacks/run-options";
import type { PlannedRun } from "../../stacks/planned-run";
import type { Planned } from "../../stacks/review-options";
import { prepareReviews, publishReviews, withPage } from "../../stacks/write-reviews";
import { rolledBackRun } from "../../rollout/rolled-back-run";
import { prepareFile } from "../../terminal/write-file";
import { OpenConsoles } from "../../stacks/open-consoles";
import type { Engine } from "../../stacks/engines";
import type { Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

/** Prints the plans of stacks; saves and reviews them as the options say. */
export async function plan(
  terminal: Terminal,
  stacks: readonly string[],
  given: RunOptions,
): Promise<ExitCode> {
  if (given.on !== undefined) return runRemotely("plan", terminal, stacks, given);
  const options = await withPage(given);
  const { engine, out } = options;
  const screen = runScreen(terminal, options);
  const unwritable = [
    ...(await prepareReviews(terminal, options)),
    ...(out === undefined ? [] : await prepareFile(terminal, out, "plan")),
  ];
  if (screen.report(unwritable)) return ExitCode.ERROR;
  const review = (planned: Planned) => publishReviews(screen, planned, options);
  const rolledBack = await rolledBackRun(screen, options);
  if (rolledBack === "unusable") return ExitCode.ERROR;
  const purpose: Purpose = {
    operation: "plan",
    mode: modeOf(options),
    ...(rolledBack && {
      rollback: rolledBack.stacks,
      choose: (selected, all) => rolledBack.choose(selected, all),
    }),
    failed: (failure) => review({ failure }),
    // Files of an earlier run must not pass for the result of this one.
    nothing: () => finish(Session.empty(), undefined),
  };
  async function finish(
    session: PlannedRun,
    gate?: ProtectionGate,
    plans = session.plans,
  ): Promise<ExitCode> {
    const { excluded } = session;
    const verdict = gate?.judge(plans, excluded);
    if (!(await review({ plans, excluded, ...(verdict && { verdict }) }))) return ExitCode.ERROR;
    const changes = plans.some(isApplyable);
    if (out !== undefined) {
      // Another engine has saved its plan itself.
      if (session instanceof Session) {
        if (screen.report(await writePlanFile(terminal, out, session))) return ExitCode.ERROR;
      }
      if (changes) screen.print(savedText(out, engine, screen));
    }
    const refusal = gate?.refuse(screen, plans, excluded);
    if (refusal !== undefined) return refusal;
    return options.detailedExitcode && changes ? ExitCode.CHANGES : ExitCode.DONE;
  }
  const consoles = options.live ? new OpenConsoles() : undefined;
  const run = { ...options, consoles };
  try {
    return await planAndReport(screen, stacks, run, {
      ...purpose,
      decide: ({ session, gate, plans }) => finish(session, gate, plans),
    });
  } finally {
    await consoles?.close();
  }
}

function modeOf({ rollback, refreshOnly, destroy }: RunOptions): PlanMode {
  if (rollback !== undefined) return "rollback";
  return refreshOnly ? "refresh-only" : destroy ? "destroy" : "normal";
}

/** Terraform's text for a saved plan. */
function savedText(file: string, engine: Engine, { style, width }: Screen): Printed {
  const rule = style.dim(printed`${"─".repeat(width - 1)}`);
  const command =
    engine === "embedded"
      ? printed`cdktf-console apply ${JSON.stringify(file)}`
      : printed`${engine} apply ${JSON.stringify(file)}\n\nin the folder of the stack, after "cdktf-console provider install".`;
  return printed`\n${rule}\n\nSaved the plan to: ${file}\n\nTo perform exactly these actions, run the following command to apply:\n    ${command}\n`;
}
