import { key } from "../../core/notes";
import { sumLive, type LiveCounts } from "../../protection/live-counts";

/** The running containers of one console, or of those of several stacks, and what changes for them. */
export interface LiveReading {
  readonly read: readonly LiveConsole[];
  readonly unread: readonly UnreadConsole[];
  /** Absent if no console was read. */
  readonly counts?: LiveCounts;
}

interface LiveConsole {
  readonly console: string;
  /** The time at which the last container was read. */
  readonly at: Date;
}

interface UnreadConsole {
  /** Null if it is not known. */
  readonly console: string | null;
  readonly reason: string;
}

/** The containers on the console of the policies of a change, if they were read for the review. */
export const LIVE = key<LiveReading>("live");

/** Sums the readings of stacks that change alike. */
export function sumReadings(all: readonly LiveReading[]): LiveReading {
  const [first, ...others] = all.flatMap(({ counts }) => counts ?? []);
  return {
    read: all.flatMap(({ read }) => read),
    unread: all.flatMap(({ unread }) => unread),
    ...(first && { counts: sumLive([first, ...others]) }),
  };
}
