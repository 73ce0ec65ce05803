import { joined, printed } from "../../../core/printed";
import { historyOf, type PastRun } from "../../../fleet/run-log/history";
import { joinShards } from "../../../fleet/run-log/join-shards";
import { formatStackCount } from "../../../formats/text/counts";
import { shortStackList } from "../../../review/exclusions/exclusions-text";
import { ExitCode } from "../../exit-code";
import { readFolder } from "../../rollout/recorded-log";
import { openScreen, type CommonOptions, type Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

/** Lists the recorded runs of a folder, the first one first. */
export async function history(
  terminal: Terminal,
  folder = ".",
  options: CommonOptions & { readonly json?: boolean },
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, options.json);
  const found = await readFolder(terminal, folder);
  const joined = joinShards(found.records);
  const isComplete = !screen.report([...found.diagnostics, ...joined.diagnostics]);
  const runs = historyOf(joined.runs);
  if (options.json) screen.printDocument(`${JSON.stringify(listing(runs))}\n`);
  else if (runs.length === 0 && isComplete) {
    screen.print(printed`${folder} has no record of a run. "apply --run-log FOLDER" writes one.\n`);
  } else for (const run of runs) printRun(screen, run);
  return isComplete ? ExitCode.DONE : ExitCode.ERROR;
}

function listing(runs: readonly PastRun[]) {
  return {
    format_version: "1.0",
    runs: runs.map(({ file, files, record, status, rolledBack }) => ({
      file,
      ...(record.shard && { files, shards: record.shard.count }),
      id: record.id,
      started_at: record.startedAt ?? null,
      by: record.by ?? null,
      operation: record.operation,
      ...(record.approvals.length > 0 && { approvals: record.approvals }),
      ...(record.rollsBack !== undefined && { rolls_back: record.rollsBack }),
      stacks: record.stacks,
      status,
      ...record.result,
      ...(record.waits && { waits_for: record.waits }),
      rolled_back: rolledBack,
    })),
  };
}

const WIDTH_COLUMNS = 80;

/** Prints a run as a few short lines: in a table, names of files and users would be too wide. */
function printRun(screen: Screen, { file, files, record, status, rolledBack }: PastRun): void {
  const {
    startedAt = "-",
    by = "an unknown user",
    operation,
    rollsBack,
    stacks,
    recorded,
    shard,
    waits,
    approvals,
  } = record;
  const isWhole = rolledBack.length >= recorded.size;
  const back = rolledBack.length === 0 ? "" : `, rolled back${isWhole ? "" : " in part"}`;
  const of = rollsBack === undefined ? "" : printed`  Rolls back ${rollsBack}\n`;
  const time = startedAt.replace(/\.\d+Z$/, "Z");
  const is =
    status === "waiting" && waits ? `waits for wave ${waits.wave} of ${waits.count}` : status;
  const parts = shard ? printed`  ${files.length} of ${shard.count} shards\n` : "";
  const approved = approvals.map(
    ({ wave, claimed }) => printed`  Wave ${wave} was approved by ${claimed} (claimed)\n`,
  );
  screen.print(
    printed`${screen.style.bold(printed`${file}`)}: ${is}${back}
  ${time}  ${operation} of ${formatStackCount(stacks.length)} by ${by}
${of}${parts}${joined(approved, "")}  ${listWithin(stacks, WIDTH_COLUMNS - 2)}
`,
  );
}

/** Lists as many names as a line has room for, at least one. */
function listWithin(stacks: readonly string[], width: number): string {
  for (let most = SHOWN_STACKS; most > 1; most--) {
    const list = shortStackList(stacks, most);
    if (list.length <= width) return list;
  }
  return shortStackList(stacks, 1);
}

/** The number of stacks that a run names, if there is room. */
const SHOWN_STACKS = 5;
