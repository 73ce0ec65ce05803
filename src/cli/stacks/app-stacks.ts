import { printed } from "../../core/printed";
import { resolve } from "node:path";
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
  screen.announce(printed`Reading the stacks in ${outDir}\n`);
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

/** The `terraform` block of a stack's configuration. */
export function terraformBlock(configuration: unknown): unknown {
  return typeof configuration === "object" && configuration !== null && "terraform" in configuration
    ? configuration.terraform
    : undefined;
}
