import { version } from "../../../package.json";
import { formatPath, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { jsonLog, type Log, type LogThreshold } from "../../core/io/log";
import { compareStrings } from "../../core/values";
import { consolidate } from "../../formats/text/consolidate";
import { renderDiagnostic } from "../../formats/text/diagnostic-text";
import { inert, printed, verbatim, type Printable, type Printed } from "../../core/printed";
import { createStyle, type Style } from "../../formats/text/style";
import {
  eventMessage,
  diagnosticMessage,
  formatMessage,
  type UiMessage,
} from "../../formats/ui-stream/message";
import type { Observer } from "../../core/documents/events";
import { TERRAFORM_VERSION } from "../../core/documents/state";
import { ExitCode } from "../exit-code";
import { LiveArea } from "./live-area";
import type { Output, Terminal } from "./terminal";
import { widthOf } from "./width";

/** Options of every command. */
export interface CommonOptions {
  /** False: `--no-color`. */
  readonly color?: boolean;
  readonly logLevel?: LogThreshold;
  /** False: `--no-input`. */
  readonly input?: boolean;
}

/** Terraform's width for output that is not a terminal. */
const DEFAULT_COLUMNS = 78;

/** The output of one command. */
export interface Screen {
  readonly terminal: Terminal;
  /** The style of standard output. */
  readonly style: Style;
  readonly width: number;
  readonly log: Log;
  /** Lines at the end of standard output that are replaced; anything else that is printed clears them. */
  readonly live: LiveArea;
  /** Open while the user is asked: then nothing is in progress. */
  readonly question: { isOpen: boolean };
  /** Writes to standard output. */
  print(text: Printed | Printable): void;
  /** Writes what belongs to the diagnostics of a command: where standard output is a document, to standard error. */
  aside(text: Printed | Printable): void;
  /** Writes a document for programs to standard output, as it is. */
  printDocument(text: string): void;
  /** Prints the heading of a stack, for runs of several stacks or in another workspace. */
  printHeading(title: string): void;
  /** Writes to standard error. */
  note(text: Printed | Printable): void;
  /** Writes to standard error if that is a terminal: what a command does before it shows anything. */
  announce(text: Printed | Printable): void;
  /** Prints errors to standard error and warnings to standard output. Returns true for errors. */
  report(diagnostics: readonly Diagnostic[]): boolean;
  /** Reports errors and returns the exit code for them. */
  fail(...errors: readonly Diagnostic[]): ExitCode;
  /**
   * Set for `--json` of plan, apply and destroy: standard output then has JSON lines only, which
   * include errors and printed text.
   */
  readonly stream?: JsonStream;
}

/**
 * Opens the output of a command.
 *
 * @param isDocument - standard output is one document for programs, so warnings go to standard error
 */
export function openScreen(terminal: Terminal, options: CommonOptions, isDocument = false): Screen {
  const { environment } = terminal;
  const live = new LiveArea(terminal.stdout);
  const stdout = clearing(live, terminal.stdout);
  const stderr = clearing(live, terminal.stderr);
  const coloured = options.color !== false && !environment.NO_COLOR;
  const style = createStyle(coloured && stdout.isTerminal);
  const errorStyle = createStyle(coloured && stderr.isTerminal);
  const print = (text: Printed | Printable) => {
    stdout.write(inert(text));
  };
  const note = (text: Printed | Printable) => {
    stderr.write(inert(text));
  };
  return {
    terminal,
    live,
    question: { isOpen: false },
    style,
    width: widthOf(stdout, DEFAULT_COLUMNS),
    log: jsonLog(options.logLevel ?? "off", (line) => {
      stderr.write(verbatim(line));
    }),
    print,
    aside: isDocument ? note : print,
    printDocument: (text) => {
      stdout.write(verbatim(text));
    },
    printHeading: (title) => {
      print(printed`\n${style.bold(printed`Stack ${title}`)}\n`);
    },
    note,
    announce: (text) => {
      if (stderr.isTerminal) note(text);
    },
    ...reporter((diagnostic) => {
      const toStderr = isDocument || diagnostic.severity === "error";
      const output = toStderr ? stderr : stdout;
      const shown = {
        style: toStderr ? errorStyle : style,
        width: widthOf(output, DEFAULT_COLUMNS),
      };
      output.write(inert(renderDiagnostic(diagnostic, shown)));
    }),
  };
}

/** An output that clears the live lines before it writes. */
function clearing(
  live: LiveArea,
  output: Output,
): Pick<Output, "write" | "isTerminal" | "columns"> {
  return {
    write: (text) => {
      live.clear();
      output.write(text);
    },
    isTerminal: output.isTerminal,
    get columns() {
      return output.columns;
    },
  };
}

/** Opens the output of a command with `--json` as a stream of JSON lines. */
export function openJsonScreen(terminal: Terminal, options: CommonOptions): Screen {
  const stream = new JsonStream((line) => {
    terminal.stdout.write(verbatim(`${line}\n`));
  });
  return {
    ...openScreen(terminal, { ...options, color: false }),
    stream,
    print: (text) => {
      stream.log(text.toString());
    },
    printDocument: (text) => {
      stream.log(text);
    },
    // Every message names its stack.
    printHeading: () => undefined,
    ...reporter((diagnostic) => {
      stream.send(diagnosticMessage(diagnostic));
    }),
  };
}

function reporter(show: (diagnostic: Diagnostic) => void): Pick<Screen, "report" | "fail"> {
  const report = (diagnostics: readonly Diagnostic[]) => {
    consolidate(sortDiagnostics(diagnostics)).forEach(show);
    return hasErrors(diagnostics);
  };
  return {
    report,
    fail: (...errors) => {
      report(errors);
      return ExitCode.ERROR;
    },
  };
}

/**
 * Warnings first, then by place, without duplicates: the order does not depend on concurrency. Two
 * can differ in the name of the entry, which one did not know yet: the named one stays.
 */
function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const named = diagnostics.filter(({ entry }) => entry !== undefined);
  const unnamed = diagnostics.filter(({ entry }) => entry === undefined);
  const sorted = [...named, ...unnamed]
    .map((diagnostic) => ({ diagnostic, key: sortKey(diagnostic) }))
    .sort((a, b) => compareStrings(a.key, b.key));
  return sorted
    .filter(({ key }, index) => key !== sorted[index - 1]?.key)
    .map(({ diagnostic }) => diagnostic);
}

function sortKey({ severity, address, constructPath, path, summary, detail }: Diagnostic): string {
  const place = [address ?? "", constructPath ?? "", path ? formatPath(path) : ""];
  return JSON.stringify([severity === "error" ? 1 : 0, ...place, summary, detail]);
}

/** JSON lines on standard output, as `terraform … -json` prints them. */
class JsonStream {
  /** Starts with the version message. */
  constructor(private readonly write: (line: string) => void) {
    this.send({
      level: "info",
      text: `cdktf-console ${version}`,
      type: "version",
      members: { terraform: TERRAFORM_VERSION, cdktf_console: version, ui: "1.2" },
    });
  }

  /** @param stacks - names of the message's stacks, in runs of several stacks */
  send(message: UiMessage, stacks?: readonly string[]): void {
    this.write(formatMessage(message, new Date(), stacks));
  }

  /** Sends text that has no message type, if it is not blank. */
  log(text: string): void {
    const trimmed = text.trim();
    if (trimmed !== "") this.send({ level: "info", text: trimmed, type: "log" });
  }

  observer(stacks: readonly string[]): Observer {
    return (event) => {
      const message = eventMessage(event);
      if (message) this.send(message, stacks.length > 1 ? [event.stack] : []);
    };
  }
}
