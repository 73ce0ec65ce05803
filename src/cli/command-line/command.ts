import { Option, type Command } from "commander";
import { LOG_LEVELS } from "../../core/io/log";
import { headingOf } from "./option-groups";
import type { Terminal } from "../terminal/terminal";

/** The terminal of a run, and where its exit code goes: an `ExitCode`, or that of another program. */
export interface Host {
  readonly terminal: Terminal;
  readonly finish: (code: number) => void;
}

/** Adds one command, or a group of commands, to `parent`. */
export type CommandDefinition = (parent: Command, host: Host) => void;

interface CommandSpec<A extends unknown[]> {
  readonly name: string;
  readonly summary: string;
  /** Other names, as in cdktf. */
  readonly aliases?: readonly string[];
  /** Command lines without the program's name. */
  readonly examples: readonly string[];
  /** Descriptions by name: `<required>`, `[optional]`, `[repeated...]`. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly options?: readonly Option[];
  /** Further paragraphs of the help, below the examples. */
  readonly notes?: string;
  /** Loads the implementation. Called when the command runs, so that help loads definitions only. */
  readonly action: () => Promise<(terminal: Terminal, ...given: A) => Promise<number>>;
}

const COMMON_OPTIONS = [
  new Option("--no-color", "disable colour in the output, as NO_COLOR does"),
  new Option("--log-level <level>", "log to standard error as JSON lines")
    .choices(LOG_LEVELS)
    .default("off"),
  new Option("--no-input", "ask no questions; commands that need an answer fail"),
];

/** Defines one command. */
export function command<A extends unknown[]>(spec: CommandSpec<A>): CommandDefinition {
  return (parent, { terminal, finish }) => {
    const { examples, notes } = spec;
    // `taint` is also `state taint`.
    const words = wordsOf(parent);
    const lines = examples.map(
      (example) => `  $ cdktf-console ${example.startsWith(words) ? "" : words}${example}`,
    );
    const heading = `\nExample${lines.length === 1 ? "" : "s"}:\n`;
    const defined = parent.command(spec.name).description(spec.summary);
    defined.aliases(spec.aliases ?? []);
    for (const entry of Object.entries(spec.arguments ?? {})) defined.argument(...entry);
    for (const option of [...COMMON_OPTIONS, ...(spec.options ?? [])]) {
      defined.addOption(option.helpGroup(headingOf(option)));
    }
    defined.addHelpText("after", `${heading}${lines.join("\n")}`);
    if (notes !== undefined) defined.addHelpText("after", `\n${notes}`);
    defined.action(async (...given: A) => {
      const action = await spec.action();
      finish(await action(terminal, ...given));
    });
  };
}

/** The names of groups: `rollout schedule `. */
function wordsOf(group: Command): string {
  return group.parent ? `${wordsOf(group.parent)}${group.name()} ` : "";
}

/** Defines a command that only groups others. */
export function group(
  name: string,
  summary: string,
  commands: readonly CommandDefinition[],
): CommandDefinition {
  return (parent, host) => {
    const defined = parent.command(name).description(summary);
    for (const define of commands) define(defined, host);
  };
}
