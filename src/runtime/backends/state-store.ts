import type { Advice, RunInfo } from "./run-info";

/**
 * Keeps the state of one stack on a server. Methods reject with a `StoreError`, whose text may be
 * shown: it contains no credentials and no part of the state.
 */
export interface StateStore {
  /** To be displayed, without credentials. */
  readonly location: string;
  /** Facts that a run must say, such as that TLS is not verified. */
  readonly caution?: string;
  /** Returns undefined if there is no state. */
  get(): Promise<Buffer | undefined>;
  put(bytes: Buffer): Promise<void>;
  /** Removes the state that was read. */
  delete(): Promise<void>;
  /**
   * Stores a copy next to the state, under its name with this ending, and returns its place. Absent:
   * the store has no other place.
   */
  keep?(ending: string, bytes: Buffer): Promise<string>;
  /** Undefined: the store has no locks. */
  lock(info: RunInfo): Promise<LockAnswer | undefined>;
  /** Removes the lock with this ID, regardless of its holder. */
  unlock(id: string): Promise<void>;
}

export interface LockAnswer {
  /** The holder of the lock; absent if it was taken. */
  readonly by?: RunInfo;
  /** Sentences about the end of a lock that is left over; default: force-unlock with its ID. */
  readonly release?: (advice: Advice) => string;
}

/** A request to a store failed. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}
