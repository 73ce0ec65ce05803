import { pipeline, Readable } from "node:stream";
import { z } from "zod";
import { SchemaMismatchError } from "../errors";
import { respell, type Spellings } from "./spelling";

/** A row by its columns' names; a column that the row lacks is absent. */
export type CsvRecord = Readonly<Record<string, string>>;

const recordSchema = z.record(z.string(), z.string());

/**
 * The rows of a CSV text with a header line, one at a time as its bytes come. What breaks the
 * bytes off breaks the rows off; a text that is no CSV is a SchemaMismatchError.
 *
 * @param spellings - headers that callers know by another name; none by default
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  spellings: Spellings = {},
): AsyncGenerator<CsvRecord, void, undefined> {
  const { CsvError, parse } = await import("csv-parse");
  const parser = parse({
    bom: true,
    columns: (header: string[]) => header.map((name) => respell(name, spellings, header)),
    // Each row by its own line end: the parser would take the header's for all.
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  // Its failures are the parser's, which the loop meets.
  pipeline(Readable.from(chunks), parser, () => undefined);
  try {
    for await (const record of parser) yield recordSchema.parse(record);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // Not its own message: it may quote the text.
    throw new SchemaMismatchError(`The console sent CSV that cannot be read: ${error.code}.`, []);
  }
}
