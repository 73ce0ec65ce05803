import { CommanderError, type Command } from "commander";
import { createProgram } from "../../../src/cli/run";
import { TestTerminal } from "../../cli/test-terminal";
import { ROOT } from "./pages";

/** The words behind `cdktf-console`; undefined for a command of another program. */
export function ownWords([program, ...words]: readonly string[]): readonly string[] | undefined {
  if (program === "npx") return ownWords(words);
  return program === "cdktf-console" ? words : undefined;
}

/** Parses a command line without running it. Returns the message if it would be refused. */
export function parseProblem(words: readonly string[]): string | undefined {
  const program = ownProgram();
  try {
    program.parse(words, { from: "user" });
  } catch (failure) {
    if (!(failure instanceof CommanderError)) throw failure;
    if (failure.exitCode !== 0) return failure.message;
  }
  const inner = words.indexOf("--");
  const command = inner < 0 ? undefined : ownWords(words.slice(inner + 1));
  return command && parseProblem(command);
}

/** The long names of all options of all commands, with their negations. */
export function ownOptions(): ReadonlySet<string> {
  return new Set(
    allCommands(ownProgram()).flatMap(({ options }) =>
      options.flatMap(({ long }) => (long == null ? [] : [long])),
    ),
  );
}

function ownProgram(): Command {
  const program = createProgram({
    terminal: new TestTerminal({ directory: ROOT }),
    finish: () => undefined,
  });
  for (const command of allCommands(program)) {
    command
      .exitOverride()
      .configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
    if (command.commands.length === 0) command.action(() => undefined);
  }
  return program;
}

function allCommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}
