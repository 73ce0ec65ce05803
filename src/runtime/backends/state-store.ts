import { warning, type Diagnostic } from "../../core/diagnostics";
import type { Advice, RunInfo } from "./run-info";

/**
 * Keeps the state of one stack on a server. Methods reject with a `StoreError`, whose text may be
 * shown: it contains no credentials and no part of the state.
 */
export interface StateStore {
  /** To be displayed, without credentials. */
  readonly location: string;
  /** Warnings to each run, such as that TLS is not verified. */
  readonly cautions: readonly Diagnostic[];
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
  /** The ID that the store gave to the lock. Default: that of the run. */
  readonly id?: string;
  /** Sentences about the end of a lock that is left over; default: force-unlock with its ID. */
  readonly release?: (advice: Advice) => string;
}

/** A request to a store failed. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** The error of a write that finds another state than the one that was read. */
export const CHANGED = "another program changed or removed it since it was read";

/** @param reason A sentence without its full stop. */
export function notVerified(host: string, reason: string): Diagnostic {
  const detail = `The certificate of ${host} is not verified, because ${reason}.`;
  return warning("TLS is not verified", detail);
}
