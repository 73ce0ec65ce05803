import { cpSync } from "node:fs";
import type { StackJson } from "../../runtime/engine/bench";
import { readTable, type Case } from "./table";
import { CONFIGURATION_JSON, FILES } from "./world";

/** A row of the table as an output: its name, and the expected type and value. */
export interface Row {
  readonly expression: string;
  readonly name: string;
  readonly type: string;
  readonly value: string;
}

/** The rows of the table that have a value: as an output, each plan evaluates them. */
export function rowsOf(cases: readonly Case[] = readTable()): readonly Row[] {
  return cases.flatMap(({ expression, expected }, index) =>
    "error" in expected ? [] : [{ expression, name: `e${index}`, ...expected }],
  );
}

/** A stack with an output for each row. Copy the files that the expressions read into its folder. */
export function tableStack(rows: readonly Row[]): StackJson {
  return {
    ...CONFIGURATION_JSON,
    output: Object.fromEntries(
      rows.map(({ name, expression }) => [
        name,
        { sensitive: true, value: `\${(\n${expression}\n)}` },
      ]),
    ),
  };
}

export function copyFiles(folder: string): void {
  cpSync(FILES, folder, { recursive: true });
}
