import { error, type Diagnostic } from "../../core/diagnostics";
import { parseJson } from "../../core/json/lossless-json";
import type { RecordedStack, RecordProof } from "../../core/documents/run-record";
import { ProvedLines } from "./line-digest";
import { ContentReader, MissingContentError } from "./repeated-content";
import { RecordedStacks } from "./recorded-stacks";
import {
  contentLine,
  ENTRY_TYPES,
  otherLine,
  runLogEntry,
  type Approval,
  type RecordedRollout,
  type RunLogEntry,
  type RunOperation,
  type RunResult,
} from "./entries";

/** The last run of a log, with the runs that it resumed. */
export interface RunRecord {
  readonly operation: RunOperation;
  /** Undefined in the output of `--json`. */
  readonly id: string | undefined;
  readonly by: string | undefined;
  readonly startedAt: string | undefined;
  /** The ID of the run that this one rolls back. */
  readonly rollsBack: string | undefined;
  /** The numbers of stacks at its end; undefined if it was killed, or runs still. */
  readonly result: RunResult | undefined;
  /** The part of the run that the record has, and the digest of the app, of a run with `--run-id`. */
  readonly shard?: { readonly index: number; readonly count: number } | undefined;
  readonly program?: string | undefined;
  /** The waves of the last run that had some; undefined for runs without limits. */
  readonly rollout?: RecordedRollout | undefined;
  /** Those of waves, the first one first. */
  readonly approvals: readonly Approval[];
  /** The wave that waits for an approval. */
  readonly waits?: { readonly wave: number; readonly count: number } | undefined;
  /** Those that failed, or were excluded as failures, when they were in a run last. */
  readonly failed: ReadonlySet<string>;
  /** All stacks that were selected, in their order. */
  readonly stacks: readonly string[];
  /** Those that were applied completely. */
  readonly done: ReadonlySet<string>;
  /** Undefined if the record has no digests, as those of earlier versions. */
  readonly proof?: RecordProof;
  /** Its changes of the stacks that were started. */
  readonly recorded: ReadonlyMap<string, RecordedStack>;
  /** The changes are from parts, which several machines have written. */
  readonly isJoined?: true;
}

export interface ReadOptions {
  /** False: without the changes of objects, which are most of a large record. */
  readonly objects?: boolean;
}

/**
 * Reads a run log, or the output of `--json`. A last line without a line break was not written
 * completely, as of a process that was killed, and is ignored. So is what follows a line that is not as
 * the run wrote it, if `objects` are read: the state of each stack shows what is missing.
 *
 * @param name - the file, for errors
 */
export function readRunLog(
  text: string,
  name: string,
  { objects = true }: ReadOptions = {},
): { record: RunRecord } | { problem: Diagnostic } {
  const parts: [LogPart, ...LogPart[]] = [emptyPart()];
  let [part] = parts;
  for (const [at, line] of text.split("\n").slice(0, -1).entries()) {
    if (line.trim() === "" || (!objects && isOfObjects(line))) continue;
    const read = readLine(line, part.contents);
    if (beginsPart(read, parts[0])) parts.push((part = emptyPart()));
    const isProved =
      !objects || part.proved.add(line, "problem" in read ? undefined : read.previous);
    if (!isProved) continue;
    if ("problem" in read) {
      const detail = `${name}, line ${at + 1}: ${read.problem} Give the file that --run-log or --json has written, unchanged.`;
      return { problem: error("Invalid run log", detail) };
    }
    if (read.entry) part.entries.push(read.entry);
  }
  const [record, ...others] = parts.flatMap((one) => recordOf(one, name) ?? []);
  if (record && others.length > 0) {
    const recorded = new Map(others.flatMap((one) => [...one.recorded]));
    return { record: { ...record, recorded, isJoined: true } };
  }
  if (record) return { record };
  const detail = `${name} has no run_start line, so it is not known which stacks the run had. Give the file that --run-log or --json has written.`;
  return { problem: error("No run in the log", detail) };
}

/** Lines whose digests cover each other: a whole log, or what one machine has written of it. */
interface LogPart {
  readonly entries: RunLogEntry[];
  readonly proved: ProvedLines;
  readonly contents: ContentReader;
}

function emptyPart(): LogPart {
  return { entries: [], proved: new ProvedLines(), contents: new ContentReader() };
}

/** The first line of a part has no line before it, and the ID of the log. */
function beginsPart(read: ReturnType<typeof readLine>, { entries: [first] }: LogPart): boolean {
  if ("problem" in read || read.previous !== "" || read.entry?.type !== "run_start") return false;
  return first?.type === "run_start" && first.run.id === read.entry.run.id;
}

/** Reports whether bytes are those of a run log, or of the beginning of one. */
export function isRunLog(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString("utf8");
  const [first = "", ...others] = text.split("\n", 2);
  if (others.length === 0)
    return first === "" || /^\{"@level":"info","@message":"(Started|Resumed): /.test(first);
  const read = readLine(first);
  return "entry" in read && read.entry?.type === "run_start";
}

/** Lines about objects, by their ends. */
function isOfObjects(line: string): boolean {
  return line.endsWith('"type":"object_record"}') || line.endsWith('"type":"content"}');
}

interface LogLine {
  readonly entry: RunLogEntry | undefined;
  /** The digest of the line before it. */
  readonly previous: string | undefined;
}

function readLine(
  line: string,
  contents = new ContentReader(),
): LogLine | { readonly problem: string } {
  let json: unknown;
  try {
    json = parseJson(line);
  } catch {
    return { problem: "the line is not JSON." };
  }
  const other = otherLine.safeParse(json);
  if (!other.success) return { problem: 'the line is no object with a "type".' };
  const { previous, type } = other.data;
  if (type === "content") {
    const found = contentLine.safeParse(json);
    if (!found.success) return { problem: "invalid content." };
    contents.add({ ...found.data.content, value: found.data.content.value });
    return { entry: undefined, previous };
  }
  if (type === "object_record") {
    try {
      json = contents.expand(json);
    } catch (cause) {
      if (cause instanceof MissingContentError) return { problem: cause.message };
      throw cause;
    }
  }
  if (!ENTRY_TYPES.has(other.data.type)) return { entry: undefined, previous };
  const entry = runLogEntry.safeParse(json);
  if (entry.success) return { entry: entry.data, previous };
  const [issue] = entry.error.issues;
  const path = issue?.path.join(".") ?? "";
  return {
    problem: `invalid ${other.data.type}: ${path === "" ? "" : `${path}: `}${issue?.message ?? ""}.`,
  };
}

type Started = Omit<
  RunRecord,
  "done" | "failed" | "recorded" | "result" | "proof" | "rollout" | "approvals" | "waits"
> & {
  readonly done: Set<string>;
  readonly failed: Set<string>;
  rollout?: RecordedRollout;
  readonly approvals: Approval[];
  waits?: RunRecord["waits"];
};

function started({
  run,
  "@timestamp": startedAt,
}: Extract<RunLogEntry, { type: "run_start" }>): Started {
  const { operation, stacks, id, by, rolls_back: rollsBack, shard, program } = run;
  const known = { operation, id, by, startedAt, rollsBack, stacks, shard, program };
  return { ...known, done: new Set(), failed: new Set(), approvals: [] };
}

function note(record: Started, entry: RunLogEntry): void {
  if (entry.type === "rollout") {
    const { approval } = entry.rollout;
    record.rollout = entry.rollout;
    if (approval) record.approvals.push(approval);
    if (approval && approval.wave >= (record.waits?.wave ?? 0)) record.waits = undefined;
  } else if (entry.type === "run_result") {
    record.waits = entry.run.waits_for ?? record.waits;
  } else if (entry.type === "stack_start" || entry.type === "stack_result") {
    const { status, uncounted } = entry.type === "stack_result" ? entry.result : {};
    if (status === "applied") record.done.add(entry.stack);
    else record.done.delete(entry.stack);
    if (status === "failed" || (status === "excluded" && !uncounted))
      record.failed.add(entry.stack);
    else record.failed.delete(entry.stack);
  }
}

/** Undefined without a `run_start`. */
function recordOf(
  { entries, proved: { digests, damagedAt, hasDigests } }: LogPart,
  file: string,
): RunRecord | undefined {
  let record: Started | undefined;
  let result: RunResult | undefined;
  let recorded = new RecordedStacks();
  for (const entry of entries) {
    recorded.add(entry);
    if (entry.type === "run_start") {
      result = undefined;
      // A resumed run goes on with the record before it, if the log has that.
      if (!entry.run.resumed || record?.operation !== entry.run.operation) {
        record = started(entry);
        recorded = new RecordedStacks();
      }
    } else if (entry.type === "run_result") {
      result = entry.run;
    }
    if (record) note(record, entry);
  }
  if (!record) return undefined;
  const proof =
    record.id === undefined || !hasDigests
      ? undefined
      : { run: record.id, file, digests, ...(damagedAt !== undefined && { damagedAt }) };
  const proved = [...recorded.all].map(
    ([stack, changes]) => [stack, { ...changes, ...(proof && { proof }) }] as const,
  );
  return { ...record, result, recorded: new Map(proved), ...(proof && { proof }) };
}
