import { printed } from "../../../core/printed";
import { relative } from "node:path";
import { hasErrors, strictly, withParagraph, type Diagnostic } from "../../../core/diagnostics";
import { type LoadOptions, resourceGraphs, validate as validateStacks } from "../../../runtime";
import { renderValidationJson } from "../../../formats/json/validation-json";
import { renderDot } from "../../../formats/text/graph-dot";
import { readAssembly, type StackEntry } from "../../../language";
import { inStacks } from "../../../review/exclusions/exclusions-text";
import { ExitCode } from "../../exit-code";
import type { GateOptions } from "../../stacks/protection-gate";
import { checkContract } from "../../contract/read-contract";
import { loadOptions } from "../../stacks/run-options";
import { findSelected, type SelectionOptions } from "../../stacks/selection";
import { synthesize, type SynthOptions } from "../../stacks/synthesize";
import type { Engine, Program } from "../../stacks/engines";
import type { ProgramEngineOptions } from "../../terraform/engine";
import { openScreen, type CommonOptions, type Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

export async function synth(
  terminal: Terminal,
  options: CommonOptions & SynthOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const { directory, diagnostics } = await synthesize(screen, options);
  if (screen.report(diagnostics) || directory === undefined) return ExitCode.ERROR;
  const { assembly, diagnostics: found } = await readAssembly(directory);
  if (assembly && screen.report(found)) return ExitCode.ERROR;
  const shown = relative(terminal.directory, directory);
  screen.print(printed`Synthesized the stacks into ${shown === "" ? "." : shown}\n`);
  return ExitCode.DONE;
}

interface ConfigurationOptions extends CommonOptions, SelectionOptions, ProgramEngineOptions {
  readonly engine: Engine;
}

/** Validates stacks as far as possible without a console. */
export async function validate(
  terminal: Terminal,
  stacks: readonly string[],
  options: ConfigurationOptions &
    Pick<GateOptions, "contract"> & { readonly json?: boolean; readonly strict?: boolean },
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, options.json);
  const finish = (diagnostics: readonly Diagnostic[]): ExitCode => {
    if (options.json) screen.printDocument(`${renderValidationJson(diagnostics)}\n`);
    else screen.report(diagnostics);
    return hasErrors(diagnostics) ? ExitCode.ERROR : ExitCode.DONE;
  };
  const loaded = await loadSelected(screen, stacks, options);
  if (loaded.options === undefined) return finish(loaded.diagnostics);
  const contract = await checkContract(terminal, options.contract, loaded.all);
  const { engine } = options;
  const found =
    engine === "embedded"
      ? await validateStacks(loaded.options)
      : await validateWith(screen, engine, options, loaded.stacks);
  const diagnostics = [
    ...loaded.diagnostics,
    ...contract,
    ...(options.strict ? found.map(strictly) : found),
  ];
  const code = finish(diagnostics);
  if (code !== ExitCode.DONE || options.json) return code;
  const { bold, green } = screen.style;
  const warned = diagnostics.length > 0 ? ", with the warnings above" : "";
  screen.print(printed`${bold(green(printed`Success!`))} The configuration is valid${warned}.\n`);
  return code;
}

/** Prints the dependencies of resources. Needs no console. */
export async function graph(
  terminal: Terminal,
  stacks: readonly string[],
  options: ConfigurationOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, true);
  const loaded = await loadSelected(screen, stacks, options);
  if (screen.report(loaded.diagnostics) || loaded.options === undefined) {
    return hasErrors(loaded.diagnostics) ? ExitCode.ERROR : ExitCode.DONE;
  }
  const { engine } = options;
  if (engine !== "embedded") return graphWith(screen, engine, options, loaded.stacks);
  const { graphs, diagnostics } = await resourceGraphs(loaded.options);
  if (screen.report(diagnostics) || !graphs) return ExitCode.ERROR;
  screen.printDocument(renderDot(graphs));
  return ExitCode.DONE;
}

/** The selected stacks, to be loaded without secrets. No options after an error, or without stacks. */
async function loadSelected(
  screen: Screen,
  names: readonly string[],
  options: ConfigurationOptions,
): Promise<{
  options?: LoadOptions;
  stacks: readonly StackEntry[];
  /** The names of all stacks of the app. */
  all: readonly string[];
  diagnostics: readonly Diagnostic[];
}> {
  const { directory, diagnostics, ...found } = await findSelected(screen, names, options);
  const { stacks } = found;
  const all = found.all.map(({ name }) => name);
  if (hasErrors(diagnostics) || directory === undefined || stacks.length === 0) {
    return { stacks, all, diagnostics };
  }
  const load = loadOptions(screen, directory, stacks, options);
  // The result is the same in each environment.
  const variables = { ...load.variables, unset: "unknown", ignoresEnvironment: true } as const;
  return { options: { ...load, variables, environment: NO_CONSOLE }, stacks, all, diagnostics };
}

/** Completes provider blocks for a command that connects to nothing. */
export const NO_CONSOLE = {
  CONSOLE_URL: "https://console.invalid",
  CONSOLE_USERNAME: "validation",
  CONSOLE_PASSWORD: "validation-only",
};

/** Validates stacks with another engine. */
async function validateWith(
  screen: Screen,
  engine: Program,
  options: ProgramEngineOptions,
  stacks: readonly StackEntry[],
): Promise<readonly Diagnostic[]> {
  const { folderOpener } = await import("../../terraform/engine-folder.js");
  const run = { program: engine, operation: "validate" };
  const opened = await folderOpener(screen, run, options, stacks);
  const { folderOf, diagnostics } = opened;
  if (!folderOf) return diagnostics;
  const one = async (stack: StackEntry): Promise<readonly Diagnostic[]> => {
    const found = await folderOf(stack).validate();
    if (stacks.length === 1) return found;
    return found.map((diagnostic) => withParagraph(diagnostic, inStacks([stack.name])));
  };
  return (await Promise.all(stacks.map(one))).flat();
}

/** Prints the graphs of another engine, in the order of the stacks. */
async function graphWith(
  screen: Screen,
  engine: Program,
  options: ProgramEngineOptions,
  stacks: readonly StackEntry[],
): Promise<ExitCode> {
  const { folderOpener } = await import("../../terraform/engine-folder.js");
  const run = { program: engine, operation: "graph" };
  const { folderOf, diagnostics } = await folderOpener(screen, run, options, stacks);
  if (screen.report(diagnostics) || !folderOf) return ExitCode.ERROR;
  const command = (stack: StackEntry) =>
    folderOf(stack).output(["graph", "-no-color"], { purpose: "read" });
  const graphs = await Promise.all(stacks.map(command));
  for (const { out } of graphs) if (out !== undefined) screen.printDocument(out);
  return screen.report(graphs.flatMap((one) => one.diagnostics)) ? ExitCode.ERROR : ExitCode.DONE;
}
