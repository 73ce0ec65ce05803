import type { Caller } from "../caller";
import { ENDPOINTS } from "../endpoints";
import { type CsvRecord, readCsv } from "../results/csv";
import { type CloudDiscovery as Discovered, cloudDiscoverySchema } from "../results/serverless";
import { defendedSpellings } from "../results/spelling";
import { type ListKind, readPage } from "./list";

const discoveries: ListKind<Discovered> = {
  endpoint: "getCloudDiscovery",
  what: "cloud discovery",
  item: cloudDiscoverySchema,
};

/** What cloud accounts hold, and how much of it is defended (section 4.5). */
export class CloudDiscovery {
  constructor(private readonly caller: Caller) {}

  /** All of it; the console has no pages here. `protected` reads `defended` (9.3.6). */
  async list(signal?: AbortSignal): Promise<readonly Discovered[]> {
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
