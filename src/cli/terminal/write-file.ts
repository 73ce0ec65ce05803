import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { error, type Diagnostic } from "../../provider/diagnostics";
import { errorText } from "../../provider/file-problem";
import type { Terminal } from "./terminal";

/**
 * Writes a file that the user named.
 *
 * @param what - the file's content for the error, such as `review`
 */
export async function writeTextFile(
  { directory }: Pick<Terminal, "directory">,
  name: string,
  text: string,
  what: string,
): Promise<readonly Diagnostic[]> {
  try {
    await writeFile(resolve(directory, name), text);
    return [];
  } catch (cause) {
    return [error(`The ${what} cannot be written`, `${name}: ${errorText(cause)}.`)];
  }
}
