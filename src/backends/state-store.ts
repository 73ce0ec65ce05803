import { warning, type Diagnostic } from "../core/diagnostics";
import { world } from "../core/io/world";
import { hideSecrets } from "../core/io/secrets-in-use";
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
  /** Resolves when the server has shown that it has these bytes, or the state in them. */
  put(bytes: Buffer): Promise<void>;
  /** Removes the state that was read. */
  delete(): Promise<void>;
  /**
   * Stores a copy next to the state, under its name with this ending, and returns its place. Absent:
   * the store has no other place.
   */
  keep?(ending: string, bytes: Buffer): Promise<string>;
  /** Returns the names of what are states of workspaces. Absent: the store has only the default one. */
  workspaces?(): Promise<readonly string[]>;
  /** Returns the store of another text next to the state, whose lock guards both. */
  beside(name: string): TextStore;
  /** Undefined: the store has no locks. */
  lock(info: RunInfo): Promise<LockAnswer | undefined>;
  /** Removes the lock with this ID, regardless of its holder. Rejects with a `NotHeldError` without it. */
  unlock(id: string): Promise<void>;
}

/** A text on a server. `get` comes before `put`; both are as those of a state. */
export type TextStore = Pick<StateStore, "location" | "get" | "put">;

export interface LockAnswer {
  /** The holder of the lock; absent if it was taken. */
  readonly by?: RunInfo;
  /** The ID that the store gave to the lock. Default: that of the run. */
  readonly id?: string;
  /** Sentences about the end of a lock that is left over; default: force-unlock with its ID. */
  readonly release?: (advice: Advice) => string;
}

/** A request to a store failed. The message has the text of the server, without secrets in use. */
export class StoreError extends Error {
  override readonly name = "StoreError";

  constructor(message: string, options?: ErrorOptions) {
    super(hideSecrets(message), options);
  }
}

/** There is no such lock, or another run holds it. */
export class NotHeldError extends StoreError {}

/** @param lock of the present holder */
export function heldByOther({ ID, Operation, Who }: RunInfo, id: string): NotHeldError {
  return new NotHeldError(`its lock is ${ID} of ${Operation} (${Who}), and not ${id}`);
}

/** The error of a write that was answered as done, but was not, or not completely. */
export const NOT_STORED = "the server accepted it, but does not return what was written";

/** The error of a write to a server whose objects have no ETag. */
export const NO_VERSION =
  "the server sends no ETag, without which a write could replace another one";

/** Removes the mark of a weak ETag, which proxies add: no condition of a write matches a weak one. */
export function strongTag(etag = ""): string {
  return etag.replace(/^W\//, "");
}

const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 1_600;

/**
 * Repeats an attempt until it has a result, five times with growing pauses. Then it rejects.
 *
 * @param contradiction describes the answers of the server that led to no result
 */
export async function untilSettled<T>(
  attempt: () => Promise<T | undefined>,
  contradiction: string,
): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; pause <= LAST_PAUSE_MS; pause *= 2) {
    const result = await attempt();
    if (result !== undefined) return result;
    await world.clock.sleep(pause);
  }
  throw new StoreError(contradiction);
}

/** The error of a write that finds another state than the one that was read. */
export const CHANGED = "another program changed or removed it since it was read";

/** @param reason A sentence without its full stop. */
export function notVerified(host: string, reason: string): Diagnostic {
  const detail = `The certificate of ${host} is not verified, because ${reason}.`;
  return warning("TLS is not verified", detail);
}
