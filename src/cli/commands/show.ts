import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { error } from "../../provider/diagnostics";
import { errorCode, errorText } from "../../runtime/backends/durable-file";
import { renderState } from "../../runtime/review/state-text";
import { readState } from "../../runtime/state/read";
import type { State } from "../../runtime/state/state";
import { ExitCode } from "../exit-code";
import { builtInSchema } from "../schemas";
import { openScreen, type Screen } from "../screen";
import { showStored, type StoredOptions } from "../stored-stacks";
import type { Terminal } from "../terminal";

/** Prints the states of the stacks, or of one file. */
export async function show(
  terminal: Terminal,
  file: string | undefined,
  options: StoredOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  if (file !== undefined) {
    const state = await readStateFile(screen, resolve(terminal.directory, file));
    if (!state) return ExitCode.ERROR;
    screen.print(renderState(state, builtInSchema, screen.style));
    return ExitCode.DONE;
  }
  return showStored(screen, options, (state) => {
    screen.print(renderState(state, builtInSchema, screen.style));
  });
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
