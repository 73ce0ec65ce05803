import { error, type Diagnostic } from "../core/diagnostics";
import { readIfPresent } from "../core/io/durable-file";
import { errorText } from "../core/io/file-problem";

/* The files of the local backend, by the path of the state file. */

export function journalPath(statePath: string): string {
  return `${statePath}.journal`;
}

export function backupPath(location: string): string {
  return `${location}.backup`;
}

/**
 * Reads the state file. Terraform creates it empty when its first apply begins, and leaves it so if
 * it is killed: an empty file without a backup is no state. With one, content was lost.
 */
export async function readStateFile(path: string, location: string): Promise<Buffer | undefined> {
  const bytes = await readIfPresent(path);
  if (bytes?.length !== 0) return bytes;
  const backup = await readIfPresent(backupPath(location));
  return backup && backup.length > 0 ? bytes : undefined;
}

/** Reads the journal of a state file; its problems are not those of the state file. */
export async function readJournal(statePath: string): Promise<Buffer | Diagnostic | undefined> {
  const path = journalPath(statePath);
  try {
    return await readIfPresent(path);
  } catch (cause) {
    return error(
      "Journal cannot be read",
      `${path}: ${errorText(cause)}. This is where a run keeps its changes until they are in the state file ${statePath}, which was read and is sound. Make the journal readable, or move it away if it is none.`,
    );
  }
}
