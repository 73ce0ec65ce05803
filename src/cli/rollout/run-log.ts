import { basename, dirname, extname, join, resolve } from "node:path";
import { makeFolder } from "../../core/io/make-folder";
import { entryAt, readFileNow } from "../../core/io/read-file";
import { syncContent, syncDirectory } from "../../core/io/durable-file";
import { SharedTask } from "../../core/io/shared-task";
import { openToWrite, writeWhole } from "../../core/io/write-file";
import { formatJson } from "../../core/json/format-json";
import { digestOfLine, shortDigest } from "../../fleet/run-log/line-digest";
import { ContentWriter } from "../../fleet/run-log/repeated-content";
import { isRunLog } from "../../fleet/run-log/read-run-log";
import type { RunResult, StackStatus } from "../../fleet/run-log/entries";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { fileFault } from "../../core/io/file-fault";
import { world } from "../../core/io/world";
import { groupExclusions } from "../../review/exclusions/group-exclusions";
import { formatMessage, type UiMessage } from "../../formats/ui-stream/message";
import { type AppliedStack, type ApplyResult, encodeObjectRecord, markOf } from "../../runtime";
import type { ObjectRecord, RunMark } from "../../core/documents/run-record";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import type { Shard } from "../../fleet/selection/shard";
import type { Screen } from "../terminal/screen";
import type { RolloutOptions } from "../stacks/rollout-settings";
import { runLogMessage, type RunLogMessage } from "./run-log-message";

/** The open file of a record. */
interface LogFile {
  readonly name: string;
  readonly descriptor: number;
  /** The ID of the record: that of its first run. */
  readonly record: string;
  /** The number of lines, and the digest of the last one; empty without lines. */
  lines: number;
  last: string;
  /** Makes all lines durable. */
  readonly durable: SharedTask;
}

/** Records a run in the file of `--run-log`, and in the stream of `--json`. */
export class RunLog {
  private readonly problems: Diagnostic[] = [];

  private file: LogFile | undefined;

  private readonly contents = new ContentWriter();

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
      this.file = { name, descriptor, record: earlier ?? this.id, ...endOf(before), durable };
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
    this.append(message, stacks);
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
    for (const object of objects) this.addObject(stack, object);
    const { file } = this;
    if (!file || !this.isWritten) throw new Error("the run log cannot be written");
    const mark = { run: file.record, line: file.lines, sha256: file.last };
    try {
      await file.durable.run();
      return mark;
    } catch (cause) {
      this.problems.push(notWritten(file.name, cause));
      throw cause;
    }
  }

  /** Records an object, as short as it can be: they are most of a record of many stacks. */
  private addObject(stack: string, object: ObjectRecord): void {
    const kind = `${object.address} ${object.kind}`;
    const { line, contents } = this.contents.name(encodeObjectRecord(object), kind, stack);
    for (const { sha256, value } of contents) {
      this.appendLine((previous) =>
        formatJson({ content: { sha256, value }, previous, type: "content" }),
      );
    }
    this.appendLine((previous) =>
      formatJson({ object: line, previous, stack, type: "object_record" }),
    );
  }

  addExcluded(excluded: readonly ExcludedStack[]): void {
    for (const one of excluded) this.addResult(one.stack, "excluded", one);
  }

  /** @param interrupted - an incomplete stack without errors was interrupted */
  addApplied(applied: AppliedStack, interrupted: boolean): void {
    const failed = hasErrors(applied.diagnostics) || !interrupted;
    const status = applied.complete ? "applied" : failed ? "failed" : "interrupted";
    this.addResult(applied.stack, status, applied);
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

  private addResult(
    stack: string,
    status: StackStatus,
    { diagnostics, counts, state }: Pick<AppliedStack, "diagnostics"> & Partial<AppliedStack>,
  ): void {
    const [group] = groupExclusions([{ stack, diagnostics }]);
    const { add = 0, change = 0, destroy: remove = 0 } = counts ?? {};
    const result = {
      status,
      ...(group && { reason: group.reason }),
      add,
      change,
      remove,
      // Another engine keeps its state to itself.
      ...(this.file && state?.lineage && { state: markOf(state) }),
    };
    this.add({ type: "stack_result", stack, result });
  }

  private append(message: UiMessage, stacks: readonly string[]): void {
    this.appendLine((previous) => {
      const members = { ...message.members, previous };
      return formatMessage({ ...message, members }, world.clock.now(), stacks);
    });
  }

  /** @param lineOf - called with the digest of the line before it */
  private appendLine(lineOf: (previous: string) => string): void {
    const { file } = this;
    if (!file || !this.isWritten) return;
    const line = lineOf(shortDigest(file.last));
    try {
      // Written at once: the line survives the death of this process.
      writeWhole(file.descriptor, Buffer.from(`${line}\n`));
      file.lines++;
      file.last = digestOfLine(line);
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

/** The number of lines of a log, and the digest of the last one. */
function endOf(log: Uint8Array = Buffer.alloc(0)): Pick<LogFile, "lines" | "last"> {
  const lines = Buffer.from(log).toString("utf8").split("\n").slice(0, -1);
  const line = lines.at(-1);
  return { lines: lines.length, last: line === undefined ? "" : digestOfLine(line) };
}

function notReplaced(name: string): Diagnostic {
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

function notWritten(name: string, cause: unknown): Diagnostic {
  return error("Run log cannot be written", `${name}: ${fileFault(cause, name)}`);
}

/** The time, so that names are in the order of the runs, and eight random digits. */
export function newRunId(): string {
  const time = world.clock.now().toISOString().replace(/[-:.]/g, "");
  return `${time}-${world.random.bytes(4).toString("hex")}`;
}
