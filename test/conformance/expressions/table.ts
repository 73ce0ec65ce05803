import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isLosslessNumber, parse, stringify } from "lossless-json";

/** The result of an expression: type and value as canonical JSON, or the summary of an error. */
export type Result = { readonly type: string; readonly value: string } | { readonly error: string };

export interface Case {
  readonly expression: string;
  readonly expected: Result;
}

/** Unknown values as the table writes them. */
export const UNKNOWN_MARKER = "(unknown)";

const FILE = join(__dirname, "table.tsv");
/** The results that differ from those of Terraform 1.11, in the same format. */
const OTHER_FILES = {
  opentofu: join(__dirname, "table-opentofu.tsv"),
  "terraform-1.15": join(__dirname, "table-terraform-1.15.tsv"),
} as const;
export type OtherProgram = keyof typeof OTHER_FILES;

/** Reads the table with the results of Terraform. */
export function readTable(): readonly Case[] {
  return readCases(FILE);
}

/** Reads the table with the results of another program. */
export function readTableOf(program: OtherProgram): readonly Case[] {
  const others = new Map(readCases(OTHER_FILES[program]).map((one) => [one.expression, one]));
  return readTable().map((one) => others.get(one.expression) ?? one);
}

/**
 * Reads cases. A line holds an expression, its type and its value, separated by tabs, or an
 * expression, `error` and the summary of Terraform's diagnostic. `↵` is a line break.
 */
function readCases(file: string): readonly Case[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [source = "", type = "", value = ""] = line.split("\t");
      const expression = source.replaceAll("↵", "\n");
      return { expression, expected: type === "error" ? { error: value } : { type, value } };
    });
}

/** Replaces all expected results; comments and the order of lines stay. */
export function writeTable(results: ReadonlyMap<string, Result>): void {
  const lines = readFileSync(FILE, "utf8").split("\n");
  const written = lines.map((line) => {
    const [source = ""] = line.split("\t");
    const result = results.get(source.replaceAll("↵", "\n"));
    return result ? lineOf(source, result) : line;
  });
  writeFileSync(FILE, written.join("\n"));
}

/** Replaces the results of another program, where they differ from those of the table. */
export function writeTableOf(program: OtherProgram, results: ReadonlyMap<string, Result>): void {
  const file = OTHER_FILES[program];
  const lines = readTable().flatMap(({ expression, expected }) => {
    const result = results.get(expression);
    if (!result || isDeepStrictEqual(result, expected)) return [];
    return [lineOf(expression.replaceAll("\n", "↵"), result)];
  });
  const comments = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("#"));
  writeFileSync(file, [...comments, ...lines, ""].join("\n"));
}

function lineOf(source: string, result: Result): string {
  const rest = "error" in result ? ["error", result.error] : [result.type, result.value];
  return [source, ...rest].join("\t");
}

/** Writes JSON with sorted keys, and numbers with their digits, without an exponent. */
export function canonicalJson(json: string): string {
  return stringify(sorted(parse(json))) ?? "null";
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null || isLosslessNumber(value)) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, sorted(member)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
