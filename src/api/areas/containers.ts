import { z } from "zod";
import type { Caller } from "../caller";
import { type Container, containerSchema, containerSpellings } from "./container-record";
import { collect, type ListKind, PagedList, type PageQuery, readPage } from "./list";
import { type FinishedScan, parseScanStart, runScan, type ScanOptions } from "./scan-run";

const containers: ListKind<Container> = {
  endpoint: "getContainers",
  what: "containers",
  item: containerSchema,
  spellings: containerSpellings,
};

/** Selects containers. Default: all. */
export type ContainerQuery = PageQuery & {
  /** A container's ID, or a prefix followed by `*`. */
  readonly id?: string | undefined;
  /** Text to search for in container names. */
  readonly search?: string | undefined;
};

/** Containers and their scan results (section 4.2). */
export class Containers extends PagedList<Container, ContainerQuery> {
  constructor(caller: Caller) {
    super(caller, containers);
  }

  /**
   * Starts a scan of all containers and returns the console's time of its start, for
   * `isScanComplete`. Retried only if the request certainly did not arrive or was turned away,
   * because each request starts a scan.
   */
  async startScan(signal?: AbortSignal): Promise<Date> {
    return parseScanStart((await this.caller.request("startContainerScan", { signal })).text());
  }

  /**
   * Scans all containers and waits for the result (section 4.2). Polls until the scan is complete
   * for every container that existed before it. Throws a ScanTimeoutError with the containers that
   * are missing.
   */
  scan(options: ScanOptions = {}): Promise<FinishedScan> {
    const everyContainer = () => collect(this.list({}, options.signal));
    const start = () => this.startScan(options.signal);
    return runScan(everyContainer, start, this.caller.clock, options);
  }

  /** Deprecated in 20.09 (sections 4.5 and 9.2). The form of a label is not specified. */
  async labels(signal?: AbortSignal): Promise<readonly unknown[]> {
    const labels = { endpoint: "getContainerLabels", what: "labels", item: z.unknown() } as const;
    return (await readPage(this.caller, labels, {}, signal)).items;
  }
}
