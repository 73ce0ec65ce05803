import { chmodSync, closeSync, rmSync, statSync } from "node:fs";
import { errorCode } from "../../core/io/durable-file";
import { openToWrite } from "../../core/io/write-file";

/** Mode of files that may hold secrets. */
const PRIVATE = 0o600;
const OF_OTHERS = 0o077;

/**
 * Runs a program, and keeps the files that it writes for this user alone: Terraform creates them for
 * all to read. Its umask would be that of all programs that it starts.
 *
 * @param written Created before the run, so that they are never open. Empty ones are removed after it.
 * @param others Closed before and after the run, where they exist.
 */
export async function withPrivateFiles<Result>(
  { written, others }: { readonly written: readonly string[]; readonly others: readonly string[] },
  run: () => Promise<Result>,
): Promise<Result> {
  const created = written.filter(create);
  const files = [...written, ...others];
  for (const file of files) close(file);
  try {
    return await run();
  } finally {
    for (const file of created) if (sizeOf(file) === 0) rmSync(file, { force: true });
    for (const file of files) close(file);
  }
}

/** Creates the file; false if it exists, or if the program has to report that it cannot be created. */
function create(file: string): boolean {
  try {
    closeSync(openToWrite(file, "create", PRIVATE));
    return true;
  } catch (failure) {
    if (errorCode(failure) === "ELINK") throw failure;
    return false;
  }
}

function close(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile() || (found.mode & OF_OTHERS) === 0 || found.uid !== process.getuid?.())
    return;
  chmodSync(file, PRIVATE);
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}
