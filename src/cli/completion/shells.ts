import type { CompletedCommand, Word } from "./words";

/** Writes the completion script of a shell for a program's commands. */
type Script = (program: string, commands: readonly CompletedCommand[]) => string;

const PROGRAM_OPTIONS: readonly Word[] = [{ text: "--help", description: "print the help" }];

const bash: Script = (program, commands) => `# Completion of ${program} for bash.
_cdktf_console() {
  local words=""
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${cases(commands)
  .map(
    ({ pattern, words }) =>
      `    ${pattern}) words=${quoted(words.map(({ text }) => text).join(" "))} ;;`,
  )
  .join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _cdktf_console ${program}
`;

const zsh: Script = (program, commands) => `#compdef ${program}
_cdktf_console() {
  local -a entries
  case "\${words[2,CURRENT-1]} " in
${cases(commands)
  .map(
    ({ pattern, words }) =>
      `    ${pattern}) entries=(${words
        .map(({ text, description }) => quoted(description ? `${text}:${description}` : text))
        .join(" ")}) ;;`,
  )
  .join("\n")}
  esac
  _describe '${program}' entries && return
  _files
}
compdef _cdktf_console ${program}
`;

const fish: Script = (program, commands) =>
  [
    `# Completion of ${program} for fish.`,
    ...commands.flatMap(({ words, subcommands, options }) => {
      const seen = words
        .split(" ")
        .filter((word) => word !== "")
        .map((word) => `__fish_seen_subcommand_from ${word}`)
        .join("; and ");
      const names = subcommands.map(({ text }) => text).join(" ");
      const chosen = names === "" ? [] : [`not __fish_seen_subcommand_from ${names}`];
      const condition = [...(seen === "" ? [] : [seen]), ...chosen].join("; and ");
      const line = (rest: string, description: string) =>
        `complete -c ${program} -n ${quoted(condition)} ${rest} -d ${quoted(description)}`;
      return [
        ...subcommands.map(({ text, description }) => line(`-f -a ${text}`, description)),
        ...(seen === "" ? [] : options).map(({ text, description, takesValue, choices }) => {
          const value =
            choices.length > 0 ? ` -x -a ${quoted(choices.join(" "))}` : takesValue ? " -r" : "";
          return line(`-l ${text.slice(2)}${value}`, description);
        }),
      ];
    }),
    "",
  ].join("\n");

/** The scripts, by the names of the shells. */
export const SHELLS = { bash, zsh, fish } as const satisfies Readonly<Record<string, Script>>;

interface Case {
  /** Matches the words before the one that is completed, each with a space behind it. */
  readonly pattern: string;
  readonly words: readonly Word[];
}

/** Lists the completions of each command: the values of the option before the word, or its words. */
function cases(commands: readonly CompletedCommand[]): readonly Case[] {
  return commands.flatMap(({ words, subcommands, options }) => {
    const command = words === "" ? "*" : `${quoted(`${words} `)}*`;
    return [
      ...options
        .filter(({ choices }) => choices.length > 0)
        .map(({ text, choices }) => ({
          pattern: `${command}${quoted(`${text} `)}`,
          words: choices.map((choice) => ({ text: choice, description: "" })),
        })),
      { pattern: command, words: [...subcommands, ...options, ...PROGRAM_OPTIONS] },
    ];
  });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
