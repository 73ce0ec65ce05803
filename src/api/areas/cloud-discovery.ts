import { z } from "zod";
import type { Caller } from "../caller";
import { ENDPOINTS } from "../endpoints";
import { type CsvRecord, readCsv } from "./csv";
import { jsonNumber } from "../json";
import { defendedSpellings } from "./spelling";
import { type ListKind, readPage } from "./list";

const text = z.string().nullish();

/**
 * An element of GET cloud/discovery (section 4.5). One may carry nothing but `err`: what kept its
 * account from being looked at. `protected` of up to 20.12 reads `defended`.
 */
const cloudDiscoveryRecordSchema = z.looseObject({
  provider: text,
  /** How many are protected. */
  defended: jsonNumber.nullish(),
  err: text,
});
/** What was discovered of one service in a cloud account (section 4.5). */
export type CloudDiscoveryRecord = z.infer<typeof cloudDiscoveryRecordSchema>;

const discoveries: ListKind<CloudDiscoveryRecord> = {
  endpoint: "getCloudDiscovery",
  what: "cloud discovery",
  item: cloudDiscoveryRecordSchema,
};

/** What cloud accounts hold, and how much of it is defended (section 4.5). */
export class CloudDiscovery {
  constructor(private readonly caller: Caller) {}

  /** All of it; the console has no pages here. `protected` reads `defended` (9.3.6). */
  async list(signal?: AbortSignal): Promise<readonly CloudDiscoveryRecord[]> {
    return (await readPage(this.caller, discoveries, {}, signal)).items;
  }

  /** The same as CSV, as the console sends it. See `ConsoleClient.download`. */
  download(signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    return this.caller.download("downloadCloudDiscovery", { signal });
  }

  /** The rows of that CSV; its column `protected` is `defended` whatever the release (9.3.6). */
  records(signal?: AbortSignal): AsyncGenerator<CsvRecord, void, undefined> {
    const spellings = defendedSpellings(ENDPOINTS.downloadCloudDiscovery, "column");
    return readCsv(this.download(signal), spellings);
  }
}
