import { join, resolve } from "node:path";
import { error, type Diagnostic } from "../../core/diagnostics";
import { fileFault } from "../../core/io/file-fault";
import { readTextFile } from "../../core/io/read-file";
import { world } from "../../core/io/world";
import type { RecordFile } from "../../fleet/run-log/join-shards";
import { readRunLog, type ReadOptions, type RunRecord } from "../../fleet/run-log/read-run-log";
import type { Terminal } from "../terminal/terminal";

/** Reads the text of a run log. */
export async function readLogText(
  { directory }: Pick<Terminal, "directory">,
  name: string,
): Promise<{ text: string } | { problem: Diagnostic }> {
  const path = resolve(directory, name);
  try {
    return { text: await readTextFile(path) };
  } catch (cause) {
    return { problem: error("Run log cannot be read", `${name}: ${fileFault(cause, path)}`) };
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

/** Reads the records of a folder, without the changes of objects. Other files are left out. */
export async function readFolder(
  terminal: Pick<Terminal, "directory">,
  folder: string,
): Promise<{
  readonly records: readonly RecordFile[];
  readonly diagnostics: readonly Diagnostic[];
}> {
  const path = resolve(terminal.directory, folder);
  let names: readonly string[];
  try {
    names = await world.files.readdir(path);
  } catch (cause) {
    const problem = error("Folder cannot be read", `${folder}: ${fileFault(cause, path)}`);
    return { records: [], diagnostics: [problem] };
  }
  const records: RecordFile[] = [];
  const diagnostics: Diagnostic[] = [];
  // One after the other: the records of large runs are large.
  for (const file of names.filter((name) => name.endsWith(".jsonl")).sort()) {
    const name = join(folder, file);
    const log = await readLogText(terminal, name);
    // Other files have lines of JSON, too.
    if ("text" in log && !log.text.includes('"type":"run_start"')) continue;
    const read = "text" in log ? readRunLog(log.text, name, { objects: false }) : log;
    if ("problem" in read) diagnostics.push(read.problem);
    else if (read.record.id !== undefined) records.push({ file, ...read });
  }
  return { records, diagnostics };
}
