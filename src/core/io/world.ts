import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { fileProblem } from "./file-problem";
import { machineFiles, type Files } from "./files";

/** A task that is done later. A process runs until it is done, unless it is let go. */
export interface Timer {
  cancel(): void;
  /** Lets the process end before: one that only waits for this timer hangs. */
  letGo(): this;
}

export interface Clock {
  /** Jumps when the machine's clock is set. */
  readonly now: () => Date;
  /** Milliseconds since 1970 by a clock that never jumps, to measure durations with. */
  readonly steady: () => number;
  /** Waits; rejects once the signal is aborted. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly after: (milliseconds: number, task: () => void) => Timer;
  readonly every: (milliseconds: number, task: () => void) => Timer;
}

export interface Randomness {
  readonly uuid: () => string;
  readonly bytes: (count: number) => Buffer;
  /** From 0 to below 1. */
  readonly fraction: () => number;
  /** From 0 to below `bound`. */
  readonly integer: (bound: number) => number;
}

export interface Processes {
  /** The number of this process. */
  readonly own: () => number;
  /** The working directory, absolute. */
  readonly folder: () => string;
  /** Reports whether a process of this number exists. */
  readonly exists: (pid: number) => boolean;
}

/** All that a run takes from its machine, but for the network. */
export interface World {
  clock: Clock;
  random: Randomness;
  files: Files;
  processes: Processes;
}

/**
 * The world of this process. All rooms take time, randomness and files from it, so that a simulation
 * can hand in another one, in which one seed decides everything.
 */
export const world: World = {
  clock: {
    now: () => new Date(),
    steady: () => performance.timeOrigin + performance.now(),
    sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal && { signal }),
    after: (milliseconds, task) => timer(setTimeout(task, milliseconds)),
    every: (milliseconds, task) => timer(setInterval(task, milliseconds)),
  },
  random: {
    uuid: () => randomUUID(),
    bytes: (count) => randomBytes(count),
    fraction: () => Math.random(),
    integer: (bound) => randomInt(bound),
  },
  files: machineFiles,
  processes: {
    own: () => process.pid,
    folder: () => process.cwd(),
    exists: (pid) => {
      try {
        return process.kill(pid, 0);
      } catch (cause) {
        return fileProblem(cause)?.code !== "ESRCH";
      }
    },
  },
};

/** Keeps a value for a process: each world that is handed in has its own. */
export function ofWorld<T extends object>(create: () => T): () => T {
  const kept = new WeakMap<Files, T>();
  return () => {
    const known = kept.get(world.files);
    if (known) return known;
    const created = create();
    kept.set(world.files, created);
    return created;
  };
}

function timer(timeout: NodeJS.Timeout): Timer {
  return {
    cancel() {
      clearTimeout(timeout);
    },
    letGo() {
      timeout.unref();
      return this;
    },
  };
}
