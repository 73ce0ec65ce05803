import { error, type Diagnostic } from "../../core/diagnostics";
import type { RecordedStack } from "../../core/documents/run-record";
import { errorText } from "../../core/io/file-problem";
import { Limit } from "../../core/io/limit";
import { isRunLog, readRunLog } from "../../fleet/run-log/read-run-log";
import { runMarks } from "../../backends";
import type { StackEntry } from "../../language";
import { openStored } from "../stored/stored-stacks";
import type { Terminal } from "../terminal/terminal";

/** The name of the record of a stack, next to its state. */
export function recordName(runId: string, stack: string): string {
  return `${runId}/${stack}.jsonl`;
}

/** Undefined for what is no record, such as a row that was only created. */
export function recordText(bytes: Buffer | undefined): string | undefined {
  return bytes && isRunLog(bytes) ? bytes.toString("utf8") : undefined;
}

/** Requests at a time. */
const MOST_REQUESTS = 10;

/** The record next to the state of a stack, if there is one. */
export interface FoundRecord {
  readonly stack: string;
  readonly place: string;
  readonly text?: string | undefined;
  /** There is none, but the state has been changed by the run. */
  readonly isLost?: boolean;
  readonly problem?: Diagnostic;
}

/** Reads the records of stacks from their backends. */
export function findRecords(
  terminal: Terminal,
  stacks: readonly StackEntry[],
  runId: string,
): Promise<readonly FoundRecord[]> {
  const limit = new Limit(MOST_REQUESTS);
  const find = async (entry: StackEntry): Promise<FoundRecord> => {
    const { name: stack } = entry;
    const { stack: stored, diagnostics } = await openStored(terminal, entry);
    const store = stored?.backend.beside?.(recordName(runId, stack));
    const place = store?.location ?? stack;
    const problem = diagnostics.find(({ severity }) => severity === "error");
    if (problem) return { stack, place, problem };
    try {
      const text = recordText(await store?.get());
      if (text !== undefined || !stored) return { stack, place, text };
      const { state } = await stored.backend.read();
      const isLost = state !== undefined && runMarks(state).some(({ run }) => run === runId);
      return { stack, place, isLost };
    } catch (cause) {
      return { stack, place, problem: notStored("read", place, cause) };
    }
  };
  return Promise.all(stacks.map((entry) => limit.run(() => find(entry))));
}

/** The changes of a run to roll back, by stack, and the errors of those that cannot be. */
export interface RecordedChanges {
  readonly recorded: ReadonlyMap<string, RecordedStack>;
  readonly faults: ReadonlyMap<string, readonly Diagnostic[]>;
}

/**
 * Reads what a run has changed. A stack without a record has no changes of it: otherwise its state shows
 * that they were recorded.
 */
export async function readChanges(
  terminal: Terminal,
  stacks: readonly StackEntry[],
  run: string,
): Promise<RecordedChanges> {
  const recorded = new Map<string, RecordedStack>();
  const faults = new Map<string, readonly Diagnostic[]>();
  for (const { stack, place, text, problem } of await findRecords(terminal, stacks, run)) {
    const read = text === undefined ? undefined : readRunLog(text, place);
    const found = read && "problem" in read ? read.problem : problem;
    if (found) faults.set(stack, [found]);
    const changes = read && "record" in read ? read.record.recorded.get(stack) : undefined;
    const proof = { run, file: place, digests: [] };
    recorded.set(stack, changes ?? { proof, before: undefined, after: undefined, objects: [] });
  }
  return { recorded, faults };
}

/** The error of a record that a server does not give or take. */
export function notStored(done: "read" | "written", place: string, cause: unknown): Diagnostic {
  const detail = `${place}: ${errorText(cause)}. Records are next to the states, so the workers need the right to read and write there.`;
  return error(`Record of the run cannot be ${done}`, detail);
}
