import { error } from "../../provider/diagnostics";
import { approvalProblem } from "../approval";
import type { Engine } from "../terraform/engines";
import { ExitCode } from "../exit-code";
import { onlyFile } from "../stacks/plan-file";
import { openScreen, type Screen } from "../terminal/screen";
import { terminalWith, type Terminal } from "../terminal/terminal";
import type { TerraformCommand } from "../terraform/command-line";
import { runStacks } from "../terraform/run-stacks";
import * as embedded from "./apply";
import { plan as planEmbedded, type PlanCommandOptions } from "./plan";

/* The commands that the embedded executor and Terraform can both carry out. */

type WithEngine<O> = O & { readonly engine: Engine };

export function plan(
  terminal: Terminal,
  stacks: readonly string[],
  options: WithEngine<PlanCommandOptions>,
): Promise<ExitCode> {
  if (options.engine === "embedded") return planEmbedded(terminal, stacks, options);
  return byTerraform("plan", terminal, stacks, options);
}

export function apply(
  terminal: Terminal,
  stacks: readonly string[],
  options: WithEngine<embedded.ApplyOptions>,
): Promise<ExitCode> {
  if (options.engine === "embedded") return embedded.apply(terminal, stacks, options);
  return byTerraform("apply", terminal, stacks, options);
}

export function destroy(
  terminal: Terminal,
  stacks: readonly string[],
  options: WithEngine<embedded.ApplyOptions>,
): Promise<ExitCode> {
  if (options.engine === "embedded") return embedded.destroy(terminal, stacks, options);
  return byTerraform("destroy", terminal, stacks, options);
}

async function byTerraform(
  command: TerraformCommand,
  terminal: Terminal,
  stacks: readonly string[],
  options: WithEngine<PlanCommandOptions & embedded.ApplyOptions>,
): Promise<ExitCode> {
  const { engine } = options;
  if (engine === "embedded") throw new Error("the embedded engine does that itself");
  const screen = openTerraformScreen(terminal, options);
  if (options.html !== undefined || options.markdown !== undefined) {
    const detail = `--html and --markdown are written from plans of the embedded engine. Plan without --engine ${engine} for them: both plan the same.`;
    screen.report([error("Not with this engine", detail)]);
    return ExitCode.ERROR;
  }
  if ((await onlyFile(terminal, stacks)) !== undefined) {
    const detail = `A plan that ${engine} saved is applied in the folder of its stack: ${engine} apply FILE. One that "plan --out" saved without --engine is applied without it.`;
    screen.report([error("Not with this engine", detail)]);
    return ExitCode.ERROR;
  }
  const problem = command === "plan" ? undefined : approvalProblem(terminal, command, options);
  if (problem) {
    screen.report([problem]);
    return ExitCode.ERROR;
  }
  return runStacks(screen, engine, command, stacks, options);
}

/** Where standard output is Terraform's JSON lines, nothing else is written there. */
function openTerraformScreen(terminal: Terminal, options: embedded.ApplyOptions): Screen {
  if (!options.json) return openScreen(terminal, options);
  const beside = terminalWith(terminal, { stdout: terminal.stderr });
  return { ...openScreen(beside, options), terminal };
}
