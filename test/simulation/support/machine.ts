import type { Clock, Processes, Randomness, Timer } from "../../../src/core/io/world";
import { Dice } from "./dice";

/** A process was killed: nothing that it does has an effect any more. */
export class Killed extends Error {
  override readonly name = "Killed";
}

/** Something that happens later. */
interface Pending {
  readonly at: number;
  readonly order: number;
  readonly process: Process | undefined;
  /** The process whose code goes on. */
  readonly current: Process | undefined;
  happen(): void | Promise<void>;
  /** Its process was killed. */
  drop(): void;
}

/** The folder in which processes run. */
export const FOLDER = "/run";

/** A run without an end, which no kill has ended. */
const MOST_EVENTS = 200_000;

/**
 * The time of a world, and all that is pending in it. One thing happens at a time; the next happens
 * when no code can go on without it.
 */
export class Machine {
  /** Milliseconds. */
  time = 1_700_000_000_000;
  /** The setting of the clock that processes read, relative to the time. */
  skew = 0;
  events = 0;
  /** The events, in their order: equal runs have equal traces. */
  readonly trace: string[] = [];
  private pending: Pending[] = [];
  private order = 0;
  private nextPid = 1_000;
  readonly running = new Map<number, Process>();
  /** The process whose code runs. */
  current: Process | undefined;

  /** For what is random in the program itself. */
  readonly names = new Dice(1);

  constructor(readonly dice: Dice) {}

  note(text: string): void {
    this.trace.push(`${this.time} ${text}`);
  }

  /** Lets something happen after a while. */
  schedule(
    delay: number,
    happen: () => void | Promise<void>,
    {
      process,
      current = process,
      drop = () => undefined,
    }: { process?: Process; current?: Process; drop?: () => void } = {},
  ): () => void {
    const event = { at: this.time + delay, order: this.order++, process, current, happen, drop };
    this.pending.push(event);
    return () => {
      this.pending = this.pending.filter((one) => one !== event);
    };
  }

  start(): Process {
    const process = new Process(this, this.nextPid++);
    this.current = process;
    this.running.set(process.pid, process);
    return process;
  }

  /** Removes what a process waits for. */
  forget(process: Process): void {
    const dropped = this.pending.filter((event) => event.process === process);
    this.pending = this.pending.filter((event) => event.process !== process);
    for (const event of dropped) event.drop();
  }

  /** Lets things happen until the promise is settled. */
  async until<T>(promise: Promise<T>): Promise<T> {
    const ended = { yet: false };
    const settle = () => {
      ended.yet = true;
    };
    promise.then(settle, settle);
    await quiet();
    while (!ended.yet) {
      const next = this.take();
      if (!next) throw new Error("Nothing is pending, and the run has not ended.");
      if (this.events++ > MOST_EVENTS) throw new Error("The run does not end.");
      await this.do(next);
    }
    return promise;
  }

  /** Lets all happen that is pending. */
  async drain(): Promise<void> {
    for (let next = this.take(); next; next = this.take()) await this.do(next);
  }

  private async do(event: Pending): Promise<void> {
    this.time = Math.max(this.time, event.at);
    this.current = event.current ?? this.current;
    await event.happen();
    await quiet();
  }

  private take(): Pending | undefined {
    let first: Pending | undefined;
    for (const event of this.pending) {
      if (!first || event.at < first.at || (event.at === first.at && event.order < first.order)) {
        first = event;
      }
    }
    if (first) this.pending.splice(this.pending.indexOf(first), 1);
    return first;
  }
}

/** Resolves when no code can go on: all microtasks and ticks are done. */
function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A process of the program under test, until it ends or is killed. */
export class Process {
  alive = true;
  /** Called once, when it is killed. */
  onKill: () => void = () => undefined;

  constructor(
    readonly machine: Machine,
    readonly pid: number,
  ) {}

  /** Ends the process at once: its code may go on, without any effect. */
  kill(why: string): void {
    if (!this.alive) return;
    this.machine.note(`${this.pid} is killed: ${why}`);
    this.end();
    this.onKill();
    this.machine.forget(this);
  }

  end(): void {
    this.alive = false;
    this.machine.running.delete(this.pid);
  }

  /** Throws if the process was killed. */
  check(): void {
    if (!this.alive) throw new Killed();
  }

  /** Waits for an input or output that is done at once after a while. */
  async wait<T>(delay: number, effect: () => T | Promise<T>): Promise<T> {
    this.check();
    return new Promise<T>((resolve, reject) => {
      const happen = async () => {
        try {
          resolve(await effect());
        } catch (cause) {
          reject(cause instanceof Error ? cause : new Error(String(cause)));
        }
      };
      const drop = () => {
        reject(new Killed());
      };
      this.machine.schedule(delay, happen, { process: this, drop });
    });
  }

  get clock(): Clock {
    const { machine } = this;
    const timer = (milliseconds: number, task: () => void, repeats: boolean): Timer => {
      let cancel: () => void = () => undefined;
      const happen = () => {
        if (repeats) cancel = machine.schedule(milliseconds, happen, { process: this });
        task();
      };
      if (this.alive) cancel = machine.schedule(milliseconds, happen, { process: this });
      const made = {
        cancel: () => {
          cancel();
        },
        letGo: () => made,
      };
      return made;
    };
    return {
      now: () => new Date(machine.time + machine.skew),
      steady: () => machine.time,
      sleep: (milliseconds, signal) => this.sleep(milliseconds, signal),
      after: (milliseconds, task) => timer(milliseconds, task, false),
      every: (milliseconds, task) => timer(milliseconds, task, true),
    };
  }

  private async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.check();
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const fail = (cause: unknown) => {
        cancel();
        reject(cause instanceof Error ? cause : new Error(String(cause)));
      };
      const abort = () => {
        fail(signal?.reason);
      };
      const happen = () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      };
      const drop = () => {
        reject(new Killed());
      };
      const cancel = this.machine.schedule(milliseconds, happen, { process: this, drop });
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /** Not of the choices: names that are equal would be another program. */
  get random(): Randomness {
    const { names } = this.machine;
    const bytes = (count: number) =>
      Buffer.from(Array.from({ length: count }, () => names.below(256)));
    return {
      uuid: () => {
        const hex = bytes(16).toString("hex");
        const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`];
        return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20)].join("-");
      },
      bytes,
      fraction: () => names.below(2 ** 20) / 2 ** 20,
      integer: (bound) => names.below(bound),
    };
  }

  get processes(): Processes {
    return {
      own: () => this.pid,
      folder: () => FOLDER,
      exists: (pid) => this.machine.running.has(pid),
    };
  }
}
