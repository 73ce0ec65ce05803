import { resolve } from "node:path";
import { readFile } from "../../../core/io/read-file";
import { error } from "../../../core/diagnostics";
import { fileFault } from "../../../core/io/file-fault";
import { checkLineage, readState } from "../../../formats/state-file/read";
import { ExitCode } from "../../exit-code";
import type { StoredOptions } from "../../stored/stored-stacks";
import { openScreen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";
import { editStored } from "./state-actions";

/** Stores a state file in the backend of one stack, as `terraform state push` does. */
export async function statePush(
  terminal: Terminal,
  file: string,
  options: StoredOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const path = resolve(terminal.directory, file);
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    return screen.fail(error("File cannot be read", `${path}: ${fileFault(cause, path)}`));
  }
  const { state: pushed, diagnostics } = readState(bytes, path);
  if (screen.report(diagnostics) || !pushed) return ExitCode.ERROR;
  return editStored(terminal, options, "state push", (present) => {
    const found = { lineage: pushed.lineage, location: path };
    const foreign = checkLineage({ lineage: present.lineage, location: "the stored state" }, found);
    if (foreign.length > 0) return { diagnostics: foreign };
    if (present.lineage !== "" && pushed.serial <= present.serial) {
      const detail = `${path} has the serial ${pushed.serial}, but the stored state has ${present.serial} already. Plan again to see what is missing.`;
      return { diagnostics: [error("State is older than the stored one", detail)] };
    }
    return { state: pushed, lines: [`Stored ${path}.`] };
  });
}
