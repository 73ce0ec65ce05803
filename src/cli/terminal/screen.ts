import { formatPath, hasErrors, type Diagnostic } from "../../provider/diagnostics";
import { jsonLog, type Log, type LogThreshold } from "../../provider/log";
import { compareStrings } from "../../provider/values";
import { consolidate } from "../../review/grouping";
import { renderDiagnostic } from "../../review/text/diagnostic-text";
import { createStyle, type Style } from "../../review/text/style";
import { diagnosticMessage } from "../../review/ui-stream/message";
import { JsonStream } from "./json-stream";
import type { Output, Terminal } from "./terminal";

/** Options that every command takes. */
export interface CommonOptions {
  /** False: `--no-color`. */
  readonly color?: boolean;
  readonly logLevel?: LogThreshold;
}

/** Terraform's width where the output is no terminal. */
const DEFAULT_WIDTH = 78;

/** One run of a command: how it speaks. */
export interface Screen {
  readonly terminal: Terminal;
  /** Of standard output. */
  readonly style: Style;
  readonly width: number;
  readonly log: Log;
  /** Writes to standard output. */
  print(text: string): void;
  /** Writes to standard error. */
  note(text: string): void;
  /** Prints errors to standard error and warnings to standard output. Returns whether it has errors. */
  report(diagnostics: readonly Diagnostic[]): boolean;
  /**
   * Set where standard output is for programs: then it holds JSON lines and nothing else, errors
   * among them, and what is printed stands in such a line too.
   */
  readonly stream?: JsonStream;
}

export function openScreen(terminal: Terminal, options: CommonOptions): Screen {
  const { stdout, stderr, environment } = terminal;
  const coloured = options.color !== false && !environment.NO_COLOR;
  const style = createStyle(coloured && stdout.isTerminal);
  const errorStyle = createStyle(coloured && stderr.isTerminal);
  return {
    terminal,
    style,
    width: widthOf(stdout),
    log: jsonLog(options.logLevel ?? "off", (line) => {
      stderr.write(line);
    }),
    print: (text) => {
      stdout.write(text);
    },
    note: (text) => {
      stderr.write(text);
    },
    report(diagnostics) {
      for (const diagnostic of consolidate(inOrder(diagnostics))) {
        const isError = diagnostic.severity === "error";
        const output = isError ? stderr : stdout;
        const shown = { style: isError ? errorStyle : style, width: widthOf(output) };
        output.write(renderDiagnostic(diagnostic, shown));
      }
      return hasErrors(diagnostics);
    },
  };
}

/** The same for `--json`. */
export function openJsonScreen(terminal: Terminal, options: CommonOptions): Screen {
  const screen = openScreen(terminal, { ...options, color: false });
  const stream = new JsonStream((line) => {
    terminal.stdout.write(`${line}\n`);
  });
  return {
    ...screen,
    stream,
    print: (text) => {
      stream.log(text);
    },
    report(diagnostics) {
      for (const diagnostic of consolidate(inOrder(diagnostics))) {
        stream.send(diagnosticMessage(diagnostic));
      }
      return hasErrors(diagnostics);
    },
  };
}

/** Warnings first, then by place, each once: the same in every run, whatever was done at once. */
function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const sorted = diagnostics
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

function widthOf({ columns }: Output): number {
  return columns !== undefined && columns > 0 ? columns : DEFAULT_WIDTH;
}
