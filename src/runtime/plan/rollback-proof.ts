import { error, type Diagnostic } from "../../core/diagnostics";
import type { RecordedStack, RecordProof } from "../../core/documents/run-record";
import type { State } from "../../core/documents/state";
import { markOf, runMarks } from "../../backends";

/**
 * Returns an error if a record does not prove what its run did to a stack. The state has the mark of
 * the last line that was written before an effect: a record that ends earlier was cut.
 */
export function unproved(
  name: string,
  { proof, before, after }: RecordedStack,
  stored: State | undefined,
): Diagnostic | undefined {
  // Records of earlier versions have no digests.
  if (!proof) return undefined;
  const mark = runMarks(stored ?? { unknown: {} }).find(({ run }) => run === proof.run);
  if (mark) {
    const isThere = proof.digests[mark.line - 1] === mark.sha256;
    return isThere ? undefined : notWhole(name, proof, mark.line);
  }
  // A program that drops the mark has written the state since.
  const isEnded = before === undefined || after !== undefined || stored === undefined;
  if (isEnded || markOf(stored).sha256 === before.sha256) return undefined;
  return error(
    "Record of the run is not proved",
    `The state of stack "${name}" no longer has the mark of the run ${proof.run}, and ${proof.file} has no result of the stack, so it is not known if the record has all changes. Nothing of the stack is rolled back.`,
  );
}

function notWhole(
  name: string,
  { run, file, digests, damagedAt }: RecordProof,
  line: number,
): Diagnostic {
  const found =
    damagedAt === undefined
      ? digests.length === 0
        ? "has none of them"
        : digests.length < line
          ? `ends after line ${digests.length}`
          : `has another line ${line}`
      : `is not as the run wrote it from line ${damagedAt} on`;
  return error(
    "Record of the run is not whole",
    `The state of stack "${name}" shows that the run ${run} recorded changes of it up to line ${line}, but ${file} ${found}. Nothing of the stack is rolled back. Restore the file from a copy, or put back by hand what the next plan shows.`,
  );
}
