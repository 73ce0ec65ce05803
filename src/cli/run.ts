import { CommanderError, type Command } from "commander";
import { ExitCode } from "./exit-code";
import { createProgram } from "./program";
import { wordWrap } from "../review/text/word-wrap";
import type { Terminal } from "./terminal";
import { hintFor } from "./unknown-option";

/** Runs the command line `argv` (without the program's name) and resolves to the exit code. */
export async function runCommandLine(
  argv: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  let code: ExitCode = ExitCode.DONE;
  const program = createProgram(terminal, (finished) => {
    code = finished;
  });
  speakThrough(program, terminal);
  program.hook("preAction", (_, command) => {
    refuseEmpty(command);
  });
  if (argv.length === 0) {
    program.outputHelp();
    return ExitCode.DONE;
  }
  try {
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (failure) {
    if (failure instanceof CommanderError) {
      return failure.exitCode === 0 ? ExitCode.DONE : ExitCode.ERROR;
    }
    terminal.stderr.write(bug(failure));
    return ExitCode.ERROR;
  }
}

function speakThrough(command: Command, terminal: Terminal): void {
  const { stdout, stderr } = terminal;
  command.exitOverride().configureOutput({
    writeOut: (text) => {
      stdout.write(text);
    },
    writeErr: (text) => {
      stderr.write(text);
    },
    getOutHelpWidth: () => stdout.columns ?? 80,
    getErrHelpWidth: () => stderr.columns ?? 80,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
    outputError: (text, write) => {
      const told = `${text}${hintFor(command, text)}`.replace(
        /^error: (.)/,
        (_, first: string) => `Error: ${first.toUpperCase()}`,
      );
      write(`\n${wordWrap(told, stderr.columns ?? 80)}`);
    },
  });
  for (const subcommand of command.commands) speakThrough(subcommand, terminal);
}

/** As from `--out "$FILE"` where FILE is not set. No option means anything by it. */
function refuseEmpty(command: Command): void {
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (value === "" || (Array.isArray(value) && value.includes(""))) {
      command.error(`error: option '${option.flags}' argument is empty`);
    }
  }
}

/** Diagnostics are values: what is thrown up to here is a mistake of this program. */
function bug(failure: unknown): string {
  const told = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
  return `\nError: Internal error\n\nThis is a bug in cdktf-console. Please report it with what stands below.\n\n${told}\n`;
}
