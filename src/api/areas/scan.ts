import { ListNotWholeError, ScanTimeoutError } from "../errors";

/** Options of a scan. */
export interface ScanOptions {
  /** Milliseconds between two polls. Default 10 000 (section 8). */
  readonly interval?: number | undefined;
  /** Milliseconds from the start to the last poll. Default 300 000. */
  readonly timeout?: number | undefined;
  /** Called at the start and after each poll. Must not throw. */
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined;
  /** Ends the wait; the console continues the scan. */
  readonly signal?: AbortSignal | undefined;
}

/** Progress of a scan. */
export interface ScanProgress {
  /** By the console's clock. */
  readonly startedAt: Date;
  /** Number of scanned items, out of `count`. */
  readonly finished: number;
  readonly count: number;
}

interface Clock {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** The items that a scan covers. */
export interface Scanned<Item extends { readonly _id: string }> {
  /** In messages, in the plural. */
  readonly what: string;
  /** Reads all items. */
  readonly every: () => Promise<readonly Item[]>;
  /** Starts the scan, and returns its time by the console's clock. */
  readonly start: () => Promise<Date>;
  /** Reports whether the scan has reached an item; `before` is the same before it. */
  readonly isScanned: (item: Item, before: Item, startedAt: Date) => boolean;
  readonly nameOf: (item: Item) => string;
}

/**
 * Runs a scan: polls until it has reached every item that existed before it and still exists. Throws a
 * ScanTimeoutError with those that are missing.
 */
export async function runScan<Item extends { readonly _id: string }>(
  { what, every, start, isScanned, nameOf }: Scanned<Item>,
  { now, sleep }: Clock,
  { interval = 10_000, timeout = 300_000, onProgress, signal }: ScanOptions,
): Promise<{ readonly startedAt: Date; readonly items: readonly Item[] }> {
  let items = await every();
  const before = new Map(items.map((item) => [item._id, item]));
  const startedAt = await start();
  const deadline = now() + timeout;
  // Results from before the start do not count, regardless of the clocks.
  let unfinished = items;
  for (;;) {
    const count = items.filter(({ _id }) => before.has(_id)).length;
    onProgress?.({ startedAt, finished: count - unfinished.length, count });
    if (unfinished.length === 0) return { startedAt, items };
    const left = deadline - now();
    if (left <= 0) {
      const names = new Map(unfinished.map((item) => [item._id, nameOf(item)]));
      throw timedOut(startedAt, names, `${count} ${what}`, timeout);
    }
    await sleep(Math.min(interval, left), signal);
    const polled = await every().catch(unlessChanging);
    if (!polled) continue;
    items = polled;
    unfinished = items.filter((item) => {
      const known = before.get(item._id);
      return known !== undefined && !isScanned(item, known, startedAt);
    });
  }
}

/** Items that are added and removed while they are listed: the next poll may prove the list. */
function unlessChanging(failure: unknown): undefined {
  if (!(failure instanceof ListNotWholeError)) throw failure;
}

const NAMED_ITEMS = 10;

/** `unfinished` has the names of items by their IDs. */
function timedOut(
  startedAt: Date,
  unfinished: ReadonlyMap<string, string>,
  all: string,
  timeout: number,
): ScanTimeoutError {
  const names = [...unfinished.values()];
  const more = names.length > NAMED_ITEMS ? `, and ${names.length - NAMED_ITEMS} more` : "";
  return new ScanTimeoutError(
    `The scan was not complete after ${timeout / 1000} s: ${names.length} of ${all} have no new result: ${names.slice(0, NAMED_ITEMS).join(", ")}${more}.`,
    startedAt,
    [...unfinished.keys()],
  );
}
