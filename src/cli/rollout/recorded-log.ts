import { resolve } from "node:path";
import { error, type Diagnostic } from "../../core/diagnostics";
import { errorText } from "../../core/io/file-problem";
import { readTextFile } from "../../core/io/read-file";
import { readRunLog, type ReadOptions, type RunRecord } from "../../fleet/run-log/read-run-log";
import type { Terminal } from "../terminal/terminal";

/** Reads the text of a run log. */
export async function readLogText(
  { directory }: Pick<Terminal, "directory">,
  name: string,
): Promise<{ text: string } | { problem: Diagnostic }> {
  try {
    return { text: await readTextFile(resolve(directory, name)) };
  } catch (cause) {
    return { problem: error("Run log cannot be read", `${name}: ${errorText(cause)}.`) };
  }
}

/** Reads the last run of a log. */
export async function readRecord(
  terminal: Pick<Terminal, "directory">,
  name: string,
  options?: ReadOptions,
): Promise<{ record: RunRecord } | { problem: Diagnostic }> {
  const read = await readLogText(terminal, name);
  return "problem" in read ? read : readRunLog(read.text, name, options);
}
