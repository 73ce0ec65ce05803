/** The time until which a host asked its clients to wait, by Retry-After. */
export class HostPause {
  #until = -Infinity;

  /** @param until - by the clock of the clients, in milliseconds */
  extend(until: number): void {
    this.#until = Math.max(this.#until, until);
  }

  /** Returns the milliseconds that are left; 0 or less without a pause. */
  left(now: number): number {
    return this.#until - now;
  }
}

const pauses = new Map<string, HostPause>();

/** Returns the pause that all clients of the host share. */
export function pauseOf(origin: string): HostPause {
  const known = pauses.get(origin);
  if (known) return known;
  const pause = new HostPause();
  pauses.set(origin, pause);
  return pause;
}
