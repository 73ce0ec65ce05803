import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

/**
 * Reads the table. A line holds an expression, its type and its value, separated by tabs, or an
 * expression, `error` and the summary of Terraform's diagnostic. `↵` is a line break.
 */
export function readTable(): readonly Case[] {
  return readFileSync(FILE, "utf8")
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
    if (!result) return line;
    const rest = "error" in result ? ["error", result.error] : [result.type, result.value];
    return [source, ...rest].join("\t");
  });
  writeFileSync(FILE, written.join("\n"));
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
