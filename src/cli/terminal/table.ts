import { printed } from "../../core/printed";
import type { Screen } from "./screen";

/** Prints rows in columns below their titles. */
export function printTable(
  screen: Screen,
  columns: readonly string[],
  cells: readonly (readonly string[])[],
): void {
  const rows = [columns, ...cells];
  const widths = columns.map((_, at) =>
    rows.reduce((width, row) => Math.max(width, row[at]?.length ?? 0), 0),
  );
  for (const [index, row] of rows.entries()) {
    const padded = row.map((cell, at) => cell.padEnd(widths[at] ?? 0));
    const line = printed`${padded.join("  ").trimEnd()}`;
    screen.print(printed`${index === 0 ? screen.style.bold(line) : line}\n`);
  }
}
