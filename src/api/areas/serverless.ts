import { z } from "zod";
import type { Caller } from "../caller";
import { ENDPOINTS } from "../endpoints";
import type { Page } from "./paging";
import { type CsvRecord, readCsv } from "./csv";
import { defendedSchema, defendedSpellings } from "./spelling";
import { collect, type ListKind, type PageQuery, readPage, readPages } from "./list";

const text = z.string().nullish();

/** A function of GET serverless (section 4.5). `protected`, up to 20.12, is read as `defended`. */
const serverlessFunctionSchema = z.looseObject({
  _id: text,
  name: text,
  provider: text,
  region: text,
  runtime: text,
  defended: defendedSchema,
});
/** A serverless function that the console discovered (section 4.5). */
export type ServerlessFunction = z.infer<typeof serverlessFunctionSchema>;

const functions: ListKind<ServerlessFunction> = {
  endpoint: "getServerlessFunctions",
  what: "serverless functions",
  item: serverlessFunctionSchema,
};
const names: ListKind<string> = {
  endpoint: "getServerlessFunctionNames",
  what: "names of serverless functions",
  item: z.string(),
};

/** Selects functions. Default: all. */
export interface ServerlessFilter {
  /**
   * Only functions that are defended (true) or not defended (false). Sent as `protected` up to
   * 20.12 and as `defended` from `next` on (9.3.6).
   */
  readonly defended?: boolean | undefined;
}

/** Serverless functions (section 4.5). */
export class Serverless {
  constructor(private readonly caller: Caller) {}

  /** Lists all functions, fetching pages on demand, or one page with a `limit`. */
  list(
    { defended, offset, limit }: ServerlessFilter & PageQuery = {},
    signal?: AbortSignal,
  ): AsyncGenerator<ServerlessFunction, void, undefined> {
    return readPages(this.caller, functions, { defended, offset, limit }, signal);
  }

  /** Reads one page, with the total number of matches if the console sends it. */
  page(
    { defended, offset = 0, limit }: ServerlessFilter & PageQuery & { readonly limit: number },
    signal?: AbortSignal,
  ): Promise<Page<ServerlessFunction>> {
    return readPage(this.caller, functions, { defended, offset, limit }, signal);
  }

  /** Reads the names of the functions: all of them or, with a `limit`, one page. */
  names(
    { defended, offset, limit }: ServerlessFilter & PageQuery = {},
    signal?: AbortSignal,
  ): Promise<readonly string[]> {
    return collect(readPages(this.caller, names, { defended, offset, limit }, signal));
  }

  /** Streams the functions as CSV, as the console sends it. See `ConsoleClient.download`. */
  download(
    { defended }: ServerlessFilter = {},
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    return this.caller.download("downloadServerlessFunctions", { query: { defended }, signal });
  }

  /** Reads the rows of the CSV. Column `protected` is read as `defended` (9.3.6). */
  records(
    filter?: ServerlessFilter,
    signal?: AbortSignal,
  ): AsyncGenerator<CsvRecord, void, undefined> {
    const spellings = defendedSpellings(ENDPOINTS.downloadServerlessFunctions, "column");
    return readCsv(this.download(filter, signal), spellings);
  }
}
