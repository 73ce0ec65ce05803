import { resolve } from "node:path";
import { error, type Diagnostic } from "../../../core/diagnostics";
import { entryAt, readFileNow } from "../../../core/io/read-file";
import { writeFileNow } from "../../../core/io/write-file";
import { printed } from "../../../core/printed";
import { isRunLog } from "../../../fleet/run-log/read-run-log";
import { formatStackCount } from "../../../formats/text/counts";
import { inStacks, shortStackList } from "../../../review/exclusions/exclusions-text";
import { isReadOnly, readResult, type RolloutResult } from "../../../temporal";
import { ExitCode } from "../../exit-code";
import { findRecords, type FoundRecord } from "../../remote/found-records";
import { joinedRecord } from "../../remote/joined-record";
import { withRollouts } from "../../remote/server";
import { notReplaced, notWritten } from "../../rollout/run-log";
import type { AppOptions } from "../../stacks/app-stacks";
import { selectedStacks } from "../../stacks/selection";
import { openScreen, type CommonOptions } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

/** Joins the records of a run on Temporal, which are next to the states, in one file. */
export function rolloutRecord(
  terminal: Terminal,
  id: string,
  options: CommonOptions & AppOptions & { readonly out?: string },
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const { out = `${id}.jsonl` } = options;
  return withRollouts(screen, async (rollouts) => {
    const run = await readResult(rollouts, id);
    const { operation } = run.status;
    if (isReadOnly(operation)) return screen.fail(changedNothing(id));
    const selected = await selectedStacks(screen, [], options);
    if (!selected) return ExitCode.ERROR;
    const stacks = selected.all.filter(({ name }) => run.outcomes.has(name));
    const found = await findRecords(terminal, stacks, id);
    const parts = found.flatMap(({ text }) => text ?? []);
    const problem = writeRecord(terminal, out, joinedRecord({ id, operation }, run, parts));
    if (problem) return screen.fail(problem);
    screen.print(
      printed`The record of ${id} is in ${out}, with the changes of ${formatStackCount(parts.length)}.\n`,
    );
    return screen.report(missingParts(run, found)) ? ExitCode.ERROR : ExitCode.DONE;
  });
}

/** The errors of stacks that the run has changed, and whose changes are not known. */
function missingParts(
  { outcomes }: RolloutResult,
  found: readonly FoundRecord[],
): readonly Diagnostic[] {
  const present = new Set(found.map(({ stack }) => stack));
  const missing = [
    ...found.flatMap(({ stack, isLost }) => (isLost ? stack : [])),
    // The states of the others are not known.
    ...[...outcomes.values()].flatMap(({ stack, add, change, remove }) =>
      add + change + remove > 0 && !present.has(stack) ? stack : [],
    ),
  ];
  const lost = `The run has changed these stacks, but there is no record next to their states, or the app no longer has them: ${shortStackList(missing)}. A rollback refuses them.`;
  return [
    ...found.flatMap(({ stack, problem }) =>
      problem ? error(problem.summary, printed`${problem.detail}\n\n${inStacks([stack])}`) : [],
    ),
    ...(missing.length > 0 ? [error("Record is not whole", lost)] : []),
  ];
}

/** Writes a record, in place of an earlier one only. */
function writeRecord({ directory }: Terminal, name: string, text: string): Diagnostic | undefined {
  const path = resolve(directory, name);
  try {
    const isFile = entryAt(path)?.isFile() === true;
    if (isFile && !isRunLog(readFileNow(path))) return notReplaced(name);
    writeFileNow(path, text, "replace", 0o600);
    return undefined;
  } catch (cause) {
    return notWritten(name, cause);
  }
}

function changedNothing(id: string): Diagnostic {
  return error("Nothing is recorded", `The run ${id} has only read consoles.`);
}
