import { z } from "zod";
import type { Caller } from "../caller";
import { ENDPOINTS } from "../endpoints";
import { type CsvRecord, readCsv } from "./csv";
import { jsonNumber } from "../json";
import { defendedSpellings } from "./spelling";
import { type ListKind, readPage } from "./list";

const text = z.string().nullish();

/**
 * An element of GET cloud/discovery (section 4.5). An element may contain only `err`, the reason
 * why an account was not examined. `protected`, up to 20.12, is read as `defended`.
 */
const cloudDiscoveryRecordSchema = z.looseObject({
  provider: text,
  /** Number of protected objects. */
  defended: jsonNumber.nullish(),
  err: text,
});
/** One service of a cloud account, as discovered (section 4.5). */
export type CloudDiscoveryRecord = z.infer<typeof cloudDiscoveryRecordSchema>;

const discoveries: ListKind<CloudDiscoveryRecord> = {
  endpoint: "getCloudDiscovery",
  what: "cloud discovery",
  item: cloudDiscoveryRecordSchema,
};

/** Cloud discovery (section 4.5): the contents of cloud accounts and how many are defended. */
export class CloudDiscovery {
  constructor(private readonly caller: Caller) {}

  /** Reads all records; the endpoint has no pages. `protected` is read as `defended` (9.3.6). */
  async list(signal?: AbortSignal): Promise<readonly CloudDiscoveryRecord[]> {
    return (await readPage(this.caller, discoveries, {}, signal)).items;
  }

  /** Streams the records as CSV, as the console sends it. See `ConsoleClient.download`. */
  download(signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    return this.caller.download("downloadCloudDiscovery", { signal });
  }

  /** Reads the rows of the CSV. Column `protected` is read as `defended` (9.3.6). */
  records(signal?: AbortSignal): AsyncGenerator<CsvRecord, void, undefined> {
    const spellings = defendedSpellings(ENDPOINTS.downloadCloudDiscovery, "column");
    return readCsv(this.download(signal), spellings);
  }
}
