import type { ConsoleClient } from "../../api/client";
import type { Release } from "../../api/release";
import type { Diagnostic } from "../diagnostics";
import { diagnose } from "./diagnose";

/** What the console's resources work with: a provider configuration that is wholly known. */
export interface Console {
  readonly client: ConsoleClient;
  /** As configured. What the console runs, as far as it is known by now: `client.release`. */
  readonly release: Release | "auto";
  /** As the provider is configured; undefined where it authenticates by other means. */
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** Where relative paths of the configuration start. */
  readonly directory: string;
}

/**
 * Finds out the release where the provider is to do that by itself, for `validate` to know it;
 * gives what stands in the way. Without `retry` it asks once: a console that does not serve yet
 * must not hold up a plan.
 */
export async function learnRelease(
  { client, release }: Console,
  signal: AbortSignal,
  { retry }: { readonly retry: boolean },
): Promise<readonly Diagnostic[] | undefined> {
  if (release !== "auto") return undefined;
  if (client.release !== undefined) return [];
  try {
    if (!retry) await client.ping(signal);
    await client.resolveRelease(signal);
    return [];
  } catch (failure) {
    return [diagnose(failure)];
  }
}

const queues = new Map<string, Promise<unknown>>();

/**
 * Runs `work` when all that was asked for the same collection of the same console before is done:
 * the API replaces collections as a whole, so that two writers in one process would undo each
 * other's changes. Holds in this process only.
 */
export async function serially<T>(
  { client }: Console,
  collection: string,
  work: () => Promise<T>,
): Promise<T> {
  const key = `${client.baseUrl} ${collection}`;
  const turn = (queues.get(key) ?? Promise.resolve()).then(work, work);
  const settled = turn.catch(() => undefined);
  queues.set(key, settled);
  try {
    return await turn;
  } finally {
    if (queues.get(key) === settled) queues.delete(key);
  }
}
