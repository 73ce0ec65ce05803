import { z } from "zod";
import { ScanTimeoutError, SchemaMismatchError } from "../errors";
import { parseJson } from "../json";
import type { Container } from "./container-record";
import { parseTimestamp } from "./timestamp";

/** How `Containers.scan` waits for its scan. */
export interface ScanOptions {
  /** Milliseconds from one look to the next. Default 10 000 (section 8). */
  readonly interval?: number | undefined;
  /** Milliseconds from the start to the last look. Default 300 000. */
  readonly timeout?: number | undefined;
  /** Told of the start and after each look. It must not throw. */
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined;
  /** Ends the waiting; the console goes on with its scan. */
  readonly signal?: AbortSignal | undefined;
}

/** How far a scan is. */
export interface ScanProgress {
  /** By the console's clock. */
  readonly startedAt: Date;
  /** How many containers the scan is through with, of all that it is waited for. */
  readonly finished: number;
  readonly count: number;
}

/** A scan that came to every container that was there when it started. */
export interface FinishedScan {
  /** By the console's clock. */
  readonly startedAt: Date;
  /** As the last look found them. */
  readonly containers: readonly Container[];
}

interface Clock {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** See `Containers.scan`. */
export async function runScan(
  everyContainer: () => Promise<readonly Container[]>,
  start: () => Promise<Date>,
  { now, sleep }: Clock,
  { interval = 10_000, timeout = 300_000, onProgress, signal }: ScanOptions,
): Promise<FinishedScan> {
  let containers = await everyContainer();
  const present = new Set(containers.map(({ _id }) => _id));
  const startedAt = await start();
  const deadline = now() + timeout;
  // What is known from before the start has not been scanned since, whatever the clocks say.
  let unfinished = containers;
  for (;;) {
    const count = containers.filter(({ _id }) => present.has(_id)).length;
    onProgress?.({ startedAt, finished: count - unfinished.length, count });
    if (unfinished.length === 0) return { startedAt, containers };
    const left = deadline - now();
    if (left <= 0) throw timedOut(startedAt, unfinished, count, timeout);
    await sleep(Math.min(interval, left), signal);
    containers = await everyContainer();
    unfinished = unfinishedScans(present, containers, startedAt);
  }
}

const NAMED = 10;

function timedOut(
  startedAt: Date,
  unfinished: readonly Container[],
  count: number,
  timeout: number,
): ScanTimeoutError {
  const names = unfinished.slice(0, NAMED).map(({ _id, info }) => info?.name ?? _id);
  const more = unfinished.length > NAMED ? `, and ${unfinished.length - NAMED} more` : "";
  return new ScanTimeoutError(
    `The scan was not complete after ${timeout / 1000} s: ${unfinished.length} of ${count} containers have no new result: ${names.join(", ")}${more}.`,
    startedAt,
    unfinished.map(({ _id }) => _id),
  );
}

/**
 * When a scan started, as the request that triggers it answers (its shape is not specified): an
 * object with one timestamp, or a timestamp by itself, as JSON or plain text.
 */
export function parseScanStart(body: string): Date {
  const start = startIn(parsed(body));
  if (start) return start;
  throw new SchemaMismatchError("The console does not say when the scan started.", []);
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
 * The containers that a scan has still to come to: of those that were present when it started and
 * are still there, all without a `scanTime` strictly later than its start. One that is gone, or
 * that came later, is not waited for.
 *
 * @param present - `_id`s from before the scan
 * @param containers - all of them as they are now, from every page
 */
export function unfinishedScans(
  present: ReadonlySet<string>,
  containers: readonly Container[],
  start: Date,
): readonly Container[] {
  return containers.filter(({ _id, scanTime }) => {
    const scanned = parseTimestamp(scanTime);
    return present.has(_id) && !(scanned && scanned > start);
  });
}

/** Whether `unfinishedScans` are none; so it is when there are no containers. */
export function isScanComplete(
  present: ReadonlySet<string>,
  containers: readonly Container[],
  start: Date,
): boolean {
  return unfinishedScans(present, containers, start).length === 0;
}
