import { printed } from "../../core/printed";
import { leftToDo } from "../../fleet/run-log/left-to-do";
import type { RunOperation } from "../../fleet/run-log/entries";
import type { RunRecord } from "../../fleet/run-log/read-run-log";
import { error, warning, type Diagnostic } from "../../core/diagnostics";
import { shortStackList } from "../../review/exclusions/exclusions-text";
import { formatStackCount } from "../../formats/text/counts";
import type { Screen } from "../terminal/screen";
import type { Terminal } from "../terminal/terminal";
import { readRecord } from "./recorded-log";

/** Reads the log of the run to resume. A log of another operation is an error. */
export async function readEarlierRun(
  terminal: Terminal,
  name: string,
  operation: RunOperation,
): Promise<{ record: RunRecord } | { problem: Diagnostic }> {
  const read = await readRecord(terminal, name);
  if ("problem" in read) return read;
  const { damagedAt } = read.record.proof ?? {};
  if (damagedAt !== undefined) return { problem: damaged(name, damagedAt) };
  if (read.record.isJoined) return { problem: ofSeveralMachines(name) };
  if (read.record.operation === operation) return read;
  const other = read.record.operation;
  const detail = `${name} is the log of a run of "${other}", so "${operation}" cannot resume it. Use "${other} --resume ${name}".`;
  return { problem: error("Log of another operation", detail) };
}

function ofSeveralMachines(name: string): Diagnostic {
  const detail = `Workers of a run on Temporal have written the parts of ${name}. Start another run: stacks that were applied have no changes.`;
  return error("Run of several machines", detail);
}

function damaged(name: string, line: number): Diagnostic {
  return error(
    "Invalid run log",
    `${name}, line ${line}: the line is not as the run wrote it. Restore the file from a copy, or run without --resume, which plans all stacks again.`,
  );
}

/** Limits the selected stacks to those that an earlier run left, and prints what is left out. */
export function resumeStacks<S extends { readonly name: string }>(
  screen: Screen,
  record: RunRecord,
  selected: readonly S[],
): readonly S[] {
  const { left, done, missing } = leftToDo(record, selected);
  const total = formatStackCount(record.stacks.length);
  const named = (names: readonly string[]) =>
    names.length === 0 ? "" : ` (${shortStackList(names, SHOWN_STACKS)})`;
  // The output of a run of one stack does not name it.
  const names = named(left.map(({ name }) => name));
  screen.print(
    printed`\nResuming: ${left.length} of ${total} left. Left out, because they are applied completely: ${done.length}${named(done)}. To apply: ${left.length}${names}.\n`,
  );
  if (missing.length > 0) screen.report([notSelected(missing)]);
  return left;
}

/** Names that are printed of the stacks that are left out. */
const SHOWN_STACKS = 5;

function notSelected(missing: readonly string[]): Diagnostic {
  const detail = `The earlier run left ${formatStackCount(missing.length)} that this run does not select, or that the app no longer has: ${shortStackList(missing)}.`;
  return warning("Stacks are not resumed", detail);
}
