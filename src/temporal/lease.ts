/** The right to write to the stacks of a batch, as long as Temporal hears of this worker. */
export interface Lease {
  /** Attempts of one batch are counted from 1. */
  readonly attempt: number;
  /** Aborted when nothing new may start. */
  readonly stop: AbortSignal;
  /** Aborted when operations in progress must end. */
  readonly abort: AbortSignal;
  /** False when nothing may be written any more, also before `stop` could be aborted. */
  holds(): boolean;
}

export interface LeaseRequest {
  readonly attempt: number;
  /** After so many milliseconds without a sign, Temporal gives the batch to another worker. */
  readonly leaseMs: number;
  /** Sends a sign. Resolves to false if the batch is no longer this worker's; rejects without an answer. */
  readonly renew: (timeoutMs: number) => Promise<boolean>;
  /** Aborted when the worker itself has to end. */
  readonly ending: AbortSignal;
  /** The steady clock. */
  readonly now: () => number;
}

/** Signs within the time after which this worker stops. */
const SIGNS = 3;

/**
 * Runs work under a lease. Half of the time after which Temporal gives the batch to another worker,
 * counted from the last sign that was answered, nothing new is started; after the whole time, requests
 * in progress are cut. Another worker begins a whole time later.
 */
export async function underLease<R>(
  { attempt, leaseMs, renew, ending, now }: LeaseRequest,
  work: (lease: Lease) => Promise<R>,
): Promise<R> {
  const [stop, abort] = [new AbortController(), new AbortController()];
  const end = () => {
    stop.abort();
  };
  ending.addEventListener("abort", end);
  // The batch was handed out before now.
  let answeredAt = now();
  let isLost = false;
  let isRenewing = false;
  const lose = () => {
    isLost = true;
    stop.abort();
    abort.abort();
  };
  const look = () => {
    const silentMs = now() - answeredAt;
    if (silentMs >= leaseMs / 2) stop.abort();
    if (silentMs >= leaseMs) lose();
  };
  const sign = async () => {
    look();
    if (isRenewing || isLost) return;
    isRenewing = true;
    const sentAt = now();
    try {
      if (await renew(leaseMs / 2)) answeredAt = sentAt;
      else lose();
    } catch {
      // Without an answer, the time goes on.
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => void sign(), leaseMs / (2 * SIGNS));
  const lease = {
    attempt,
    stop: stop.signal,
    abort: abort.signal,
    holds: () => !isLost && now() - answeredAt < leaseMs / 2,
  };
  try {
    return await work(lease);
  } finally {
    clearInterval(timer);
    ending.removeEventListener("abort", end);
  }
}
