import { createFile, errorCode, readIfPresent, replaceFile } from "../core/io/durable-file";
import type { State } from "../core/documents/state";

/** The ending of the name of a state that was moved to another backend. */
export function movedEnding({ serial }: State): string {
  return `.moved-${serial}`;
}

/**
 * Stores bytes in a new file, which a run that was killed may have written before, or a part of it. If
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
      const found = await readIfPresent(candidate);
      if (!found?.equals(bytes.subarray(0, found.length))) continue;
      await replaceFile(candidate, bytes);
      return candidate;
    }
  }
}
