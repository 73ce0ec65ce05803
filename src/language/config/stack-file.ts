import { join } from "node:path";
import { error, type Diagnostic } from "../../core/diagnostics";
import { world } from "../../core/io/world";
import { compareStrings } from "../../core/values";
import { REFUSALS, refusalDetail } from "../expressions/refusals";
import type { StackEntry } from "./assembly";
import { readJsonFile } from "./json-file";

/**
 * Reads the configuration of a stack, cdk.tf.json.
 *
 * @param parse Default: with the numbers of JavaScript.
 */
export async function readConfiguration(
  { name, file }: Pick<StackEntry, "name" | "file">,
  parse?: (text: string) => unknown,
): Promise<{ readonly json: unknown } | { readonly problem: Diagnostic }> {
  if (file.endsWith(".tf")) {
    const detail = refusalDetail(`Stack "${name}" is in ${file}.`, REFUSALS.hcl);
    return { problem: error("Stack in HCL", detail) };
  }
  const read = await readJsonFile(file, parse);
  if (read.kind === "read") return read;
  if (read.kind === "faulty") return { problem: read.diagnostic };
  const detail = `There is no ${file}. Synthesize the app again.`;
  return { problem: error(`No configuration of stack "${name}"`, detail) };
}

/**
 * Reports the files next to a stack that Terraform loads with it. Without them, a plan would destroy
 * the objects of their blocks.
 */
export async function unreadFiles({
  name,
  file,
  directory,
}: StackEntry): Promise<readonly Diagnostic[]> {
  const unread: string[] = [];
  for (const one of await namesIn(directory)) {
    const path = join(directory, one);
    if (!isConfiguration(one) || path === file) continue;
    const isFolder = await world.files.stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) unread.push(one);
  }
  if (unread.length === 0) return [];
  const occurrence = `Terraform loads ${unread.join(", ")} in ${directory} too.`;
  const detail = refusalDetail(occurrence, REFUSALS.unreadFile);
  return [error(`Other files of stack "${name}"`, detail)];
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return [...(await world.files.readdir(directory))].sort(compareStrings);
  } catch {
    return [];
  }
}

/** Reports whether Terraform loads a file of this name. */
function isConfiguration(name: string): boolean {
  return /^[^.].*\.tf(\.json)?$/.test(name);
}
