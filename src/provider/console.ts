import type { ConsoleClient } from "../api/client";
import type { Release } from "../api/release";

/** What the console's resources work with: a provider configuration that is wholly known. */
export interface Console {
  readonly client: ConsoleClient;
  readonly release: Release;
  /** As the provider is configured; undefined where it authenticates by other means. */
  readonly username: string | undefined;
  readonly password: string | undefined;
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
