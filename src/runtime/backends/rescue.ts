import { join } from "node:path";
import { error, type Diagnostic } from "../../provider/diagnostics";
import { errorText } from "../../provider/file-problem";
import { createFile, errorCode } from "./durable-file";

/** A state that could not be written to its file. */
export interface Stranded {
  readonly location: string;
  readonly workingDirectory: string;
  readonly bytes: Uint8Array;
  /** The cause, as part of a sentence. */
  readonly reason: string;
  /** `complete`: every record of this run is in it. */
  readonly journal: { readonly path: string; readonly complete: boolean } | undefined;
}

/** Saves the state to `errored.tfstate`, as Terraform does, and reports where the data is. */
export async function rescue(stranded: Stranded): Promise<Diagnostic> {
  const { location, workingDirectory, bytes, reason, journal } = stranded;
  const saved = await saveAside(workingDirectory, bytes);
  const lines = [`The state ${location} could not be written: ${reason}.`];
  lines.push(
    saved.path
      ? `The new state is in ${saved.path}: put it in place manually, or with ` +
          `"terraform state push ${saved.path}".`
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
  return error("State could not be written", lines.join("\n\n"));
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
