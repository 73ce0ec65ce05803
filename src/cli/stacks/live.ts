import { ConsoleError } from "../../api/errors";
import type { ConsoleClient } from "../../api/client";
import { withNote } from "../../core/notes";
import { Limit } from "../../core/io/limit";
import { LiveTally, type RunningContainer } from "../../protection/live";
import { runningContainers } from "../../provider/console/running-containers";
import { LIVE, type LiveReading } from "../../review/protection/live-reading";
import {
  plannedPolicies,
  POLICIES,
  reviewProtection,
  type PlannedPolicies,
} from "../../review/protection/review-protection";
import type { StackPlan } from "../../runtime";

/** Consoles that are read at the same time. */
const MOST_CONSOLES = 10;

const NOT_READABLE = "the console cannot be read yet.";
const NOT_KNOWN = "the plan does not have the address of the console.";

/**
 * Adds to plans that change container policies what runs on their consoles, and what changes for it.
 *
 * Throws only if it is interrupted.
 *
 * @param clientOf The client of the console at this address; undefined if there is none.
 */
export async function withLive(
  plans: readonly StackPlan[],
  clientOf: (address: string | undefined) => ConsoleClient | undefined,
  signal: AbortSignal,
): Promise<readonly StackPlan[]> {
  const limit = new Limit(MOST_CONSOLES);
  const complete = async (plan: StackPlan): Promise<StackPlan> => {
    const live = new Map<object, LiveReading>();
    for (const changed of plannedPolicies(plan, "changed")) {
      const { change, before, after, collection } = changed;
      if (collection !== POLICIES) continue;
      const { regions = [] } = reviewProtection(plan).get(change) ?? {};
      const tally = new LiveTally(before, after, regions);
      live.set(change, await readLive(changed, tally, clientOf(change.endpoint), signal));
    }
    if (live.size === 0) return plan;
    const changes = plan.changes.map((change) => {
      const found = live.get(change);
      return found ? withNote(change, LIVE, found) : change;
    });
    return { ...plan, changes };
  };
  return Promise.all(plans.map((plan) => limit.run(() => complete(plan))));
}

async function readLive(
  { change, isRead }: PlannedPolicies,
  tally: LiveTally,
  client: ConsoleClient | undefined,
  signal: AbortSignal,
): Promise<LiveReading> {
  const reading = await readContainers(
    { client, address: change.endpoint, isRead },
    (container) => {
      tally.add(container);
    },
    signal,
  );
  return reading.read.length > 0 ? { ...reading, counts: tally.counts() } : reading;
}

/** A console whose containers are read. */
export interface LiveSource {
  /** Undefined if there is no connection to it. */
  readonly client: ConsoleClient | undefined;
  readonly address: string | undefined;
  /** Its policies were read before: a console that is not ready must not delay the plan. */
  readonly isRead: boolean;
}

/** Reads the containers of a console once. Throws only if it is interrupted. */
export async function readContainers(
  { client, address, isRead }: LiveSource,
  take: (container: RunningContainer) => void,
  signal: AbortSignal,
): Promise<Pick<LiveReading, "read" | "unread">> {
  const console = client?.address ?? address ?? null;
  const unread = (reason: string) => ({ read: [], unread: [{ console, reason }] });
  if (!client) return unread(NOT_KNOWN);
  if (!isRead) return unread(NOT_READABLE);
  try {
    for await (const container of runningContainers(client, signal)) take(container);
    return { read: [{ console: client.address, at: new Date() }], unread: [] };
  } catch (failure) {
    if (!(failure instanceof ConsoleError) || signal.aborted) throw failure;
    return unread(failure.message);
  }
}
