import { z } from "zod";
import type { Evaluated } from "../evaluated";
import { define, fail, string, type FunctionDefinition } from "./language-function";

let parseCsv: ((text: string) => unknown) | undefined;

async function loadCsv(): Promise<void> {
  const { parse } = await import("csv-parse/sync");
  parseCsv = (text) => parse(text, { skip_empty_lines: true, record_delimiter: "\n" });
}

const rows = z.array(z.array(z.string()));

/** Decodes CSV whose first line names the columns, as objects of strings. */
function decodeCsv(text: string): Evaluated {
  if (!parseCsv) throw new Error("The parser did not load the CSV reader.");
  let records: readonly (readonly string[])[];
  try {
    records = rows.parse(parseCsv(text.replaceAll("\r\n", "\n")));
  } catch {
    return fail("the string is not valid CSV, or its lines differ in length", "str");
  }
  const [header, ...lines] = records;
  if (!header) return fail("missing header line", "str");
  if (new Set(header).size < header.length) {
    return fail("two columns have the same name", "str");
  }
  return lines.map((line) =>
    Object.fromEntries(header.map((name, column) => [name, line[column] ?? ""])),
  );
}

export const csvFunctions: Readonly<Record<string, FunctionDefinition>> = {
  csvdecode: { ...define([string], ([text]) => decodeCsv(text)), load: loadCsv },
};
