import type { Command } from "commander";

/** A word that completes a command line, with its description. */
export interface Word {
  readonly text: string;
  readonly description: string;
}

/** An option, with the values that it accepts if these are few. */
export interface CompletedOption extends Word {
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** The words that can follow a command, such as `state list`. The program itself is `""`. */
export interface CompletedCommand {
  readonly words: string;
  readonly subcommands: readonly Word[];
  readonly options: readonly CompletedOption[];
}

/** Returns the program and all commands below it, longest names first, with their aliases. */
export function completedCommands(program: Command): readonly CompletedCommand[] {
  return commandsBelow(program, "").sort((a, b) => depth(b) - depth(a));
}

function commandsBelow(command: Command, words: string): CompletedCommand[] {
  const described = (one: Command) =>
    [one.name(), ...one.aliases()].map((text) => ({ text, description: one.description() }));
  const own: CompletedCommand = {
    words,
    subcommands: command.commands.flatMap(described),
    options: command.options.flatMap(({ long, description, required, argChoices: choices = [] }) =>
      long ? [{ text: long, description, takesValue: required, choices }] : [],
    ),
  };
  const below = command.commands.flatMap((one) =>
    described(one).flatMap(({ text }) => commandsBelow(one, `${words} ${text}`.trim())),
  );
  return [own, ...below];
}

function depth({ words }: CompletedCommand): number {
  return words === "" ? 0 : words.split(" ").length;
}
