import type { ConsoleResponse } from "./messages";

/** Column names to what stands in them. */
export type Row = Readonly<Record<string, string | number | boolean>>;

/** A table with a header; booleans as `true` and `false`. */
export async function csvResponse(
  columns: readonly string[],
  rows: readonly Row[],
): Promise<ConsoleResponse> {
  // Loaded by who downloads.
  const { stringify } = await import("csv-stringify/sync");
  const body = stringify([...rows], {
    columns: [...columns],
    header: true,
    cast: { boolean: String },
  });
  return { status: 200, headers: { "content-type": "text/csv" }, body };
}
