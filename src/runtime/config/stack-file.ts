import { error, type Diagnostic } from "../../core/diagnostics";
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
