import { pipeline, Readable } from "node:stream";
import { z } from "zod";
import { SchemaMismatchError } from "../errors";
import { respell, type Spellings } from "./spelling";

/** A row, by column name; columns that the row lacks are absent. */
export type CsvRecord = Readonly<Record<string, string>>;

const recordSchema = z.record(z.string(), z.string());

/**
 * Reads the rows of a CSV text with a header line, one at a time. Errors of `chunks` are thrown;
 * text that is not CSV is a SchemaMismatchError.
 *
 * @param spellings Headers to rename. Default: none.
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  spellings: Spellings = {},
): AsyncGenerator<CsvRecord, void, undefined> {
  const { CsvError, parse } = await import("csv-parse");
  const parser = parse({
    bom: true,
    columns: (header: string[]) => header.map((name) => respell(name, spellings, header)),
    // Rows may end differently from the header; the parser would expect the header's line end.
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  // The loop receives the parser's errors.
  pipeline(Readable.from(chunks), parser, () => undefined);
  try {
    for await (const record of parser) yield recordSchema.parse(record);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser's message may quote the text.
    throw new SchemaMismatchError(`The console sent CSV that cannot be read: ${error.code}.`, []);
  }
}
