import { resolve } from "node:path";
import { readTextFile } from "../../core/io/read-file";
import { ConfigurationError, SchemaMismatchError } from "../../api/errors";
import { stringifyJson } from "../../core/json/lossless-json";
import { parseDate } from "../../api/scan-report/date";
import type { ScanReport, ScanReportSchema } from "../../api/scan-report/scan-report";
import { readScanReport } from "../../api/scan-report/read";
import { writeScanReport } from "../../api/scan-report/write";
import { error, type Diagnostic } from "../../core/diagnostics";
import { fileFault } from "../../core/io/file-fault";
import { ExitCode } from "../exit-code";
import { openScreen, type CommonOptions } from "../terminal/screen";
import type { Terminal } from "../terminal/terminal";
import { writeTextFile } from "../terminal/write-file";

export interface ConvertOptions extends CommonOptions {
  /** Default: the schema that the report does not have. */
  readonly to?: ScanReportSchema;
  /** ISO 8601. Default: the time of the scan in the report. */
  readonly referenceDate?: string;
  /** Default: standard output. */
  readonly out?: string;
}

/**
 * Converts an image scanner report to the other schema, or to the one in the options.
 *
 * @param file - `-` for standard input
 */
export async function convertReport(
  terminal: Terminal,
  file: string,
  options: ConvertOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, options.out === undefined);
  const path = resolve(terminal.directory, file);
  let text: string;
  try {
    text = file === "-" ? await terminal.input() : await readTextFile(path);
  } catch (cause) {
    return screen.fail(error("The report cannot be read", `${file}: ${fileFault(cause, path)}`));
  }
  const converted = convertText(text, file === "-" ? "standard input" : file, options);
  if (typeof converted !== "string") return screen.fail(converted);
  if (options.out === undefined) {
    screen.printDocument(converted);
    return ExitCode.DONE;
  }
  const problems = writeTextFile(terminal, options.out, converted, "report");
  return screen.report(problems) ? ExitCode.ERROR : ExitCode.DONE;
}

function convertText(text: string, file: string, options: ConvertOptions): string | Diagnostic {
  const { referenceDate: given } = options;
  const referenceDate = given === undefined ? undefined : parseDate(given);
  if (given !== undefined && !referenceDate) {
    const detail = `--reference-date must be an ISO 8601 date such as 2021-03-01, not "${given}".`;
    return error("Invalid reference date", detail);
  }
  try {
    const report = readScanReport(text);
    const written = writeScanReport(report, options.to ?? otherSchema(report), { referenceDate });
    return `${stringifyJson(written, indentationOf(text))}\n`;
  } catch (failure) {
    if (failure instanceof SchemaMismatchError) {
      return error("Not an image scanner report", `${file}: ${failure.message}`);
    }
    if (failure instanceof ConfigurationError) {
      const detail = `${file}: ${failure.message} Set the date of the scan with --reference-date, such as 2021-03-01.`;
      return error("No reference date", detail);
    }
    throw failure;
  }
}

/** The indentation of the report; undefined if it is one line. */
function indentationOf(text: string): string | undefined {
  return /^\s*\{\s*?\n([ \t]+)/.exec(text)?.[1];
}

function otherSchema({ schema }: ScanReport): ScanReportSchema {
  return schema === "announced" ? "today" : "announced";
}
