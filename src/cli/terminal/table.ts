import { printed } from "../../core/printed";
import type { Screen } from "./screen";

/**
 * Prints rows in columns below their titles. On a terminal, the widest columns are broken so that rows
 * fit; elsewhere each row is one line.
 */
export function printTable(
  screen: Screen,
  columns: readonly string[],
  cells: readonly (readonly string[])[],
): void {
  const rows = [columns, ...cells];
  const { isTerminal } = screen.terminal.stdout;
  const widths = widthsOf(rows, isTerminal ? screen.width : Infinity);
  for (const [index, row] of rows.entries()) {
    const broken = row.map((cell, at) => brokenCell(cell, widths[at] ?? 0));
    const height = Math.max(...broken.map(({ length }) => length));
    for (let nth = 0; nth < height; nth++) {
      const padded = broken.map((lines, at) => (lines[nth] ?? "").padEnd(widths[at] ?? 0));
      const line = printed`${padded.join(GAP).trimEnd()}`;
      screen.print(printed`${index === 0 ? screen.style.bold(line) : line}\n`);
    }
  }
}

const GAP = "  ";

/** No column is broken to fewer characters. */
const LEAST_COLUMNS = 8;

/** Takes from the widest column until a row fits. */
function widthsOf(rows: readonly (readonly string[])[], most: number): readonly number[] {
  const [titles = []] = rows;
  const widths = titles.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const total = () => widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  for (;;) {
    const widest = Math.max(...widths);
    if (total() <= most || widest <= LEAST_COLUMNS) return widths;
    widths[widths.lastIndexOf(widest)] = widest - 1;
  }
}

/** Breaks a cell behind blanks, and a longer word behind the separators of addresses and lists. */
function brokenCell(cell: string, width: number): readonly string[] {
  if (cell.length <= width) return [cell];
  const lines: string[] = [""];
  for (const word of cell.match(/\S+\s*/g) ?? []) {
    const parts = word.trimEnd().length <= width ? [word] : (word.match(/[^/:,]*[/:,]*/g) ?? []);
    for (const part of parts.flatMap((one) => chunks(one, width))) {
      const last = lines.at(-1) ?? "";
      if ((last + part).trimEnd().length <= width) lines.splice(-1, 1, last + part);
      else lines.push(part);
    }
  }
  return lines.map((line) => line.trimEnd());
}

function chunks(part: string, width: number): readonly string[] {
  if (part.trimEnd().length <= width) return part === "" ? [] : [part];
  return [part.slice(0, width), ...chunks(part.slice(width), width)];
}
