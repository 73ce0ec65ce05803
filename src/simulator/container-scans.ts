/** How long a scan of all containers takes, in seconds of the console's clock. */
const SCAN_DURATION = 25;

/** Which of the containers: the scan takes one after the other. */
export interface Place {
  readonly index: number;
  readonly count: number;
}

/** When the scan that started then is, or was, through with the container. */
function scannedAt(start: Date, { index, count }: Place): number {
  return start.getTime() + Math.ceil((SCAN_DURATION * 1000 * (index + 1)) / count);
}

/** When the container was scanned last; undefined when no scan has come to it yet. */
export function lastScan(starts: readonly Date[], place: Place, now: Date): Date | undefined {
  const start = starts.findLast((one) => scannedAt(one, place) <= now.getTime());
  return start && new Date(scannedAt(start, place));
}

/** The starts to remember once another scan starts: those that still matter, and that one. */
export function withScan(starts: readonly Date[], now: Date): readonly Date[] {
  const whole = starts.findLastIndex(
    (start) => start.getTime() + SCAN_DURATION * 1000 <= now.getTime(),
  );
  return [...starts.slice(Math.max(whole, 0)), now];
}
