import { Command, CommanderError, Help } from "commander";
import { version } from "../../package.json";
import { secretsOfEnvironment } from "../core/io/child-environment";
import { error } from "../core/diagnostics";
import { inert, joined, printable, rendered } from "../core/printed";
import { forgetSecrets, useSecrets } from "../core/io/secrets-in-use";
import { wordWrap } from "../formats/text/word-wrap";
import { firstOptions } from "./command-line/option-groups";
import { COMMAND_GROUPS, FIRST_COMMANDS } from "./commands";
import { nearest } from "../core/suggest";
import { ExitCode } from "./exit-code";
import type { Terminal } from "./terminal/terminal";
import { Interrupted } from "./terminal/interruption";
import { widthOf } from "./terminal/width";
import type { Host } from "./command-line/command";
import { ignoredArguments } from "./command-line/terraform-arguments";
import {
  reportInternalError,
  streamProblem,
  type StartedCommand,
} from "./command-line/internal-error";

/** Columns of help and of usage errors where their output has none. */
const DEFAULT_COLUMNS = 80;

/** Runs the command line `argv` (without the program's name) and resolves to the exit code. */
export async function runCommandLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  let code: number = ExitCode.DONE;
  forgetSecrets();
  useSecrets(secretsOfEnvironment(terminal.environment));
  const program = createProgram({
    terminal,
    finish: (finished) => {
      code = finished;
    },
  });
  connectOutput(program, terminal, argv);
  let started: StartedCommand = { text: "", streams: false };
  program.hook("preAction", (_, command) => {
    refuseMissingValues(command);
    refuseIgnoredArguments(command, terminal);
    started = describeCommand(command);
  });
  if (argv.length === 0) {
    program.outputHelp();
    return ExitCode.DONE;
  }
  return new Promise((resolve) => {
    const release = terminal.onFailure((failure) => {
      resolve(reportInternalError(terminal, started, failure));
    });
    const end = (ended: number) => {
      release();
      resolve(ended);
    };
    program.parseAsync(withoutUnknownHelp(program, argv), { from: "user" }).then(
      () => {
        end(code);
      },
      (failure: unknown) => {
        if (failure instanceof Interrupted) {
          terminal.stderr.write(INTERRUPTED);
          end(ExitCode.INTERRUPTED);
        } else if (!(failure instanceof CommanderError)) {
          end(reportInternalError(terminal, started, failure));
        } else end(failure.exitCode === 0 ? ExitCode.DONE : ExitCode.ERROR);
      },
    );
  });
}

const INTERRUPTED = rendered("\nInterrupted. Nothing was planned or changed.\n");

/** The arguments of `help NAME`; without `help` if there is no such command, which is then the error. */
function withoutUnknownHelp(program: Command, argv: readonly string[]): readonly string[] {
  const [first, ...names] = argv;
  if (first !== "help") return argv;
  let group = program;
  for (const name of names) {
    if (group.commands.length === 0) return argv;
    const found = group.commands.find((command) => namesOf(command).includes(name));
    if (!found) return names;
    group = found;
  }
  return argv;
}

/** The commands whose `--json` prints a stream. */
const STREAMING = ["plan", "apply", "destroy", "rollback"];

/** The words of a command, without the program's name. */
function wordsOf(command: Command): readonly string[] {
  return command.parent ? [...wordsOf(command.parent), command.name()] : [];
}

function describeCommand(command: Command): StartedCommand {
  const words = wordsOf(command);
  const given = Object.keys(command.opts()).filter(
    (name) => command.getOptionValueSource(name) === "cli",
  );
  const options = given.map((name) =>
    command.options.find((option) => option.attributeName() === name),
  );
  return {
    text: [...words, ...options.map((option) => option?.long ?? "")].join(" "),
    streams: STREAMING.includes(command.name()) && command.opts().json === true,
  };
}

/** All commands with their options. */
export function createProgram(host: Host): Command {
  let printsAll = false;
  const program = new Command("cdktf-console")
    .description("Plan and apply stacks for workload security consoles")
    .version(version, "-V, --version", "print the version")
    .showSuggestionAfterError(false)
    .enablePositionalOptions()
    .helpOption("-h, --help", "print the help")
    .helpCommand("help [command]", "Show the help of a command")
    .configureHelp({
      subcommandTerm: (command) => command.name(),
      visibleOptions: (command) => {
        const options = new Help().visibleOptions(command);
        return printsAll ? options : firstOptions(options);
      },
      visibleCommands: (command) => {
        const commands = new Help().visibleCommands(command);
        const isShort = !printsAll && command.parent === null;
        return isShort ? commands.filter((one) => FIRST_COMMANDS.has(one.name())) : commands;
      },
    });
  for (const [heading, definitions] of COMMAND_GROUPS) {
    program.commandsGroup(heading);
    for (const define of definitions) define(program, host);
  }
  for (const command of [program, ...subcommands(program)]) {
    command.option("--help-all", "print the help with all commands and options");
    command.on("option:help-all", () => {
      printsAll = true;
      command.help();
    });
  }
  return program;
}

function connectOutput(command: Command, terminal: Terminal, argv: readonly string[]): void {
  const { stdout, stderr } = terminal;
  const streams = STREAMING.includes(command.name()) && argv.includes("--json");
  command.exitOverride().configureOutput({
    writeOut: (text) => {
      stdout.write(rendered(text));
    },
    writeErr: (text) => {
      stderr.write(inert(rendered(text)));
    },
    getOutHelpWidth: () => widthOf(stdout, DEFAULT_COLUMNS),
    getErrHelpWidth: () => widthOf(stderr, DEFAULT_COLUMNS),
    getOutHasColors: () => false,
    getErrHasColors: () => false,
    outputError: (text, write) => {
      const [summary, hint] = [usageProblem(text), hintFor(command, text)];
      if (streams) {
        const detail = joined([summary, hint.trim()].filter(Boolean), "\n");
        streamProblem(stdout, error("Failed to parse command-line flags", detail));
        return;
      }
      const message = `Error: ${summary}\n${hint}`;
      write(`\n${wordWrap(message, widthOf(stderr, DEFAULT_COLUMNS))}`);
    },
  });
  for (const subcommand of command.commands) connectOutput(subcommand, terminal, argv);
}

/** Returns the sentence of commander's `error: unknown option …`. */
function usageProblem(text: string): string {
  const sentence = printable(text.trimEnd()).replace(/^error: /, "");
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
}

/**
 * A hint for an unknown command or option: a similar name, or an option before its command; the usage
 * for a missing argument. Empty for other messages.
 */
function hintFor(command: Command, message: string): string {
  const words = ["cdktf-console", ...wordsOf(command)].join(" ");
  if (/^error: (missing required argument|too many arguments)/.test(message)) {
    const more = command.args.slice(command.registeredArguments.length);
    const extra = more.length > 0 ? `Not expected: ${printable(more.join(" "))}. ` : "";
    return `(${extra}Usage: ${words} ${command.usage()})\n`;
  }
  if (message.startsWith("error: required option "))
    return `(Usage: ${words} ${command.usage()})\n`;
  if (/^error: option .* argument (missing|is empty)$/m.test(message)) {
    return `(Put its value behind it. "${words} --help-all" describes the options.)\n`;
  }
  const [, given = "", choices] =
    /argument '([^']*)' is invalid\. Allowed choices are (.*)\.$/m.exec(message) ?? [];
  if (choices !== undefined) {
    const meant = nearest(given, choices.split(", "));
    return meant === undefined ? "" : `(Did you mean ${meant}?)\n`;
  }
  if (/^error: option .* cannot be used with option /.test(message)) return "(Use one of them.)\n";
  const [, kind, dashes = "", name] =
    /^error: unknown (command|option) '(-{0,2})([\w-]+)[^']*'\s*$/.exec(message) ?? [];
  if (name === undefined) return "";
  if (kind === "command") {
    const meant = nearest(name, command.commands.flatMap(namesOf));
    return meant === undefined
      ? `("${words} --help" lists the commands.)\n`
      : `(Did you mean ${meant}?)\n`;
  }
  const own = optionNames(command);
  const ofCommands = subcommands(command).flatMap(optionNames);
  const meant = nearest(name, [...own, ...ofCommands]);
  if (meant === undefined) return `("${words} --help-all" lists the options.)\n`;
  const hints = [
    ...(meant === name && dashes === "--" ? [] : [`Did you mean --${meant}?`]),
    ...(own.includes(meant) ? [] : ["Put options after the command that they belong to."]),
  ];
  return `(${hints.join(" ")})\n`;
}

function namesOf(command: Command): readonly string[] {
  return [command.name(), ...command.aliases()];
}

/** The names of a command's options, without dashes. */
function optionNames(command: Command): readonly string[] {
  const options = new Help().visibleOptions(command);
  return options.flatMap(({ long }) => long?.slice(2) ?? []);
}

function hasOption({ options }: Command, long: string): boolean {
  return options.some((option) => option.long === long);
}

function subcommands({ commands }: Command): readonly Command[] {
  return commands.flatMap((command) => [command, ...subcommands(command)]);
}

/**
 * Refuses empty values, as from `--out "$FILE"` with FILE unset, and options in the place of a value,
 * as in `--html --open`. No option has a use for them.
 */
function refuseMissingValues(command: Command): void {
  for (const option of command.options) {
    const values: readonly unknown[] = [command.getOptionValue(option.attributeName())].flat();
    if (values.includes("")) command.error(`error: option '${option.flags}' argument is empty`);
    if (values.some((value) => typeof value === "string" && hasOption(command, value))) {
      command.error(`error: option '${option.flags}' argument missing`);
    }
  }
}

function refuseIgnoredArguments(command: Command, { environment }: Terminal): void {
  const engine: unknown = command.opts().engine;
  const problem = ignoredArguments(
    wordsOf(command).join(" "),
    typeof engine === "string" ? engine : undefined,
    environment,
  );
  if (problem !== undefined) command.error(`error: ${problem}`);
}
