/** Returns undefined if a request at this time is accepted, else the milliseconds to wait. */
export type Limiter = (now: number) => number | undefined;

const MINUTE_MS = 60_000;

/** Takes a burst at once, and fills up again evenly. */
export function tokenBucket({
  burst,
  perMinute,
}: {
  readonly burst: number;
  readonly perMinute: number;
}): Limiter {
  let tokens = burst;
  let filled: number | undefined;
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - (filled ?? now)) * perMinute) / MINUTE_MS);
    filled = now;
    if (tokens < 1) return ((1 - tokens) * MINUTE_MS) / perMinute;
    tokens -= 1;
    return undefined;
  };
}

/** Starts to count again in each minute. */
export function fixedWindow({
  perMinute,
  offset = 0,
}: {
  readonly perMinute: number;
  readonly offset?: number;
}): Limiter {
  let window: number | undefined;
  let count = 0;
  return (now) => {
    const current = Math.floor((now + offset) / MINUTE_MS);
    if (current !== window) count = 0;
    window = current;
    if (count >= perMinute) return (current + 1) * MINUTE_MS - offset - now;
    count += 1;
    return undefined;
  };
}

/** Counts the accepted requests of the last minute. */
export function slidingWindow({ perMinute }: { readonly perMinute: number }): Limiter {
  let accepted: readonly number[] = [];
  return (now) => {
    accepted = accepted.filter((at) => now - at < MINUTE_MS);
    const [oldest = now] = accepted.slice(-perMinute);
    if (accepted.length >= perMinute) return oldest + MINUTE_MS - now;
    accepted = [...accepted, now];
    return undefined;
  };
}
