import { createFile, errorCode, readIfPresent } from "../../core/io/durable-file";
import type { State } from "../../core/documents/state";

/** The ending of the name of a state that was moved to another backend. */
export function movedEnding({ serial }: State): string {
  return `.moved-${serial}`;
}

/**
 * Stores bytes in a new file, which may have been written before by a run that was killed. If
 * another file has the name, a number is added to it. Returns the path.
 */
export async function keepFile(path: string, bytes: Uint8Array): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const candidate = attempt === 0 ? path : `${path}.${attempt}`;
    try {
      await createFile(candidate, bytes);
      return candidate;
    } catch (cause) {
      if (errorCode(cause) !== "EEXIST") throw cause;
      if ((await readIfPresent(candidate))?.equals(bytes)) return candidate;
    }
  }
}
