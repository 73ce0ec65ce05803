import { error, warning, type Diagnostic } from "../../../provider/diagnostics";
import { renderOutputs, renderOutputValue } from "../../../review/text/output-text";
import { isExactNumber } from "../../../provider/lossless-json";
import type { Json } from "../../../runtime/state/state-value";
import { ExitCode } from "../../exit-code";
import { openScreen, type Screen } from "../../terminal/screen";
import { readStoredStack, showStored, type StoredOptions } from "../../stacks/stored-stacks";
import type { Terminal } from "../../terminal/terminal";

export interface OutputOptions extends StoredOptions {
  /** Print one value without quotes, for scripts. */
  readonly raw?: boolean;
}

/** Prints one output of a stack, sensitive or not, or lists all outputs. */
export async function output(
  terminal: Terminal,
  name: string | undefined,
  options: OutputOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, name !== undefined);
  if (name !== undefined) return printOutput(screen, name, options);
  if (options.raw) return screen.fail(RAW_NEEDS_NAME);
  return showStored(screen, options, ({ outputs }) => {
    if (Object.keys(outputs).length === 0) screen.report([NO_OUTPUTS]);
    else screen.print(renderOutputs(outputs));
  });
}

async function printOutput(
  screen: Screen,
  name: string,
  options: OutputOptions,
): Promise<ExitCode> {
  const state = await readStoredStack(screen, options);
  if (!state) return ExitCode.ERROR;
  const found = Object.hasOwn(state.outputs, name) ? state.outputs[name] : undefined;
  if (!found) return screen.fail(notFound(name, Object.keys(state.outputs)));
  if (!options.raw) {
    screen.print(`${renderOutputValue(found.value, found.type)}\n`);
    return ExitCode.DONE;
  }
  const raw = rawText(found.value);
  if (raw === undefined) return screen.fail(notRaw(name));
  screen.print(raw);
  return ExitCode.DONE;
}

function rawText(value: Json): string | undefined {
  if (isExactNumber(value)) return value.value;
  return typeof value === "object" ? undefined : String(value);
}

const NO_OUTPUTS = warning(
  "No outputs found",
  "The state has no outputs. The outputs that the stack declares are stored by an apply.",
);

const RAW_NEEDS_NAME = error(
  "Output name required",
  "--raw prints the value of one output. Name the output.",
);

function notFound(name: string, known: readonly string[]): Diagnostic {
  const outputs =
    known.length === 0 ? "It has no outputs." : `Its outputs are: ${known.join(", ")}.`;
  return error(
    `Output "${name}" not found`,
    `The state has no output of this name. ${outputs} An apply stores new outputs.`,
  );
}

function notRaw(name: string): Diagnostic {
  return error(
    "Unsupported value for raw output",
    `--raw prints strings, numbers and booleans. The output "${name}" has another type.`,
  );
}
