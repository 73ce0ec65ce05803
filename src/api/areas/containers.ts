import { z } from "zod";
import type { Caller } from "../caller";
import {
  collectItems,
  type ListKind,
  PagedList,
  type PageQuery,
  readRows,
  wholeItems,
} from "./list";
import { parseJson } from "../../core/json/lossless-json";
import { jsonNumber } from "../../core/json/json-number";
import type { Spellings } from "./spelling";
import { timestampSchema, parseTimestamp } from "./timestamp";
import { SchemaMismatchError } from "../errors";
import { runScan, type ScanOptions } from "./scan";

const text = z.string().nullish();

/**
 * A container record of GET containers (section 4.2), with every member that the console sent.
 * `scan_time` is read as `scanTime`, its other spelling: the end of the last scan.
 */
const containerSchema = z.looseObject({
  _id: z.string(),
  hostname: text,
  scanTime: timestampSchema.nullish(),
  info: z
    .looseObject({
      name: text,
      complianceIssues: z
        .array(z.looseObject({ id: jsonNumber.nullish(), severity: text, title: text }))
        .nullish(),
    })
    .nullish(),
});
/** A container with the findings of its last scan (section 4.2). */
export type Container = z.infer<typeof containerSchema>;

const containerSpellings: Spellings = { scan_time: "scanTime" };

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
  async scan(options: ScanOptions = {}): Promise<FinishedScan> {
    const { startedAt, items } = await runScan<Container>(
      {
        what: "containers",
        every: () => collectItems(this.list({}, options.signal)),
        start: () => this.startScan(options.signal),
        isScanned: (item, _, started) => isScannedSince(item, started),
        nameOf: ({ _id, info }) => info?.name ?? _id,
      },
      this.caller.clock,
      options,
    );
    return { startedAt, containers: items };
  }

  /** Deprecated in 20.09 (sections 4.5 and 9.2). The form of a label is not specified. */
  labels(signal?: AbortSignal): Promise<readonly unknown[]> {
    const labels = { endpoint: "getContainerLabels", what: "labels", item: z.unknown() } as const;
    return readRows(this.caller, wholeItems(labels), {}, signal);
  }
}

/** A scan that reached every container that existed when it started. */
export interface FinishedScan {
  /** By the console's clock. */
  readonly startedAt: Date;
  /** The containers as read by the last poll. */
  readonly containers: readonly Container[];
}

/**
 * Reads the start time from the answer of the request that starts a scan. Its form is not
 * specified: an object with one timestamp, or a timestamp as JSON or plain text.
 */
export function parseScanStart(body: string): Date {
  const start = startIn(parsed(body));
  if (start) return start;
  throw new SchemaMismatchError("The console did not return the start time of the scan.", []);
}

function parsed(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return body;
  }
}

function startIn(value: unknown): Date | undefined {
  const { data: members } = z.record(z.string(), z.unknown()).safeParse(value);
  if (!members) return parseTimestamp(value);
  const [only, ...others] = Object.values(members).flatMap(
    (member) => parseTimestamp(member) ?? [],
  );
  return others.length === 0 ? only : undefined;
}

/**
 * Returns the containers that a scan has not reached yet: those that existed when it started, still
 * exist and have no `scanTime` strictly later than the start. Containers that were removed or added
 * since are not waited for.
 *
 * @param present `_id`s from before the scan.
 * @param containers All current containers, from every page.
 */
export function unfinishedScans(
  present: ReadonlySet<string>,
  containers: readonly Container[],
  start: Date,
): readonly Container[] {
  return containers.filter((one) => present.has(one._id) && !isScannedSince(one, start));
}

function isScannedSince({ scanTime }: Container, start: Date): boolean {
  const scanned = parseTimestamp(scanTime);
  return scanned !== undefined && scanned > start;
}

/** True if the scan reached every container, also if there are none. */
export function isScanComplete(
  present: ReadonlySet<string>,
  containers: readonly Container[],
  start: Date,
): boolean {
  return unfinishedScans(present, containers, start).length === 0;
}
