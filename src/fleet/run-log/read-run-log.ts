import { error, type Diagnostic } from "../../core/diagnostics";
import { parseJson } from "../../core/json/lossless-json";
import { ENTRY_TYPES, otherLine, runLogEntry, type RunLogEntry } from "./entries";

/** The last run of a log, with the runs that it resumed. */
export interface RunRecord {
  readonly operation: "apply" | "destroy";
  /** All stacks that were selected, in their order. */
  readonly stacks: readonly string[];
  /** Those that were applied completely. */
  readonly done: ReadonlySet<string>;
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
): { record: RunRecord } | { problem: Diagnostic } {
  const entries: RunLogEntry[] = [];
  for (const [at, line] of text.split("\n").slice(0, -1).entries()) {
    if (line.trim() === "") continue;
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
  let record: { operation: "apply" | "destroy"; stacks: string[]; done: Set<string> } | undefined;
  for (const entry of entries) {
    if (entry.type === "run_start") {
      const { operation, resumed, stacks } = entry.run;
      // A resumed run goes on with the record before it, if the log has that.
      if (!resumed || record?.operation !== operation) {
        record = { operation, stacks, done: new Set() };
      }
    } else if (entry.type === "stack_result" && entry.result.status === "applied") {
      record?.done.add(entry.stack);
    } else if (entry.type === "stack_start" || entry.type === "stack_result") {
      record?.done.delete(entry.stack);
    }
  }
  return record;
}
