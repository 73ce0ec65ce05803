import { world } from "../core/io/world";

/** Clock of the simulated console, for tokens, `modified` timestamps and scans. */
export interface SimulatedClock {
  now(): Date;
}

/** The clock of this machine. */
export const systemClock: SimulatedClock = { now: () => world.clock.now() };

/** A clock that only moves when it is advanced. */
export class ManualClock implements SimulatedClock {
  #milliseconds: number;

  constructor(start: Date | string = "2021-01-01T00:00:00Z") {
    this.#milliseconds = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.#milliseconds);
  }

  /** Moves the clock forward. */
  advance({ hours = 0, minutes = 0, seconds = 0 }: Partial<Record<Unit, number>>): void {
    this.#milliseconds += ((hours * 60 + minutes) * 60 + seconds) * 1000;
  }
}

type Unit = "hours" | "minutes" | "seconds";
