import { z } from "zod";
import type { Caller } from "../caller";
import { ENDPOINTS } from "../endpoints";
import { type CsvRecord, readCsv } from "./csv";
import { defendedSchema, defendedSpellings } from "./spelling";
import { collect, type ListKind, PagedList, type PageQuery, readPages } from "./list";

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
export type ServerlessFilter = Readonly<{
  /**
   * Only functions that are defended (true) or not defended (false). Sent as `protected` up to
   * 20.12 and as `defended` from `next` on (9.3.6).
   */
  defended?: boolean | undefined;
}>;

/** Serverless functions (section 4.5). */
export class Serverless extends PagedList<ServerlessFunction, ServerlessFilter> {
  constructor(caller: Caller) {
    super(caller, functions);
  }

  /** Reads the names of the functions: all of them or, with a `limit`, one page. */
  names(
    query: ServerlessFilter & PageQuery = {},
    signal?: AbortSignal,
  ): Promise<readonly string[]> {
    return collect(readPages(this.caller, names, query, signal));
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
