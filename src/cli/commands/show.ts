import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { error } from "../../provider/diagnostics";
import { errorCode, errorText } from "../../runtime/backends/durable-file";
import { renderStateJson } from "../../runtime/review/state-json/state-json";
import { renderState } from "../../runtime/review/state-text";
import { readState } from "../../runtime/state/read";
import type { State } from "../../runtime/state/state";
import { ExitCode } from "../exit-code";
import { builtInSchema } from "../schemas";
import { openScreen, type Screen } from "../screen";
import { openStoredStack, readStored, showStored, type StoredOptions } from "../stored-stacks";
import type { Terminal } from "../terminal";

export interface ShowOptions extends StoredOptions {
  /** Terraform's JSON format, on one line: of one stack. */
  readonly json?: boolean;
}

/** Prints the states of the stacks, or of one file. */
export async function show(
  terminal: Terminal,
  file: string | undefined,
  options: ShowOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const print = (state: State): void => {
    screen.print(
      options.json
        ? `${renderStateJson(state, builtInSchema)}\n`
        : renderState(state, builtInSchema, screen.style),
    );
  };
  if (file !== undefined) {
    const state = await readStateFile(screen, resolve(terminal.directory, file));
    if (!state) return ExitCode.ERROR;
    print(state);
    return ExitCode.DONE;
  }
  if (!options.json) return showStored(screen, options, print);
  const stack = await openStoredStack(screen, options);
  const state = stack && (await readStored(screen, stack));
  if (!state) return ExitCode.ERROR;
  print(state);
  return ExitCode.DONE;
}

async function readStateFile(screen: Screen, path: string): Promise<State | undefined> {
  try {
    const { state, diagnostics } = readState(await readFile(path), path);
    return screen.report(diagnostics) ? undefined : state;
  } catch (cause) {
    const detail =
      errorCode(cause) === "ENOENT" ? `There is no file ${path}.` : `${path}: ${errorText(cause)}.`;
    screen.report([error("State file cannot be read", detail)]);
    return undefined;
  }
}
