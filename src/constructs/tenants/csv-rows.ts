import { CsvError, parse } from "csv-parse/sync";
import { failed, type RawRow, type RawRows } from "./raw-rows";

const QUOTES =
  'the quotes do not fit; put a cell with a quote in quotes as a whole, and write "" for a quote in it';

/** A line of the file as csv-parse gives it. */
interface Line {
  readonly record: readonly string[];
  /** `lines`: the number of the last line of the record, from 1. */
  readonly info: { readonly lines: number };
}

/**
 * Reads the rows of CSV with commas (RFC 4180). The first line names the columns; `labels.ring` is the
 * member `ring` of `labels`. An empty cell is a member that is not set.
 */
export function csvRows(text: string): RawRows {
  const options = { info: true, skip_empty_lines: true, relax_column_count: true, trim: true };
  let lines: readonly Line[];
  try {
    // The types of csv-parse do not know the shape that `info` gives.
    lines = parse(text, options) as unknown as readonly Line[];
  } catch (failure) {
    if (!(failure instanceof CsvError)) throw failure;
    const line: unknown = failure.lines;
    return failed(QUOTES, typeof line === "number" ? line : undefined);
  }
  const [header, ...rest] = lines;
  if (!header) return failed("the file is empty; the first line must name the columns");
  const columns = header.record;
  if (columns.length === 1 && /[;\t]/.test(columns[0] ?? "")) {
    return failed("the columns must be separated by commas", firstLine(header));
  }
  if (rest.length === 0) {
    return failed("the file has no tenant; add a row for each of them", firstLine(header));
  }
  const rows = rest.map((line) => rowOf(columns, line));
  return {
    isText: true,
    columns,
    rows,
    problems: [
      ...columnProblems(columns).map((message) => ({ message, line: firstLine(header) })),
      ...rest
        .filter(({ record }) => record.length !== columns.length)
        .map((line) => ({
          message: `the row has ${line.record.length} cells, and the first line has ${columns.length} columns; leave a cell empty for a value that is not set`,
          line: firstLine(line),
        })),
    ],
  };
}

function columnProblems(columns: readonly string[]): readonly string[] {
  return columns.flatMap((column, at) => {
    if (column.split(".").includes("")) {
      return [`the name of column ${at + 1}, "${column}", is not complete; complete or remove it`];
    }
    if (columns.indexOf(column) < at) {
      return [`there are two columns "${column}"; rename or remove one`];
    }
    const parent = columns.find((other) => column.startsWith(`${other}.`));
    return parent === undefined
      ? []
      : [`the columns "${parent}" and "${column}" exclude each other; remove one`];
  });
}

function rowOf(columns: readonly string[], line: Line): RawRow {
  const value: Members = new Map();
  for (const [at, column] of columns.entries()) {
    const cell = line.record[at] ?? "";
    if (column !== "" && cell !== "") put(value, column.split("."), cell);
  }
  const number = firstLine(line);
  return { value: plain(value), line: number, lineOf: () => number };
}

/** A record can have line breaks in quotes. */
function firstLine({ record, info }: Line): number {
  const breaks = record.reduce((sum, cell) => sum + cell.split("\n").length - 1, 0);
  return info.lines - breaks;
}

type Members = Map<string, string | Members>;

function put(members: Members, [step = "", ...rest]: readonly string[], cell: string): void {
  if (rest.length === 0) {
    members.set(step, cell);
    return;
  }
  const found = members.get(step);
  const inner: Members = typeof found === "object" ? found : new Map<string, string | Members>();
  members.set(step, inner);
  put(inner, rest, cell);
}

function plain(members: Members): object {
  return Object.fromEntries(
    [...members].map(([key, value]) => [key, typeof value === "string" ? value : plain(value)]),
  );
}
