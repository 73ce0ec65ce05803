import { relative } from "node:path";
import { strictly } from "../../../provider/diagnostics";
import { validate as validateStacks } from "../../../runtime";
import { ExitCode } from "../../exit-code";
import type { AppOptions } from "../../stacks/app-stacks";
import { loadOptions, type VariableOptions } from "../../stacks/run-options";
import { findSelected, type SelectionOptions } from "../../stacks/selection";
import { synthesize, type SynthOptions } from "../../stacks/synthesize";
import { openScreen, type CommonOptions } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

export async function synth(
  terminal: Terminal,
  options: CommonOptions & SynthOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const { directory, diagnostics } = await synthesize(screen, options);
  if (screen.report(diagnostics) || directory === undefined) return ExitCode.ERROR;
  const shown = relative(terminal.directory, directory);
  screen.print(`Synthesized the stacks into ${shown === "" ? "." : shown}\n`);
  return ExitCode.DONE;
}

/** Validates stacks as far as possible without a console. */
export async function validate(
  terminal: Terminal,
  stacks: readonly string[],
  options: CommonOptions &
    AppOptions &
    SelectionOptions &
    VariableOptions & { readonly strict?: boolean },
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const selected = await findSelected(screen, stacks, options);
  const { directory } = selected;
  if (screen.report(selected.diagnostics) || directory === undefined) return ExitCode.ERROR;
  if (selected.stacks.length === 0) return ExitCode.DONE;
  const load = loadOptions(screen, directory, selected.stacks, options);
  // Validation needs no secrets.
  const variables = { ...load.variables, unset: "unknown" } as const;
  const found = await validateStacks({ ...load, variables });
  const diagnostics = options.strict ? found.map(strictly) : found;
  if (screen.report(diagnostics)) return ExitCode.ERROR;
  const { bold, green } = screen.style;
  const count = diagnostics.length > 0 ? ", with the warnings above" : "";
  screen.print(`${bold(green("Success!"))} The configuration is valid${count}.\n`);
  return ExitCode.DONE;
}
