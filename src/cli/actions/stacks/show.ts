import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { builtInProviders } from "../../../provider/built-in";
import { error } from "../../../provider/diagnostics";
import { errorText } from "../../../provider/file-problem";
import { isSavedPlan, isTerraformPlan, readSavedPlan } from "../../../runtime";
import { renderPlanJson } from "../../../review/json/plan-json";
import { renderPlan } from "../../../review/text/plan-text";
import { renderStateJson } from "../../../review/json/state-json";
import { renderState } from "../../../review/text/state-text";
import { readState } from "../../../runtime/state/read";
import type { State } from "../../../runtime/state/state";
import { ExitCode } from "../../exit-code";
import { builtInSchema } from "../../stacks/built-in-schema";
import { openScreen, type Screen } from "../../terminal/screen";
import { readStoredStack, showStored, type StoredOptions } from "../../stacks/stored-stacks";
import type { Terminal } from "../../terminal/terminal";

export interface ShowOptions extends StoredOptions {
  /** Print Terraform's JSON format of one stack, on one line. */
  readonly json?: boolean;
}

/** Prints the states of the stacks, or the state or saved plan in a file. */
export async function show(
  terminal: Terminal,
  file: string | undefined,
  options: ShowOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, options.json);
  const print = (state: State): void => {
    screen.print(
      options.json
        ? `${renderStateJson(state, builtInSchema)}\n`
        : renderState(state, builtInSchema, screen.style),
    );
  };
  if (file !== undefined) return showFile(screen, file, options, print);
  if (!options.json) return showStored(screen, options, print);
  const state = await readStoredStack(screen, options);
  if (!state) return ExitCode.ERROR;
  print(state);
  return ExitCode.DONE;
}

async function showFile(
  screen: Screen,
  file: string,
  { json }: ShowOptions,
  printState: (state: State) => void,
): Promise<ExitCode> {
  const path = resolve(screen.terminal.directory, file);
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    const detail = `${path}: ${errorText(cause)}. To show the state of a stack, name it with --stack.`;
    return screen.fail(error("File cannot be read", detail));
  }
  if (!isSavedPlan(bytes) && !isTerraformPlan(bytes)) {
    const { state, diagnostics } = readState(bytes, path);
    if (screen.report(diagnostics) || !state) return ExitCode.ERROR;
    printState(state);
    return ExitCode.DONE;
  }
  const providers = builtInProviders(screen.log);
  const { saved, diagnostics } = await readSavedPlan(
    bytes,
    file,
    providers,
    screen.terminal.directory,
  );
  if (screen.report(diagnostics) || !saved) return ExitCode.ERROR;
  const { style, width } = screen;
  screen.print(
    json
      ? `${renderPlanJson(saved.document)}\n`
      : renderPlan(saved.document.plan, { style, width }),
  );
  return ExitCode.DONE;
}
