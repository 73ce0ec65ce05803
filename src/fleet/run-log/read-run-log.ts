import { error, type Diagnostic } from "../../core/diagnostics";
import { parseJson } from "../../core/json/lossless-json";
import type { RecordedStack } from "../../core/documents/run-record";
import { RecordedStacks } from "./recorded-stacks";
import {
  ENTRY_TYPES,
  otherLine,
  runLogEntry,
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
  /** All stacks that were selected, in their order. */
  readonly stacks: readonly string[];
  /** Those that were applied completely. */
  readonly done: ReadonlySet<string>;
  /** Its changes of the stacks that were started. */
  readonly recorded: ReadonlyMap<string, RecordedStack>;
}

export interface ReadOptions {
  /** False: without the changes of objects, which are most of a large record. */
  readonly objects?: boolean;
}

/**
 * Reads a run log, or the output of `--json`. A last line without a line break was not written
 * completely, as of a process that was killed, and is ignored.
 *
 * @param name - the file, for errors
 */
export function readRunLog(
  text: string,
  name: string,
  { objects = true }: ReadOptions = {},
): { record: RunRecord } | { problem: Diagnostic } {
  const entries: RunLogEntry[] = [];
  for (const [at, line] of text.split("\n").slice(0, -1).entries()) {
    if (line.trim() === "" || (!objects && line.endsWith(OBJECT))) continue;
    const read = readLine(line);
    if ("problem" in read) {
      const detail = `${name}, line ${at + 1}: ${read.problem} Give the file that --run-log or --json has written, unchanged.`;
      return { problem: error("Invalid run log", detail) };
    }
    if (read.entry) entries.push(read.entry);
  }
  const record = recordOf(entries);
  if (record) return { record };
  const detail = `${name} has no run_start line, so it is not known which stacks the run had. Give the file that --run-log or --json has written.`;
  return { problem: error("No run in the log", detail) };
}

/** The end of a line about an object. */
const OBJECT = '"type":"object_record"}';

function readLine(line: string): { entry: RunLogEntry | undefined } | { problem: string } {
  let json: unknown;
  try {
    json = parseJson(line);
  } catch {
    return { problem: "the line is not JSON." };
  }
  const other = otherLine.safeParse(json);
  if (!other.success) return { problem: 'the line is no object with a "type".' };
  if (!ENTRY_TYPES.has(other.data.type)) return { entry: undefined };
  const entry = runLogEntry.safeParse(json);
  if (entry.success) return { entry: entry.data };
  const [issue] = entry.error.issues;
  const path = issue?.path.join(".") ?? "";
  return {
    problem: `invalid ${other.data.type}: ${path === "" ? "" : `${path}: `}${issue?.message ?? ""}.`,
  };
}

/** Undefined without a `run_start`. */
function recordOf(entries: readonly RunLogEntry[]): RunRecord | undefined {
  let record: (Omit<RunRecord, "done" | "recorded" | "result"> & { done: Set<string> }) | undefined;
  let result: RunResult | undefined;
  let recorded = new RecordedStacks();
  for (const entry of entries) {
    recorded.add(entry);
    if (entry.type === "run_start") {
      const { operation, resumed, stacks, id, by, rolls_back: rollsBack } = entry.run;
      result = undefined;
      // A resumed run goes on with the record before it, if the log has that.
      if (!resumed || record?.operation !== operation) {
        const startedAt = entry["@timestamp"];
        record = { operation, id, by, startedAt, rollsBack, stacks, done: new Set() };
        recorded = new RecordedStacks();
      }
    } else if (entry.type === "run_result") {
      result = entry.run;
    } else if (entry.type === "stack_result" && entry.result.status === "applied") {
      record?.done.add(entry.stack);
    } else if (entry.type === "stack_start" || entry.type === "stack_result") {
      record?.done.delete(entry.stack);
    }
  }
  return record && { ...record, result, recorded: recorded.all };
}
