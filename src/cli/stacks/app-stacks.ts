import { printed } from "../../core/printed";
import { join, resolve } from "node:path";
import { entryAt } from "../../core/io/read-file";
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
  const directory = resolve(screen.terminal.directory, outDir);
  const manifest = join(directory, "manifest.json");
  const time = entryAt(manifest)?.mtime.toISOString();
  const age = time === undefined ? "" : `, synthesized ${time.slice(0, 19)}Z`;
  screen.announce(printed`Reading the stacks in ${outDir}${age}\n`);
  return { directory, diagnostics: [] };
}

/** Like `findStacks`, but reports the diagnostics. Undefined after an error. */
export async function locateStacks(
  screen: Screen,
  options: AppOptions,
): Promise<string | undefined> {
  const { directory, diagnostics } = await findStacks(screen, options);
  return screen.report(diagnostics) ? undefined : directory;
}

/** The `terraform` block of a stack's configuration. */
export function terraformBlock(configuration: unknown): unknown {
  return typeof configuration === "object" && configuration !== null && "terraform" in configuration
    ? configuration.terraform
    : undefined;
}
