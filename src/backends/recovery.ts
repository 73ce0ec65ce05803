import { joined, printed } from "../core/printed";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { error, warning, type Diagnostic } from "../core/diagnostics";
import { emptyState, type State } from "../core/documents/state";
import type { InterruptedOperation, StateSnapshot, JournalRecord } from "./backend";
import type { JournalContent } from "./journal-format";
import { errorText } from "../core/io/file-problem";
import { createFile, errorCode } from "../core/io/durable-file";
import { parseAddress } from "../core/documents/address";
import type { Advice } from "./run-info";
import { shellWord } from "../core/io/shell-word";
import { MutableState } from "./state/mutable-state";

/** A state file with its content. */
export interface StateFile {
  /** With all symbolic links resolved. */
  readonly path: string;
  /** See `digestOf`. */
  readonly digest: string;
  /** Undefined if the file does not exist. */
  readonly state: State | undefined;
}

/** Returns the SHA-256 of a file, "none" if there is no file. */
export function stateDigest(bytes: Uint8Array | undefined): string {
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
  if (foldings.includes(file.digest)) return "stored";
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

function unfinished(journalPath: string, interrupted: readonly InterruptedOperation[]): Diagnostic {
  const open = interrupted.map(({ address, action }) => `  - ${address} (${action})`);
  const unknown = printed`\n\nThe result of these actions is unknown:\n${joined(open, "\n")}`;
  return warning(
    "A run has not finished",
    printed`Its changes are in ${journalPath} and are taken into account; the next apply stores them in the state file.${open.length > 0 ? unknown : ""}`,
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

/** A state that could not be written to its file. */
interface Stranded {
  readonly location: string;
  readonly workingDirectory: string;
  readonly bytes: Uint8Array;
  /** The cause, as part of a sentence. */
  readonly reason: string;
  /** `complete`: every record of this run is in it. */
  readonly journal: { readonly path: string; readonly complete: boolean } | undefined;
  readonly advice: Advice;
}

/** Saves the state to `errored.tfstate`, as Terraform does, and reports where the data is. */
export async function rescue(stranded: Stranded): Promise<Diagnostic> {
  const { location, workingDirectory, bytes, reason, journal, advice } = stranded;
  const saved = await saveAside(workingDirectory, bytes);
  const lines = [`The state ${location} could not be written: ${reason}.`];
  lines.push(
    saved.path
      ? `The new state is in ${saved.path}. Store it with ` +
          `"${advice(`state push ${shellWord(saved.path)}`)}".`
      : `The new state could not be saved in ${workingDirectory} either: ${saved.failure}.`,
  );
  if (journal?.complete) {
    lines.push(
      `All changes of this run are also in the journal ${journal.path}: keep it. The next run ` +
        `continues from it, if the state file is still the one that this run has read.`,
    );
  } else if (journal) {
    lines.push(`The journal ${journal.path} does not have all changes of this run; keep it.`);
  }
  if (!saved.path && !journal?.complete) {
    lines.push(
      `The last changes of this run are in no file: compare the next plan with the console.`,
    );
  }
  return error("State could not be written", joined(lines, "\n\n"));
}

/** Saves to a new file: an existing one may hold the state of another stack or an older one. */
async function saveAside(
  directory: string,
  bytes: Uint8Array,
): Promise<{ path: string; failure?: never } | { path?: never; failure: string }> {
  for (let attempt = 0; ; attempt++) {
    const path = join(directory, `errored${attempt === 0 ? "" : `.${attempt}`}.tfstate`);
    try {
      await createFile(path, bytes);
      return { path };
    } catch (cause) {
      if (errorCode(cause) !== "EEXIST") return { failure: errorText(cause) };
    }
  }
}

/**
 * Applies the records of a journal to a state. Returns also the actions that did not end: an intent
 * ends with the next record of its address that is not a checkpoint.
 */
export function fold(
  state: State,
  records: readonly JournalRecord[],
): { readonly state: State; readonly interrupted: readonly InterruptedOperation[] } {
  const open = new Map<string, InterruptedOperation>();
  const folded = new MutableState(state);
  for (const record of records) {
    switch (record.kind) {
      case "intent":
        open.set(record.address, { address: record.address, action: record.action });
        break;
      case "instance":
        if (!record.checkpoint) open.delete(record.address);
        foldInstance(folded, record);
        break;
      case "mark":
        folded.setRunMark(record);
        break;
      case "output":
        folded.setOutput(record.name, record.output);
        break;
    }
  }
  return { state: folded.current(), interrupted: [...open.values()] };
}

type InstanceRecord = Extract<JournalRecord, { kind: "instance" }>;

function foldInstance(state: MutableState, record: InstanceRecord): void {
  const address = parseAddress(record.address);
  if (!address) throw new TypeError(`${record.address} is not an address of an instance`);
  const { provider, instance, deposed } = record;
  if (instance) state.set(address, provider, { ...instance, deposed });
  else state.remove(address, deposed);
}
