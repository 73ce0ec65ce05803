import type { Caller } from "../caller";
import { type ComplianceStats, readComplianceStats } from "../results/compliance-stats";
import { type CsvRecord, readCsv } from "../results/csv";

/** Statistics of compliance (sections 4.5, 9.3.1 and 9.3.2). */
export class ComplianceStatistics {
  constructor(private readonly caller: Caller) {}

  async get(signal?: AbortSignal): Promise<ComplianceStats> {
    const response = await this.caller.request("getComplianceStats", { signal });
    return readComplianceStats(response.json());
  }

  /**
   * All compliance checks as CSV, as the console sends it. `next` only: an
   * EndpointNotInReleaseError elsewhere. See `ConsoleClient.download`.
   */
  download(signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    return this.caller.download("downloadComplianceStats", { signal });
  }

  /** The rows of that CSV. */
  records(signal?: AbortSignal): AsyncGenerator<CsvRecord, void, undefined> {
    return readCsv(this.download(signal));
  }
}
