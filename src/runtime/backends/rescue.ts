import { join } from "node:path";
import { error, type Diagnostic } from "../../provider/diagnostics";
import { errorText } from "../../provider/file-problem";
import { createFile, errorCode } from "./durable-file";

/** A state that could not be written where it belongs. */
export interface Stranded {
  readonly location: string;
  readonly workingDirectory: string;
  readonly bytes: Uint8Array;
  /** Why, as a part of a sentence. */
  readonly reason: string;
  /** `complete`: every record of this run is in it. */
  readonly journal: { readonly path: string; readonly complete: boolean } | undefined;
}

/** Puts the state into `errored.tfstate`, as Terraform does, and tells where everything is. */
export async function rescue(stranded: Stranded): Promise<Diagnostic> {
  const { location, workingDirectory, bytes, reason, journal } = stranded;
  const saved = await saveAside(workingDirectory, bytes);
  const lines = [`The state ${location} could not be written: ${reason}.`];
  lines.push(
    saved.path
      ? `The new state is in ${saved.path}: it may be put in place by hand, or by ` +
          `"terraform state push ${saved.path}".`
      : `Nor could the new state be put into ${workingDirectory}: ${saved.failure}.`,
  );
  if (journal?.complete) {
    lines.push(
      `All that this run did is also in the journal ${journal.path}: keep it. The next run goes on ` +
        `from there, if the state file is the one that this run had read.`,
    );
  } else if (journal) {
    lines.push(`The journal ${journal.path} does not have all that this run did; keep it.`);
  }
  if (!saved.path && !journal?.complete) {
    lines.push(`What this run did last is in no file: compare the next plan with the console.`);
  }
  return error("State could not be written", lines.join("\n\n"));
}

/** A file that is there already holds another stack's state, or an older one: it stays. */
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
