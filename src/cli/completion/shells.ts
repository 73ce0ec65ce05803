import type { CompletedCommand, Word } from "./words";

/** Writes the completion script of a shell for a program's commands. */
type Script = (program: string, commands: readonly CompletedCommand[]) => string;

const PROGRAM_OPTIONS: readonly Word[] = [{ text: "--help", description: "print the help" }];

const bash: Script = (program, commands) => `# Completion of ${program} for bash.
_cdktf_console() {
  local words=""
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1} " in
${commands
  .map(
    (command) =>
      `    ${pattern(command)}) words=${quoted(
        wordsOf(command)
          .map(({ text }) => text)
          .join(" "),
      )} ;;`,
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
${commands
  .map(
    (command) =>
      `    ${pattern(command)}) entries=(${wordsOf(command)
        .map(({ text, description }) => quoted(`${text}:${description}`))
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
        ...(seen === "" ? [] : options).map(({ text, description, takesValue }) =>
          line(`-l ${text.slice(2)}${takesValue ? " -r" : ""}`, description),
        ),
      ];
    }),
    "",
  ].join("\n");

/** The scripts, by the names of the shells. */
export const SHELLS = { bash, zsh, fish } as const satisfies Readonly<Record<string, Script>>;

function wordsOf({ subcommands, options }: CompletedCommand): readonly Word[] {
  return [...subcommands, ...options, ...PROGRAM_OPTIONS];
}

/** Matches the words before the one that is completed. */
function pattern({ words }: CompletedCommand): string {
  return words === "" ? "*" : `${quoted(`${words} `)}*`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
