import type { Command } from "commander";

/** A word that completes a command line, with its description. */
export interface Word {
  readonly text: string;
  readonly description: string;
}

/** The words that can follow a command, such as `state list`. The program itself is `""`. */
export interface CompletedCommand {
  readonly words: string;
  readonly subcommands: readonly Word[];
  readonly options: readonly (Word & { readonly takesValue: boolean })[];
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
    options: command.options.flatMap(({ long, description, required }) =>
      long ? [{ text: long, description, takesValue: required }] : [],
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
