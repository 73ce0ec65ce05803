import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ConfigurationError, SchemaMismatchError } from "../../api/errors";
import { stringifyJson } from "../../api/json";
import { parseDate } from "../../api/scan-report/date";
import type { ScanReport, ScanReportSchema } from "../../api/scan-report/model";
import { readScanReport } from "../../api/scan-report/read";
import { writeScanReport } from "../../api/scan-report/write";
import { error, type Diagnostic } from "../../provider/diagnostics";
import { errorText } from "../../provider/file-problem";
import { ExitCode } from "../exit-code";
import { openScreen, type CommonOptions, type Screen } from "../terminal/screen";
import type { Terminal } from "../terminal/terminal";

export interface ConvertOptions extends CommonOptions {
  /** Default: the one that the report is not in. */
  readonly to?: ScanReportSchema;
  /** ISO 8601. Default: when the scan took place, as the report says. */
  readonly referenceDate?: string;
  /** Default: standard output. */
  readonly out?: string;
}

/**
 * Writes a report of the image scanner in the other schema, or in the one that is asked for.
 *
 * @param file - `-` for standard input
 */
export async function convert(
  terminal: Terminal,
  file: string,
  options: ConvertOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const at = (path: string) => resolve(terminal.directory, path);
  let text: string;
  try {
    text = file === "-" ? await terminal.input() : await readFile(at(file), "utf8");
  } catch (cause) {
    return fail(screen, error("The report cannot be read", `${file}: ${errorText(cause)}.`));
  }
  const converted = convertText(text, file === "-" ? "standard input" : file, options);
  if (typeof converted !== "string") return fail(screen, converted);
  if (options.out === undefined) {
    screen.print(converted);
    return ExitCode.DONE;
  }
  try {
    await writeFile(at(options.out), converted);
    return ExitCode.DONE;
  } catch (cause) {
    return fail(
      screen,
      error("The report cannot be written", `${options.out}: ${errorText(cause)}.`),
    );
  }
}

function convertText(text: string, file: string, options: ConvertOptions): string | Diagnostic {
  const { referenceDate: given } = options;
  const referenceDate = given === undefined ? undefined : parseDate(given);
  if (given !== undefined && !referenceDate) return invalidReferenceDate(given);
  try {
    const report = readScanReport(text);
    const written = writeScanReport(report, options.to ?? otherSchema(report), { referenceDate });
    return `${stringifyJson(written, indentationOf(text))}\n`;
  } catch (failure) {
    if (failure instanceof SchemaMismatchError) {
      return error("Not an image scanner report", `${file}: ${failure.message}`);
    }
    if (failure instanceof ConfigurationError) return noReferenceDate(file, failure);
    throw failure;
  }
}

/** What the lines of the report start with; undefined where it is one line. */
function indentationOf(text: string): string | undefined {
  return /^\s*\{\s*?\n([ \t]+)/.exec(text)?.[1];
}

function otherSchema({ schema }: ScanReport): ScanReportSchema {
  return schema === "announced" ? "today" : "announced";
}

function invalidReferenceDate(given: string): Diagnostic {
  return error(
    "Invalid reference date",
    `--reference-date must be a date of ISO 8601 such as 2021-03-01, not "${given}".`,
  );
}

function noReferenceDate(file: string, { message }: ConfigurationError): Diagnostic {
  return error(
    "No reference date",
    `${file}: ${message} Give the day of the scan with --reference-date, as in 2021-03-01.`,
  );
}

function fail(screen: Screen, diagnostic: Diagnostic): ExitCode {
  screen.report([diagnostic]);
  return ExitCode.ERROR;
}
