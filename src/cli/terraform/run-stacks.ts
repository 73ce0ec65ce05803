import { join, resolve } from "node:path";
import { consoleInstallations } from "../../plugin/installation";
import type { Environment } from "../../provider/definitions/provider-definition";
import { error, type Diagnostic } from "../../provider/diagnostics";
import { compareStrings } from "../../provider/values";
import { PROVIDER_SOURCE } from "../../provider/identity";
import { nullProvider } from "../../provider/null-provider";
import { stackTitle } from "../../review/text/stack-title";
import type { StackEntry } from "../../runtime/config/assembly";
import { selectedWorkspace } from "../../runtime/config/workspace";
import { planIdentity } from "../../runtime/documents/stack-plan";
import { ExitCode } from "../exit-code";
import { readConfiguration, terraformBlock } from "../stacks/app-stacks";
import { onlyFile } from "../stacks/plan-file";
import type { RunOptions } from "../stacks/run-options";
import { secretsFrom } from "../stacks/secrets-command";
import { selectedStacks } from "../stacks/selection";
import { approvalProblem } from "../terminal/confirmation";
import { openScreen, type Screen } from "../terminal/screen";
import type { Terminal } from "../terminal/terminal";
import { terraformArguments, type TerraformCommand } from "./arguments";
import type { Program } from "./engines";
import { handOver } from "./hand-over";
import { installProviders, pluginFolder } from "./install-providers";
import { checkProgram, runProgram } from "./program";
import { declaredSecrets, secretsOf, variableSources, type VariableSources } from "./variables";

/** One run of a command over stacks. */
interface Run {
  readonly screen: Screen;
  readonly program: Program;
  readonly command: TerraformCommand;
  readonly options: RunOptions;
  readonly variables: VariableSources;
  /** Values that the secrets command gave, by variable. */
  readonly secrets: Environment;
  interrupted: boolean;
}

/**
 * Plans, applies or destroys stacks with Terraform or OpenTofu, each in its own folder, after the
 * stacks that it depends on (destroy: before them). Skips the stacks whose dependency failed.
 */
export async function runStacks(
  terminal: Terminal,
  program: Program,
  command: TerraformCommand,
  names: readonly string[],
  options: RunOptions,
): Promise<ExitCode> {
  // With --json, standard output belongs to Terraform's JSON lines.
  const screen = openScreen(terminal, options, options.json);
  const unusable =
    (await unusableOptions(terminal, program, names, options)) ??
    (command === "plan" ? undefined : approvalProblem(terminal, command, options));
  if (unusable) return screen.fail(unusable);
  const finding = await checkProgram(screen, program);
  if (finding && screen.report([finding])) return ExitCode.ERROR;
  const selected = await selectedStacks(screen, names, options);
  if (!selected) return ExitCode.ERROR;
  const { stacks, annotations } = selected;
  screen.report(annotations);
  if (options.out !== undefined && stacks.length > 1) {
    return screen.fail(severalPlans(program, stacks));
  }
  const variables = await variableSources({
    directory: terminal.directory,
    environment: terminal.environment,
    given: options.variables ?? [],
  });
  if (screen.report(variables.diagnostics)) return ExitCode.ERROR;
  const { out, ...rest } = options;
  const absolute = { ...rest, ...(out !== undefined && { out: resolve(terminal.directory, out) }) };
  const { secrets, diagnostics } = await askForSecrets(terminal, stacks, variables, options);
  if (screen.report(diagnostics)) return ExitCode.ERROR;
  const common = { screen, program, command, options: absolute, variables, secrets };
  const run: Run = { ...common, interrupted: false };
  const release = terminal.onInterrupt(() => {
    run.interrupted = true;
  });
  try {
    return await inOrder(run, stacks);
  } finally {
    release();
  }
}

/** Asks the secrets command once for all stacks. Terraform itself reports a secret without a value. */
async function askForSecrets(
  terminal: Terminal,
  stacks: readonly StackEntry[],
  { environment }: VariableSources,
  { secretsCommand }: RunOptions,
): Promise<{ readonly secrets: Environment; readonly diagnostics: readonly Diagnostic[] }> {
  if (!secretsCommand) return { secrets: {}, diagnostics: [] };
  const read = await Promise.all(stacks.map(readConfiguration));
  const ephemeral = [
    ...new Set(read.flatMap((one) => ("json" in one ? declaredSecrets(one.json) : []))),
  ];
  const names = ephemeral.filter(
    (name) => environment[name] === undefined && environment[`TF_VAR_${name}`] === undefined,
  );
  if (names.length === 0) return { secrets: {}, diagnostics: [] };
  const request = { names: names.sort(compareStrings), ephemeral };
  const { values, diagnostics } = await secretsFrom(secretsCommand, terminal)(request);
  return { secrets: Object.fromEntries(values), diagnostics };
}

function severalPlans(program: Program, stacks: readonly StackEntry[]): Diagnostic {
  const names = stacks.map(({ name }) => name).join(", ");
  const detail = `A plan file of ${program} has the plan of one stack. This plan has several: ${names}. Name one of them, or plan without --engine ${program}.`;
  return error("Several stacks for one plan file", detail);
}

/** The error for what only the embedded engine can do. */
async function unusableOptions(
  terminal: Terminal,
  program: Program,
  names: readonly string[],
  options: RunOptions,
): Promise<Diagnostic | undefined> {
  const { html, markdown, reviewJson, failOn, failFast } = options;
  const summary = "Unsupported by this engine";
  const rollout = ["waves", "check", "maxFailures", "runLog", "resume"] as const;
  if (rollout.some((name) => options[name] !== undefined)) {
    const detail = `Only the embedded engine has --waves, --check, --max-failures, --run-log and --resume.`;
    return error(summary, detail);
  }
  if (failFast) {
    const detail = `Only the embedded engine has --fail-fast. With ${program}, stacks whose dependency failed are skipped.`;
    return error(summary, detail);
  }
  if ((html ?? markdown ?? reviewJson ?? failOn) !== undefined) {
    const detail = `Only the embedded engine has --html, --markdown, --review-json and --fail-on. Plan without --engine ${program} for them: both engines make the same plan.`;
    return error(summary, detail);
  }
  if ((await onlyFile(terminal, names)) === undefined) return undefined;
  const detail = `Apply a plan that ${program} saved in the folder of its stack, with "${program} apply FILE". Apply a plan that "plan --out" saved without --engine in the same way, without --engine.`;
  return error(summary, detail);
}

async function inOrder(run: Run, stacks: readonly StackEntry[]): Promise<ExitCode> {
  const { screen, command, options } = run;
  const backwards = command === "destroy";
  const failed = new Set<string>();
  let changes = false;
  for (const stack of backwards ? [...stacks].reverse() : stacks) {
    const cause = stacks.find(
      ({ name, dependencies }) =>
        failed.has(name) &&
        (backwards ? dependencies.includes(stack.name) : stack.dependencies.includes(name)),
    );
    const { environment } = run.variables;
    const { workspace, diagnostics } = await selectedWorkspace(stack.directory, environment);
    if (screen.report(diagnostics) || workspace === undefined) return ExitCode.ERROR;
    const shown = planIdentity({ ...stack, workspace });
    if (!options.json && (stacks.length > 1 || shown.workspace !== undefined)) {
      screen.printHeading(stackTitle(shown));
    }
    const code = cause ? skip(run, stack, cause) : await runStack(run, stack, workspace);
    if (run.interrupted) return ExitCode.INTERRUPTED;
    if (code === ExitCode.ERROR) failed.add(stack.name);
    changes ||= code === ExitCode.CHANGES;
  }
  if (failed.size > 0) return ExitCode.ERROR;
  return changes ? ExitCode.CHANGES : ExitCode.DONE;
}

function skip({ screen, command }: Run, stack: StackEntry, cause: StackEntry): ExitCode {
  const detail = `The ${command} of stack "${stack.name}" was skipped because "${cause.name}" failed.`;
  return screen.fail(error("Stack was skipped", detail));
}

async function runStack(run: Run, stack: StackEntry, workspace: string): Promise<ExitCode> {
  const { screen, variables } = run;
  const read = await readConfiguration(stack);
  if ("problem" in read) return screen.fail(read.problem);
  const environment: Variables = {
    CHECKPOINT_DISABLE: "1",
    TF_IN_AUTOMATION: "1",
    ...logging(run),
    ...variables.environment,
    ...secretsOf(read.json, { ...run.secrets, ...variables.environment }),
  };
  const { directory } = stack;
  const { lock, diagnostics } = await handOver({
    terraform: terraformBlock(read.json),
    directory,
    workspace,
    environment,
    operation: `${run.program} ${run.command}`,
    waitMs: run.options.lockTimeout,
  });
  if (screen.report(diagnostics)) return ExitCode.ERROR;
  try {
    const plugins = pluginFolder(directory);
    const { diagnostics: problems } = await installProviders(plugins, consoleInstallations());
    if (screen.report(problems)) return ExitCode.ERROR;
    const initialized = await initialize(run, stack, environment);
    return initialized && !run.interrupted
      ? await carryOut(run, stack, environment)
      : ExitCode.ERROR;
  } finally {
    if (lock) screen.report(await lock.release());
  }
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Runs `init`, and shows its output if it fails. */
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
  const args = terraformArguments(command, options, variables.files, {
    coloured: isColoured(run),
    asks,
  });
  const ended = await runProgram(screen, program, args, { directory, environment, output: "pass" });
  if (ended.kind === "missing") return ExitCode.ERROR;
  if (ended.code === 0) return ExitCode.DONE;
  return ended.code === 2 && options.detailedExitcode ? ExitCode.CHANGES : ExitCode.ERROR;
}

/** Terraform itself colours output that is not a terminal too. */
function isColoured({ screen, options }: Run): boolean {
  const { environment, stdout } = screen.terminal;
  return options.color !== false && !environment.NO_COLOR && stdout.isTerminal;
}

function logging({ options: { logLevel = "off" } }: Run): Variables {
  return logLevel === "off" ? {} : { TF_LOG_PROVIDER: logLevel.toUpperCase() };
}

/** The error for an `init` that failed. Its own output is shown before. */
function initializationFailed(
  program: string,
  { name, directory }: StackEntry,
  output: string,
): Diagnostic {
  const advice = ADVICE.find(({ symptom }) => symptom.test(output))?.advice(directory) ?? "";
  return error(
    "The stack was not initialized",
    `"${program} init" failed for stack "${name}", in ${directory}. Its output is shown above. Nothing was planned or changed.${advice && `\n\n${advice}`}`,
  );
}

/** Matches text with line breaks in any place. */
const words = (text: string) => new RegExp(text.replaceAll(" ", "[\\s│]+"));

const ADVICE: readonly { readonly symptom: RegExp; readonly advice: (at: string) => string }[] = [
  {
    symptom: words("do(es)?n?'?t? (not )?match any of the checksums"),
    advice: (directory) =>
      `The lock file has the checksums of another build of the same version. If you expect that, delete ${join(directory, ".terraform.lock.hcl")}.`,
  },
  {
    symptom: new RegExp(`provider\\s[^]{0,120}${nullProvider.source}`),
    advice: (directory) =>
      `ConsoleBootstrap needs a resource of ${nullProvider.source}, which Terraform downloads from its registry. Without access to a registry, add the provider to a mirror. For tests, install a stand-in:\n\n  npx cdktf-console provider install --with-null --dir ${directory}`,
  },
  {
    symptom: new RegExp(PROVIDER_SOURCE),
    advice: () =>
      'The provider is installed in terraform.d/plugins in the folder of the stack. Terraform looks there unless its CLI configuration has a provider_installation block. If it has one, add the mirror that "provider install --mirror DIR" prints.',
  },
];
