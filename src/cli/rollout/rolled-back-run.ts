import { join, resolve } from "node:path";
import { entryAt } from "../../core/io/read-file";
import { error, warning, type Diagnostic } from "../../core/diagnostics";
import type { RecordedStack } from "../../core/documents/run-record";
import { printed } from "../../core/printed";
import type { RunRecord } from "../../fleet/run-log/read-run-log";
import { formatStackCount } from "../../formats/text/counts";
import { shortStackList } from "../../review/exclusions/exclusions-text";
import type { RunOptions } from "../stacks/run-options";
import type { Screen } from "../terminal/screen";
import {
  changesOf,
  joinShards,
  type JoinedRecord,
  type RecordFile,
} from "../../fleet/run-log/join-shards";
import { readFolder, readRecord } from "./recorded-log";

/** The run of `--rollback`, if the option is given. */
export async function rolledBackRun(
  screen: Screen,
  options: Pick<RunOptions, "rollback" | "engine" | "runLog">,
): Promise<RolledBackRun | undefined | "unusable"> {
  const { rollback, runLog } = options;
  if (rollback === undefined) return undefined;
  const at = (name: string) => resolve(screen.terminal.directory, name);
  if (runLog !== undefined && at(runLog) === at(rollback)) {
    screen.report([replacesRecord(rollback)]);
    return "unusable";
  }
  return (await RolledBackRun.open(screen, options, rollback)) ?? "unusable";
}

/** A recorded run to roll back. */
class RolledBackRun {
  private constructor(
    private readonly screen: Screen,
    private readonly record: RunRecord,
  ) {}

  /** Reads the record of `--rollback`. Undefined after an error. */
  static async open(
    screen: Screen,
    { engine }: Pick<RunOptions, "engine">,
    file: string,
  ): Promise<RolledBackRun | undefined> {
    const read = engine === "embedded" ? await readRun(screen, file) : ONLY_EMBEDDED;
    if ("record" in read) {
      if (!read.record.proof) screen.report([notProved(file)]);
      const { files = [file] } = read;
      const count = read.record.shard?.count ?? files.length;
      if (files.length < count) screen.report([notAllShards(file, files.length, count)]);
      return new RolledBackRun(screen, read.record);
    }
    screen.report([read.problem]);
    return undefined;
  }

  get id(): string {
    return this.record.id ?? "";
  }

  /** The changes of the run, by stack. */
  get stacks(): ReadonlyMap<string, RecordedStack> {
    return changesOf(this.record);
  }

  /** Limits the selected stacks to those that the run has started. */
  choose<S extends { readonly name: string }>(
    selected: readonly S[],
    all: readonly { readonly name: string }[],
  ): readonly S[] {
    const { record, screen, stacks } = this;
    const present = new Set(all.map(({ name }) => name));
    const missing = [...stacks.keys()].filter((name) => !present.has(name));
    const chosen = selected.filter(({ name }) => stacks.has(name));
    const isPart = chosen.length > 0 && chosen.length < stacks.size;
    const names = isPart
      ? `: ${shortStackList(
          chosen.map(({ name }) => name),
          SHOWN_STACKS,
        )}`
      : "";
    screen.print(
      printed`\nRolling back the ${record.operation} ${this.id} by ${record.by ?? "an unknown user"}: ${chosen.length} of ${formatStackCount(stacks.size)}${record.proof && !record.result ? " that it selected" : " that it started"}${names}.\n`,
    );
    if (missing.length > 0) screen.report([notInApp(missing)]);
    return chosen;
  }
}

/** Reads the run of a record, or the only run of a folder, which can have a record for each shard. */
async function readRun(
  screen: Screen,
  name: string,
): Promise<{ record: RunRecord; files?: readonly string[] } | { problem: Diagnostic }> {
  const path = resolve(screen.terminal.directory, name);
  const isFolder = entryAt(path)?.isDirectory();
  if (isFolder !== true) return readChanges(screen, name);
  const found = await readFolder(screen.terminal, name);
  const { runs, diagnostics } = joinShards(found.records);
  const [problem] = [...found.diagnostics, ...diagnostics];
  if (problem) return { problem };
  const [run, ...others] = runs;
  if (!run || others.length > 0) return { problem: notOneRun(name, runs) };
  const parts: RecordFile[] = [];
  for (const file of run.files) {
    const read = await readChanges(screen, join(name, file));
    if ("problem" in read) return read;
    parts.push({ file, ...read });
  }
  const [whole] = joinShards(parts).runs;
  return whole ?? { problem: notOneRun(name, []) };
}

function notOneRun(folder: string, runs: readonly JoinedRecord[]): Diagnostic {
  const found = runs.length === 0 ? "no run" : `${runs.length} runs`;
  const files = runs.slice(0, SHOWN_STACKS).map(({ file }) => file);
  const names =
    files.length === 0 ? "" : ` (${files.join(", ")}${runs.length > files.length ? ", …" : ""})`;
  return error(
    "Folder does not have one run",
    `${folder} has the records of ${found}${names}. Name the record of the run to roll back, or a folder with its shards only.`,
  );
}

async function readChanges(
  { terminal }: Screen,
  file: string,
): Promise<{ record: RunRecord } | { problem: Diagnostic }> {
  const read = await readRecord(terminal, file);
  if ("problem" in read) return read;
  const { id, recorded } = read.record;
  const unrecorded = [...recorded].flatMap(([name, { before }]) => (before ? [] : [name]));
  if (id !== undefined && unrecorded.length === 0) return read;
  return { problem: nothingRecorded(file, unrecorded) };
}

/** Names of stacks in a line. */
const SHOWN_STACKS = 5;

const ONLY_EMBEDDED = {
  problem: error(
    "Unsupported by this engine",
    "A rollback writes to consoles and states directly. Run it without --engine.",
  ),
};

function notProved(file: string): Diagnostic {
  return warning(
    "Record of an earlier version",
    `${file} has no digests of its lines, so it is not known if the record is whole. Compare the plan with what the run changed.`,
  );
}

function notAllShards(name: string, parts: number, count: number): Diagnostic {
  return warning(
    "Shards are missing",
    `${name} has ${parts} of the ${count} shards of the run. What the others have changed is not rolled back: collect their records in one folder, and give that.`,
  );
}

function replacesRecord(file: string): Diagnostic {
  return error(
    "Run log would be replaced",
    `--run-log ${file} would replace the record of the run that is rolled back. Use another file, or a folder.`,
  );
}

function nothingRecorded(file: string, stacks: readonly string[]): Diagnostic {
  const of =
    stacks.length === 0 ? "" : ` of ${formatStackCount(stacks.length)}: ${shortStackList(stacks)}`;
  return error(
    "Nothing is recorded to roll back",
    `${file} has no changes of objects${of}. Only files of --run-log have them, of runs without --engine.`,
  );
}

function notInApp(names: readonly string[]): Diagnostic {
  return error(
    "Stacks are not in the app",
    `The run has changed ${formatStackCount(names.length)} that the app no longer has: ${shortStackList(names)}. They are not rolled back. Synthesize the app as it was, or select other stacks.`,
  );
}
