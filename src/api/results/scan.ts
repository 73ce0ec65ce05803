import { z } from "zod";
import { SchemaMismatchError } from "../errors";
import { parseJson } from "../json";
import type { Container } from "./containers";
import { parseTimestamp } from "./timestamp";

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
