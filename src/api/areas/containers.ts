import { z } from "zod";
import type { Caller } from "../caller";
import type { Page } from "./paging";
import { type Container, containerSchema, containerSpellings } from "./container-record";
import { parseScanStart } from "../areas/scan-run";
import { type FinishedScan, runScan, type ScanOptions } from "./scan-run";
import { collect, type ListKind, type PageQuery, readPage, readPages } from "./list";

const containers: ListKind<Container> = {
  endpoint: "getContainers",
  what: "containers",
  item: containerSchema,
  spellings: containerSpellings,
};

/** Which containers; all without any member. */
export interface ContainerQuery extends PageQuery {
  /** A container's ID, or the beginning of some and `*`. */
  readonly id?: string | undefined;
  /** Matches a container's name. */
  readonly search?: string | undefined;
}

/** Containers and what scans found in them (section 4.2). */
export class Containers {
  constructor(private readonly caller: Caller) {}

  /**
   * The containers that match, all of them or, with a `limit`, one page: fetched as the loop
   * comes to them. `offset` and `limit` are always sent, as a search wants them.
   */
  list(
    { id, search, offset, limit }: ContainerQuery = {},
    signal?: AbortSignal,
  ): AsyncGenerator<Container, void, undefined> {
    return readPages(this.caller, containers, { id, search, offset, limit }, signal);
  }

  /** One page, with the number of all that match where the console tells it. */
  page(
    { id, search, offset = 0, limit }: ContainerQuery & { readonly limit: number },
    signal?: AbortSignal,
  ): Promise<Page<Container>> {
    return readPage(this.caller, containers, { id, search, offset, limit }, signal);
  }

  /**
   * Triggers a scan of all containers and gives the console's time of its start, for
   * `isScanComplete`. It is sent again only where it certainly did not arrive, or was turned away:
   * each one starts a scan.
   */
  async startScan(signal?: AbortSignal): Promise<Date> {
    return parseScanStart((await this.caller.request("startContainerScan", { signal })).text());
  }

  /**
   * Scans all containers and waits for it (section 4.2): reads all of them, starts a scan, then
   * looks every so often until `isScanComplete` of those that were there. A ScanTimeoutError names
   * those that the scan had not come to in time.
   */
  scan(options: ScanOptions = {}): Promise<FinishedScan> {
    const everyContainer = () => collect(this.list({}, options.signal));
    const start = () => this.startScan(options.signal);
    return runScan(everyContainer, start, this.caller.clock, options);
  }

  /** Deprecated in 20.09 (sections 4.5 and 9.2). The shape of a label is not specified. */
  async labels(signal?: AbortSignal): Promise<readonly unknown[]> {
    const labels = { endpoint: "getContainerLabels", what: "labels", item: z.unknown() } as const;
    return (await readPage(this.caller, labels, {}, signal)).items;
  }
}
