import { join, resolve } from "node:path";
import { error } from "../../../core/diagnostics";
import { errorText } from "../../../core/io/file-problem";
import { readTextFile } from "../../../core/io/read-file";
import { world } from "../../../core/io/world";
import { printable } from "../../../core/printed";
import { historyOf, type PastRun } from "../../../fleet/run-log/history";
import { readRunLog } from "../../../fleet/run-log/read-run-log";
import { listStacks } from "../../../review/exclusions/exclusions-text";
import { ExitCode } from "../../exit-code";
import { openScreen, type CommonOptions } from "../../terminal/screen";
import { printTable } from "../../terminal/table";
import type { Terminal } from "../../terminal/terminal";

/** Lists the recorded runs of a folder, the first one first. */
export async function history(
  terminal: Terminal,
  folder = ".",
  options: CommonOptions & { readonly json?: boolean },
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, options.json);
  const path = resolve(terminal.directory, folder);
  let names: readonly string[];
  try {
    names = await world.files.readdir(path);
  } catch (cause) {
    return screen.fail(error("Folder cannot be read", `${folder}: ${errorText(cause)}.`));
  }
  const files = names.filter((name) => name.endsWith(".jsonl")).sort();
  const found = [];
  let isComplete = true;
  // One after the other: the records of large runs are large.
  for (const file of files) {
    const name = join(folder, file);
    try {
      const text = await readTextFile(join(path, file));
      // Other files have lines of JSON, too.
      if (!text.includes('"type":"run_start"')) continue;
      const read = readRunLog(text, name, { objects: false });
      if ("problem" in read) isComplete = !screen.report([read.problem]);
      else if (read.record.id !== undefined) found.push({ file, ...read });
    } catch (cause) {
      screen.report([error("Run log cannot be read", `${name}: ${errorText(cause)}.`)]);
      isComplete = false;
    }
  }
  const runs = historyOf(found);
  if (options.json) screen.printDocument(`${JSON.stringify(listing(runs))}\n`);
  else printTable(screen, COLUMNS, runs.map(rowOf));
  return isComplete ? ExitCode.DONE : ExitCode.ERROR;
}

function listing(runs: readonly PastRun[]) {
  return {
    format_version: "1.0",
    runs: runs.map(({ file, record, status, rolledBack }) => ({
      file,
      id: record.id,
      started_at: record.startedAt ?? null,
      by: record.by ?? null,
      operation: record.operation,
      ...(record.rollsBack !== undefined && { rolls_back: record.rollsBack }),
      stacks: record.stacks,
      status,
      ...record.result,
      rolled_back: rolledBack,
    })),
  };
}

const COLUMNS = ["Run", "Started", "By", "Operation", "Stacks", "Result", "Rolled back"];
/** The number of stacks that a row names. */
const SHOWN = 3;

function rowOf({ file, record, status, rolledBack }: PastRun): readonly string[] {
  const { startedAt = "-", by = "-", operation, rollsBack, stacks, recorded } = record;
  const isWhole = rolledBack.length >= recorded.size;
  const back = rolledBack.length === 0 ? "no" : isWhole ? "yes" : "in part";
  return [
    file,
    startedAt.replace(/\.\d+Z$/, "Z"),
    by,
    rollsBack === undefined ? operation : `${operation} of ${rollsBack}`,
    `${stacks.length}: ${listStacks(stacks, SHOWN)}`,
    status,
    back,
  ].map(printable);
}
