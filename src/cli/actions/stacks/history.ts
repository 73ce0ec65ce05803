import { join, resolve } from "node:path";
import { error } from "../../../core/diagnostics";
import { errorText } from "../../../core/io/file-problem";
import { world } from "../../../core/io/world";
import { printed } from "../../../core/printed";
import { historyOf, type PastRun } from "../../../fleet/run-log/history";
import { readRunLog } from "../../../fleet/run-log/read-run-log";
import { formatStackCount } from "../../../formats/text/counts";
import { listStacks } from "../../../review/exclusions/exclusions-text";
import { ExitCode } from "../../exit-code";
import { readLogText } from "../../rollout/recorded-log";
import { openScreen, type CommonOptions, type Screen } from "../../terminal/screen";
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
    const log = await readLogText(terminal, name);
    // Other files have lines of JSON, too.
    if ("text" in log && !log.text.includes('"type":"run_start"')) continue;
    const read = "text" in log ? readRunLog(log.text, name, { objects: false }) : log;
    if ("problem" in read) isComplete = !screen.report([read.problem]);
    else if (read.record.id !== undefined) found.push({ file, ...read });
  }
  const runs = historyOf(found);
  if (options.json) screen.printDocument(`${JSON.stringify(listing(runs))}\n`);
  else for (const run of runs) printRun(screen, run);
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

const WIDTH_COLUMNS = 80;

/** Prints a run as a few short lines: in a table, names of files and users would be too wide. */
function printRun(screen: Screen, { file, record, status, rolledBack }: PastRun): void {
  const {
    startedAt = "-",
    by = "an unknown user",
    operation,
    rollsBack,
    stacks,
    recorded,
  } = record;
  const isWhole = rolledBack.length >= recorded.size;
  const back = rolledBack.length === 0 ? "" : `, rolled back${isWhole ? "" : " in part"}`;
  const of = rollsBack === undefined ? "" : printed`  Rolls back ${rollsBack}\n`;
  const time = startedAt.replace(/\.\d+Z$/, "Z");
  screen.print(
    printed`${screen.style.bold(printed`${file}`)}: ${status}${back}
  ${time}  ${operation} of ${formatStackCount(stacks.length)} by ${by}
${of}  ${listWithin(stacks, WIDTH_COLUMNS - 2)}
`,
  );
}

/** Lists as many names as a line has room for, at least one. */
function listWithin(stacks: readonly string[], width: number): string {
  for (let most = SHOWN_STACKS; most > 1; most--) {
    const list = listStacks(stacks, most);
    if (list.length <= width) return list;
  }
  return listStacks(stacks, 1);
}

/** The number of stacks that a run names, if there is room. */
const SHOWN_STACKS = 5;
