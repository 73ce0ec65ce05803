import { createHash } from "node:crypto";
import { error, warning, type Diagnostic } from "../../provider/diagnostics";
import { emptyState, type State } from "../state/state";
import type { Interruption, StateSnapshot } from "./backend";
import { fold } from "./fold";
import type { JournalContent } from "./journal-format";

/** A state file's bytes, and what they say. Both undefined where there is no file. */
export interface StateFile {
  /** Behind all symbolic links. */
  readonly path: string;
  readonly bytes: Uint8Array | undefined;
  readonly state: State | undefined;
}

/** "none" where there is no file. */
export function digestOf(bytes: Uint8Array | undefined): string {
  return bytes ? createHash("sha256").update(bytes).digest("hex") : "none";
}

/**
 * How a journal that was found relates to the state file beside it. `stored`: all of it is in the
 * state already, only its removal is missing. `unrelated`: another program wrote the state since.
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

/** The state with the journal of an unfinished run folded into it. */
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
    `What it did stands in ${journalPath} and is taken into account; the next apply stores it in ` +
      `the state file.` +
      (open && `\n\nOf these it is not known whether they happened:${open}`),
  );
}

function unrelated({ header }: JournalContent, journalPath: string, file: StateFile): Diagnostic {
  const describe = (lineage = "", serial = 0) => `lineage ${lineage || "(none)"}, serial ${serial}`;
  return error(
    "State was changed after an unfinished run",
    `${journalPath} goes on from ${describe(header?.lineage, header?.serial)}, but ${file.path} is ` +
      `at ${file.state ? describe(file.state.lineage, file.state.serial) : "its beginning"}: ` +
      `another program has written the state since, without what the journal holds. Put the state ` +
      `file back that the journal goes on from, or, if the present one is right, move the journal ` +
      `away and review the next plan.`,
  );
}
