import { createHash } from "node:crypto";
import { readFile } from "../../core/io/read-file";
import type { StackEntry } from "../../language";

/**
 * Returns the digest of all stacks of an app, in hex, whichever of them a run selects: shards of one run
 * have the same.
 */
export async function digestOfProgram(stacks: readonly StackEntry[]): Promise<string> {
  const digest = createHash("sha256");
  for (const { name, file } of stacks) {
    const content = createHash("sha256").update(await readFile(file));
    digest.update(`${JSON.stringify(name)} ${content.digest("hex")}\n`);
  }
  return digest.digest("hex");
}
