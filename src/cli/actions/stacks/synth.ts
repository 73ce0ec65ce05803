import { relative } from "node:path";
import { ExitCode } from "../../exit-code";
import { openScreen, type CommonOptions } from "../../terminal/screen";
import { synthesize, type SynthOptions } from "../../stacks/synthesize";
import type { Terminal } from "../../terminal/terminal";

export async function synth(
  terminal: Terminal,
  options: CommonOptions & SynthOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const { directory, diagnostics } = await synthesize(screen, options);
  if (screen.report(diagnostics) || directory === undefined) return ExitCode.ERROR;
  const shown = relative(terminal.directory, directory);
  screen.print(`Synthesized the stacks into ${shown === "" ? "." : shown}\n`);
  return ExitCode.DONE;
}
