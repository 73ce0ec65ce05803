import { createHash } from "node:crypto";
import { error, warning, type Diagnostic } from "../../provider/diagnostics";
import { emptyState, type State } from "../state/state";
import type { Interruption, StateSnapshot } from "./backend";
import { fold } from "./fold";
import type { JournalContent } from "./journal-format";

/** A state file with its content. `bytes` and `state` are undefined if it does not exist. */
export interface StateFile {
  /** With all symbolic links resolved. */
  readonly path: string;
  readonly bytes: Uint8Array | undefined;
  readonly state: State | undefined;
}

/** Returns the SHA-256 of a file, "none" if there is no file. */
export function digestOf(bytes: Uint8Array | undefined): string {
  return bytes ? createHash("sha256").update(bytes).digest("hex") : "none";
}

/**
 * Relates a journal to the state file next to it. `stored`: the state has all of it, and it only
 * remains to be removed. `unrelated`: another program has written the state since.
 */
export function relate(
  journal: JournalContent,
  file: StateFile,
): "empty" | "continues" | "stored" | "unrelated" {
  const { header, foldings } = journal;
  if (!header) return "empty";
  if (foldings.includes(digestOf(file.bytes))) return "stored";
  const { lineage = "", serial = 0 } = file.state ?? {};
  const sameLineage = lineage === "" || lineage === header.lineage;
  return sameLineage && serial === header.serial ? "continues" : "unrelated";
}

/** Folds the journal of an unfinished run into the state. */
export function recover(
  journal: JournalContent,
  journalPath: string,
  file: StateFile,
): StateSnapshot {
  switch (relate(journal, file)) {
    case "empty":
    case "stored":
      return { state: file.state, interrupted: [], diagnostics: [] };
    case "unrelated":
      return {
        state: undefined,
        interrupted: [],
        diagnostics: [unrelated(journal, journalPath, file)],
      };
    case "continues": {
      const start = file.state ?? emptyState(journal.header?.lineage);
      if (journal.records.length === 0) {
        return { state: file.state, interrupted: [], diagnostics: [] };
      }
      const { state, interrupted } = fold(start, journal.records);
      return { state, interrupted, diagnostics: [unfinished(journalPath, interrupted)] };
    }
  }
}

function unfinished(journalPath: string, interrupted: readonly Interruption[]): Diagnostic {
  const open = interrupted.map(({ address, action }) => `\n  - ${address} (${action})`).join("");
  return warning(
    "A run has not finished",
    `Its changes are in ${journalPath} and are taken into account; the next apply stores them in ` +
      `the state file.` +
      (open && `\n\nThe result of these actions is unknown:${open}`),
  );
}

function unrelated({ header }: JournalContent, journalPath: string, file: StateFile): Diagnostic {
  const describe = (lineage = "", serial = 0) => `lineage ${lineage || "(none)"}, serial ${serial}`;
  return error(
    "State was changed after an unfinished run",
    `${journalPath} continues ${describe(header?.lineage, header?.serial)}, but ${file.path} is ` +
      `at ${file.state ? describe(file.state.lineage, file.state.serial) : "its beginning"}: ` +
      `another program has written the state since, without the changes in the journal. Restore the ` +
      `state file that the journal continues, or, if the present one is right, move the journal away ` +
      `and review the next plan.`,
  );
}
