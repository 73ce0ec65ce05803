import { resolve } from "node:path";
import { error, type Diagnostic } from "../../provider/diagnostics";
import type { StackEntry } from "../../runtime/config/assembly";
import { readJsonFile } from "../../runtime/config/json-file";
import type { Screen } from "../terminal/screen";
import { synthesize, type SynthOptions, type Synthesized } from "./synthesize";

/** Options that name the source of the stacks. */
export interface AppOptions extends SynthOptions {
  /** Folder of stacks that are already synthesized. */
  readonly outDir?: string;
}

/** Returns the folder of the synthesized stacks: `--out-dir`, or the output of the app. */
export async function findStacks(screen: Screen, options: AppOptions): Promise<Synthesized> {
  const { outDir } = options;
  if (outDir === undefined) return synthesize(screen, options);
  return { directory: resolve(screen.terminal.directory, outDir), diagnostics: [] };
}

/** Like `findStacks`, but reports the diagnostics. Undefined after an error. */
export async function locateStacks(
  screen: Screen,
  options: AppOptions,
): Promise<string | undefined> {
  const { directory, diagnostics } = await findStacks(screen, options);
  return screen.report(diagnostics) ? undefined : directory;
}

/** Reads the configuration of a stack, cdk.tf.json. */
export async function readConfiguration({
  name,
  file,
}: StackEntry): Promise<{ readonly json: unknown } | { readonly problem: Diagnostic }> {
  const read = await readJsonFile(file);
  if (read.kind === "read") return read;
  if (read.kind === "faulty") return { problem: read.diagnostic };
  const detail = `There is no ${file}. Synthesize the app again.`;
  return { problem: error(`No configuration of stack "${name}"`, detail) };
}

/** The `terraform` block of a stack's configuration. */
export function terraformBlock(configuration: unknown): unknown {
  return typeof configuration === "object" && configuration !== null && "terraform" in configuration
    ? configuration.terraform
    : undefined;
}
