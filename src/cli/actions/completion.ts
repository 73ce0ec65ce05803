import type { Command } from "commander";
import { error } from "../../core/diagnostics";
import { SHELLS } from "../completion/shells";
import { completedCommands } from "../completion/words";
import { ExitCode } from "../exit-code";
import { openScreen, type CommonOptions } from "../terminal/screen";
import type { Terminal } from "../terminal/terminal";

/** Prints the completion script of a shell. */
export function completion(
  terminal: Terminal,
  shell: string,
  options: CommonOptions,
  { parent: program }: Command,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, true);
  const known = Object.entries(SHELLS);
  const [, script] = known.find(([name]) => name === shell) ?? [];
  if (!script) {
    const names = known.map(([name]) => name).join(", ");
    const detail = `There is no completion for ${JSON.stringify(shell)}. The shells are: ${names}.`;
    return Promise.resolve(screen.fail(error("Unknown shell", detail)));
  }
  if (program === null) throw new Error("the command has no program");
  screen.printDocument(script(program.name(), completedCommands(program)));
  return Promise.resolve(ExitCode.DONE);
}
