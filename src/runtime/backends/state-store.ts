import type { RunInfo } from "./run-info";

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
  /** Without a lock, `by` describes its holder. Undefined: the store has no locks. */
  lock(info: RunInfo): Promise<{ readonly by?: RunInfo } | undefined>;
  unlock(id: string): Promise<void>;
}

/** A request to a store failed. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}
