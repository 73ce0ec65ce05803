import fc from "fast-check";
import { openScreen } from "../../src/cli/terminal/screen";
import { printTable } from "../../src/cli/terminal/table";
import { cases } from "../support/cases";
import { TestTerminal } from "./test-terminal";

const ROW = ["certificate", "holds", "DNS:localhost, IP Address:127.0.0.1; valid for 824 days"];

function printed(columns: number | undefined, rows: readonly (readonly string[])[]): string[] {
  const terminal = new TestTerminal({ directory: ".", ...(columns !== undefined && { columns }) });
  printTable(openScreen(terminal, { color: false }), ["Check", "Result", "Found"], rows);
  return terminal.out.trimEnd().split("\n");
}

/** The characters of texts but blanks, in alphabetical order. */
const letters = (texts: readonly string[]) => texts.join("").match(/\S/g)?.sort();

test("a table breaks its widest column behind words on a terminal", () => {
  expect(printed(60, [ROW])).toEqual([
    "Check        Result  Found",
    "certificate  holds   DNS:localhost, IP Address:127.0.0.1;",
    "                     valid for 824 days",
  ]);
});

test("a table breaks an address behind its separators", () => {
  const [, ...lines] = printed(40, [["tenant-1", "holds", "https://127.0.0.1:8083/tenant-1"]]);
  expect(lines).toEqual([
    "tenant-1  holds   https://127.0.0.1:",
    "                  8083/tenant-1",
  ]);
});

test("a table has a line for each row in a pipe", () => {
  expect(printed(undefined, [ROW])).toEqual([
    "Check        Result  Found",
    `certificate  holds   ${ROW[2]}`,
  ]);
});

test("no table is wider than the terminal, and none loses a character", () => {
  const cell = fc.stringMatching(/^[a-z/,]{1,30}( [a-z/,]{1,30}){0,5}$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 4 }), (rows) => {
      const lines = printed(80, rows);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
      expect(letters(lines.slice(1))).toEqual(letters(rows.flat()));
    }),
    { numRuns: cases(20) },
  );
});
