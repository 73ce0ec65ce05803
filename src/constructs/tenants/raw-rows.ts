import type { LocatedProblem } from "../../core/json/located-document";

/** A step of a path in a row. */
export type RowStep = string | number;

/** A row as it was read, before its check. */
export interface RawRow {
  readonly value: unknown;
  /** Line of the row, from 1. */
  readonly line: number;
  /** Returns the line of a value in the row, or of the nearest one around it. */
  readonly lineOf: (path: readonly RowStep[]) => number;
}

export type RowProblem = LocatedProblem;

export interface RawRows {
  readonly rows: readonly RawRow[];
  readonly problems: readonly RowProblem[];
  /** All values are strings, as in CSV. */
  readonly isText?: boolean;
  /** The names of the columns, in the first line of CSV. */
  readonly columns?: readonly string[];
}

/** The result for a file of which no row can be read. */
export function failed(message: string, line?: number): RawRows {
  return { rows: [], problems: [{ message, line }] };
}
