import type { ConsoleClient } from "../../api/client";
import type { Release } from "../../api/release";
import type { CheckpointFolder } from "./checkpoint-folder";
import type { Diagnostic } from "../../core/diagnostics";
import { ofWorld } from "../../core/io/world";
import { diagnose } from "./diagnose";

/** The connection of the provider: a wholly known configuration with its client. */
export interface Console {
  readonly client: ConsoleClient;
  /** The configured release. `client.release` is the detected one, once it is known. */
  readonly release: Release | "auto";
  /** Neither the provider block nor the environment sets the release. */
  readonly assumesRelease?: boolean;
  /** The configured username; undefined with another authentication method. */
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** The directory of relative paths in the configuration. */
  readonly directory: string;
  readonly checkpoints: CheckpointFolder;
}

/**
 * Detects the release if the provider is configured to do so, and returns the errors; undefined if
 * the release is configured. Without `retry` it sends one request: a console that is not ready must
 * not delay a plan.
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

const queues = ofWorld(() => new Map<string, Promise<unknown>>());

/**
 * Runs `work` after all earlier work on the same collection of the same console: the API replaces
 * collections as a whole, so two writers would undo each other's changes. Works within one process.
 */
export async function serially<T>(
  { client }: Console,
  collection: string,
  work: () => Promise<T>,
): Promise<T> {
  const key = `${client.identity.name} ${collection}`;
  const turn = (queues().get(key) ?? Promise.resolve()).then(work, work);
  const settled = turn.catch(() => undefined);
  queues().set(key, settled);
  try {
    return await turn;
  } finally {
    if (queues().get(key) === settled) queues().delete(key);
  }
}
