import { resolve } from "node:path";
import type { Screen } from "./terminal/screen";
import { synthesize, type SynthOptions, type Synthesized } from "./stacks/synthesize";

/** Where the stacks of a command come from. */
export interface AppOptions extends SynthOptions {
  /** Holds stacks that are synthesized already. */
  readonly outDir?: string;
}

/** The folder of the synthesized stacks: the one that is named, or what a run of the app writes. */
export async function locateStacks(screen: Screen, options: AppOptions): Promise<Synthesized> {
  const { outDir } = options;
  if (outDir === undefined) return synthesize(screen, options);
  return { directory: resolve(screen.terminal.directory, outDir), diagnostics: [] };
}
