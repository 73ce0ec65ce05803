import { access, constants } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { error, type Diagnostic } from "../../core/diagnostics";
import { fileFault } from "../../core/io/file-fault";
import { makeFolder } from "../../core/io/make-folder";
import { expectWritable, writeFileNow } from "../../core/io/write-file";
import type { Terminal } from "./terminal";

/**
 * Writes a file that the user named.
 *
 * @param what - the file's content for the error, such as `review`
 */
export function writeTextFile(
  { directory }: Pick<Terminal, "directory">,
  name: string,
  text: string,
  what: string,
): readonly Diagnostic[] {
  const path = resolve(directory, name);
  try {
    writeFileNow(path, text);
    return [];
  } catch (cause) {
    return [error(`The ${what} cannot be written`, `${name}: ${fileFault(cause, path)}`)];
  }
}

/**
 * Makes the folder of a file that the user named, and returns the error if the file cannot be written
 * there: before the work whose result it is for.
 *
 * @param what - as for `writeTextFile`
 */
export async function prepareFile(
  { directory }: Pick<Terminal, "directory">,
  name: string,
  what: string,
): Promise<readonly Diagnostic[]> {
  const file = resolve(directory, name);
  try {
    makeFolder(dirname(file));
    await access(expectWritable(file) ? file : dirname(file), constants.W_OK);
    return [];
  } catch (cause) {
    const detail = `${name}: ${fileFault(cause, file)} Nothing was planned.`;
    return [error(`The ${what} cannot be written`, detail)];
  }
}
