import { resolve } from "node:path";
import { error, type Diagnostic } from "../../provider/diagnostics";
import { readAssembly, selectStacks, type StackEntry } from "../../runtime/config/assembly";
import { readJsonFile } from "../../runtime/config/json-file";
import type { Program } from "./engines";
import { ExitCode } from "../exit-code";
import { stackHeading } from "../headings";
import type { VariableOptions } from "../stacks/load-options";
import type { CommonOptions, Screen } from "../terminal/screen";
import { locateStacks, type AppOptions } from "../stacks";
import { commandLine, type TerraformCommand, type TerraformOptions } from "./command-line";
import { handOver } from "./hand-over";
import { initializationFailed, installBeside } from "./initialize";
import { checkProgram } from "./program";
import { runProgram } from "./run-program";
import { secretsOf, variableSources, type VariableSources } from "./variables";

export interface TerraformRunOptions
  extends CommonOptions, AppOptions, VariableOptions, TerraformOptions {}

/** One run of a command over stacks. */
interface Run {
  readonly screen: Screen;
  readonly program: Program;
  readonly command: TerraformCommand;
  readonly options: TerraformRunOptions;
  readonly variables: VariableSources;
  interrupted: boolean;
}

/**
 * Has Terraform plan, apply or destroy stacks, each in its own folder, behind those that it depends
 * on (destroy: before them). Where one fails, those that come after it for that reason are left out.
 */
export async function runStacks(
  screen: Screen,
  program: Program,
  command: TerraformCommand,
  names: readonly string[],
  options: TerraformRunOptions,
): Promise<ExitCode> {
  const { terminal } = screen;
  if (screen.report(await checkProgram(screen, program))) return ExitCode.ERROR;
  const located = await locateStacks(screen, options);
  if (screen.report(located.diagnostics) || located.directory === undefined) return ExitCode.ERROR;
  const { assembly, diagnostics } = await readAssembly(located.directory);
  if (screen.report(diagnostics) || !assembly) return ExitCode.ERROR;
  const { stacks, diagnostics: unknown } = selectStacks(assembly, names);
  if (screen.report([...unknown, ...unfit(stacks, options)])) return ExitCode.ERROR;
  const variables = await variableSources({
    directory: terminal.directory,
    environment: terminal.environment,
    given: options.variables ?? [],
  });
  if (screen.report(variables.diagnostics)) return ExitCode.ERROR;
  const { out, ...rest } = options;
  const absolute = { ...rest, ...(out !== undefined && { out: resolve(terminal.directory, out) }) };
  const run: Run = { screen, program, command, options: absolute, variables, interrupted: false };
  const release = terminal.onInterrupt(() => {
    run.interrupted = true;
  });
  try {
    return await inOrder(run, stacks);
  } finally {
    release();
  }
}

function unfit(stacks: readonly StackEntry[], { out }: TerraformOptions): readonly Diagnostic[] {
  if (out === undefined || stacks.length < 2) return [];
  const listed = stacks.map(({ name }) => name).join(", ");
  return [error("Which stack?", `A plan of one stack can be saved. Name one of: ${listed}.`)];
}

async function inOrder(run: Run, stacks: readonly StackEntry[]): Promise<ExitCode> {
  const { screen, command } = run;
  const backwards = command === "destroy";
  const failed = new Set<string>();
  let changes = false;
  for (const stack of backwards ? [...stacks].reverse() : stacks) {
    if (stacks.length > 1 && !run.options.json)
      screen.print(stackHeading(stack.name, screen.style));
    const cause = stacks.find(
      ({ name, dependencies }) =>
        failed.has(name) &&
        (backwards ? dependencies.includes(stack.name) : stack.dependencies.includes(name)),
    );
    const code = cause ? leftOut(run, stack, cause) : await runStack(run, stack);
    if (run.interrupted) return ExitCode.INTERRUPTED;
    if (code === ExitCode.ERROR) failed.add(stack.name);
    changes ||= code === ExitCode.CHANGES;
  }
  if (failed.size > 0) return ExitCode.ERROR;
  return changes ? ExitCode.CHANGES : ExitCode.DONE;
}

function leftOut({ screen }: Run, stack: StackEntry, cause: StackEntry): ExitCode {
  const detail = `Stack "${stack.name}" was left alone, since "${cause.name}" failed.`;
  screen.report([error("Stack was left out", detail)]);
  return ExitCode.ERROR;
}

async function runStack(run: Run, stack: StackEntry): Promise<ExitCode> {
  const { screen, variables } = run;
  const read = await readJsonFile(stack.file);
  if (read.kind !== "read") {
    const missing = error("No configuration of the stack", `There is no ${stack.file}.`);
    screen.report([read.kind === "faulty" ? read.diagnostic : missing]);
    return ExitCode.ERROR;
  }
  const environment: Variables = {
    CHECKPOINT_DISABLE: "1",
    TF_IN_AUTOMATION: "1",
    ...logging(run),
    ...variables.environment,
    ...secretsOf(read.json, variables.environment),
  };
  const { lock, diagnostics } = await handOver({
    terraform: blockOf(read.json),
    directory: stack.directory,
    workspace: environment.TF_WORKSPACE,
    operation: `${run.program} ${run.command}`,
    waitMs: run.options.lockTimeout,
  });
  if (screen.report(diagnostics)) return ExitCode.ERROR;
  try {
    if (screen.report(await installBeside(stack))) return ExitCode.ERROR;
    const initialized = await initialize(run, stack, environment);
    return initialized && !run.interrupted
      ? await carryOut(run, stack, environment)
      : ExitCode.ERROR;
  } finally {
    if (lock) screen.report(await lock.release());
  }
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Without a word where all is well. */
async function initialize(run: Run, stack: StackEntry, environment: Variables): Promise<boolean> {
  const { screen, program } = run;
  const { directory } = stack;
  const args = ["init", "-input=false", ...(isColoured(run) ? [] : ["-no-color"])];
  const ended = await runProgram(screen, program, args, { directory, environment, output: "keep" });
  if (ended.kind === "ended" && ended.code === 0) return true;
  const output = ended.kind === "ended" ? ended.output : "";
  screen.note(output);
  if (!run.interrupted) screen.report([initializationFailed(program, stack, output)]);
  return false;
}

async function carryOut(run: Run, stack: StackEntry, environment: Variables): Promise<ExitCode> {
  const { screen, program, command, options, variables } = run;
  const { directory } = stack;
  const asks = screen.terminal.interactive && !options.json;
  const args = commandLine(command, options, variables.files, { coloured: isColoured(run), asks });
  const ended = await runProgram(screen, program, args, { directory, environment, output: "pass" });
  if (ended.kind === "missing") return ExitCode.ERROR;
  if (ended.code === 0) return ExitCode.DONE;
  return ended.code === 2 && options.detailedExitcode ? ExitCode.CHANGES : ExitCode.ERROR;
}

/** Terraform colours what nobody sees in colours, too. */
function isColoured({ screen, options }: Run): boolean {
  const { environment, stdout } = screen.terminal;
  return options.color !== false && !environment.NO_COLOR && stdout.isTerminal;
}

function logging({ options: { logLevel = "off" } }: Run): Variables {
  return logLevel === "off" ? {} : { TF_LOG_PROVIDER: logLevel.toUpperCase() };
}

function blockOf(stack: unknown): unknown {
  return typeof stack === "object" && stack !== null && "terraform" in stack
    ? stack.terraform
    : undefined;
}
