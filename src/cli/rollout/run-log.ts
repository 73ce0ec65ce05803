import { basename, dirname, extname, join, resolve } from "node:path";
import { makeFolder } from "../../core/io/make-folder";
import { entryAt, readFileNow } from "../../core/io/read-file";
import { syncContent, syncDirectory } from "../../core/io/durable-file";
import { SharedTask } from "../../core/io/shared-task";
import { openToWrite, writeWhole } from "../../core/io/write-file";
import { isRunLog } from "../../fleet/run-log/read-run-log";
import type { RunResult } from "../../fleet/run-log/entries";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { fileFault } from "../../core/io/file-fault";
import { world } from "../../core/io/world";
import { type AppliedStack, type ApplyResult, markOf } from "../../runtime";
import type { ObjectRecord, RunMark } from "../../core/documents/run-record";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import type { Shard } from "../../fleet/selection/shard";
import type { Screen } from "../terminal/screen";
import type { RolloutOptions } from "../stacks/rollout-settings";
import { RecordLines, resultEntry, statusOf } from "./record-lines";
import { runLogMessage, type RunLogMessage } from "./run-log-message";

/** The open file of a record. */
interface LogFile {
  readonly name: string;
  readonly descriptor: number;
  /** The ID of the record: that of its first run. */
  readonly record: string;
  readonly lines: RecordLines;
  /** Makes all lines durable. */
  readonly durable: SharedTask;
}

/** Records a run in the file of `--run-log`, and in the stream of `--json`. */
export class RunLog {
  private readonly problems: Diagnostic[] = [];

  private file: LogFile | undefined;

  /** Names the run. In a folder, it is the name of the file. */
  readonly id: string;

  constructor(
    private readonly screen: Screen,
    private readonly options: RolloutOptions & { readonly shard?: Shard } = {},
  ) {
    this.id = options.runId ?? newRunId();
  }

  /**
   * Opens the file of `--run-log`, in a folder a new one. It replaces an existing record, and nothing
   * else. A resumed run continues the record of the earlier one: it is appended to its log if that is
   * this file, or in this folder; another file begins with a copy of it. Returns an error if it cannot
   * be opened.
   *
   * @param earlier - the ID of the resumed record; undefined for the output of `--json`
   */
  openFile({ runLog, resume }: RolloutOptions, earlier: string | undefined): readonly Diagnostic[] {
    if (runLog === undefined) return [];
    const isRecorded = earlier !== undefined;
    const at = (name: string) => resolve(this.screen.terminal.directory, name);
    const inFolder = isFolder(at(runLog), runLog);
    const isBeside = resume !== undefined && isRecorded && dirname(at(resume)) === at(runLog);
    const own = inFolder ? join(runLog, `${this.id}${this.part}.jsonl`) : runLog;
    const name = inFolder && isBeside ? join(runLog, basename(resume)) : own;
    const path = at(name);
    try {
      if (inFolder) makeFolder(dirname(path), 0o700);
      const continues = resume !== undefined && at(resume) === path;
      const copied =
        resume === undefined || continues || !isRecorded ? undefined : completePart(at(resume));
      // A file that others can read would stay so.
      const entry = entryAt(path);
      if (!continues && entry?.isFile()) {
        if (inFolder) return [idIsUsed(this.id, name)];
        if (!isRunLog(readFileNow(path))) return [notReplaced(name)];
        world.files.unlinkSync(path);
      }
      const descriptor = openToWrite(path, continues ? "append" : "replace", 0o600);
      const before = continues ? completePart(path) : copied;
      const durable = new SharedTask(async () => {
        await syncContent(descriptor);
        if (entry?.isFile() !== true) await syncDirectory(dirname(path));
      });
      // Written at once: a line survives the death of this process.
      const write = (line: string) => {
        writeWhole(descriptor, Buffer.from(`${line}\n`));
      };
      const lines = new RecordLines(write, before);
      this.file = { name, descriptor, record: earlier ?? this.id, lines, durable };
      if (continues) world.files.ftruncateSync(descriptor, before?.length ?? 0);
      else if (copied) writeWhole(descriptor, copied);
      return [];
    } catch (cause) {
      return [notWritten(name, cause)];
    }
  }

  /** Shards of one run have one ID, and a file each. */
  private get part(): string {
    const { runId, shard } = this.options;
    return runId !== undefined && shard ? `.${shard.index}-of-${shard.count}` : "";
  }

  /** False after an error, which `close` returns. */
  get isWritten(): boolean {
    return this.problems.length === 0;
  }

  add(entry: RunLogMessage): void {
    const message = runLogMessage(entry);
    const stacks = "stack" in entry ? [entry.stack] : [];
    this.screen.stream?.send(message, stacks);
    this.append((lines) => {
      lines.add(message, stacks);
    });
  }

  /** The ID of the record, which is that of its first run. */
  get recordId(): string {
    return this.file?.record ?? this.id;
  }

  /** The name of the file; undefined without one. */
  get name(): string | undefined {
    return this.file?.name;
  }

  /**
   * Records changes of objects, in the file only. Resolves to the last line when all are durable, and
   * rejects if that fails.
   */
  async addObjects(stack: string, objects: readonly ObjectRecord[]): Promise<RunMark> {
    this.append((lines) => {
      for (const object of objects) lines.addObject(stack, object);
    });
    const { file } = this;
    if (!file || !this.isWritten) throw new Error("the run log cannot be written");
    const mark = file.lines.mark(file.record);
    try {
      await file.durable.run();
      return mark;
    } catch (cause) {
      this.problems.push(notWritten(file.name, cause));
      throw cause;
    }
  }

  addExcluded(excluded: readonly ExcludedStack[]): void {
    for (const one of excluded) {
      const isUncounted = one.isInput && !this.options.countExcluded;
      const { result, ...entry } = resultEntry(one.stack, "excluded", one);
      this.add({ ...entry, result: { ...result, ...(isUncounted && { uncounted: true }) } });
    }
  }

  /** @param interrupted - an incomplete stack without errors was interrupted */
  addApplied(applied: AppliedStack, interrupted: boolean): void {
    const { stack, state } = applied;
    // Another engine keeps its state to itself.
    const mark = this.file && state?.lineage ? markOf(state) : undefined;
    this.add(resultEntry(stack, statusOf(applied, interrupted), applied, mark));
  }

  /** @param waits - the wave that starts after an approval */
  addRunResult(
    { stacks, skipped, interrupted }: ApplyResult,
    excluded: number,
    waits?: RunResult["waits_for"],
  ): void {
    const applied = stacks.filter(({ complete }) => complete).length;
    const failed = stacks.filter(({ diagnostics }) => hasErrors(diagnostics)).length;
    const not_started = skipped.length;
    const counts = { applied, failed, excluded, not_started, interrupted };
    this.add({ type: "run_result", run: { ...counts, ...(waits && { waits_for: waits }) } });
  }

  /** Closes the file, once. Returns an error if a line could not be written. */
  close(): readonly Diagnostic[] {
    if (!this.file) return [];
    world.files.closeSync(this.file.descriptor);
    this.file = undefined;
    return this.problems;
  }

  private append(add: (lines: RecordLines) => void): void {
    const { file } = this;
    if (!file || !this.isWritten) return;
    try {
      add(file.lines);
    } catch (cause) {
      this.problems.push(notWritten(file.name, cause));
    }
  }
}

/** A name without an ending is that of a folder, which may not exist yet. */
function isFolder(path: string, name: string): boolean {
  if (name.endsWith("/")) return true;
  const entry = entryAt(path);
  return entry?.isDirectory() ?? extname(name) === "";
}

/** A log without a last line that was not written completely. */
function completePart(path: string): Uint8Array {
  const bytes = readFileNow(path);
  return bytes.subarray(0, bytes.lastIndexOf("\n") + 1);
}

/** The error for a file that a record would replace. */
export function notReplaced(name: string): Diagnostic {
  return error(
    "File is no run log",
    `${name} exists, and it is no run log, so it is not replaced. Name another file, or remove this one.`,
  );
}

function idIsUsed(id: string, name: string): Diagnostic {
  return error(
    "Run ID is used",
    `There is a record of the run ${JSON.stringify(id)} already: ${name}. Continue it with --resume, or give another --run-id.`,
  );
}

/** The error for the file of a record. */
export function notWritten(name: string, cause: unknown): Diagnostic {
  return error("Run log cannot be written", `${name}: ${fileFault(cause, name)}`);
}

/** The time, so that names are in the order of the runs, and eight random digits. */
export function newRunId(): string {
  const time = world.clock.now().toISOString().replace(/[-:.]/g, "");
  return `${time}-${world.random.bytes(4).toString("hex")}`;
}
