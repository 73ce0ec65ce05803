import {
  startSimulator as start,
  type Simulator,
  type SimulatorOptions,
} from "../../src/simulator";
import { HABIT } from "../provider/support/habits";

/** Starts a simulator with the habit of the run: see `HABITS`. */
export function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { policyEnvelope, wholeCollections, pages } = HABIT.console ?? {};
  return start({ policyEnvelope, wholeCollections, pages, ...options });
}

/** Returns how many requests read a list of results: each page begins one row early. */
export function pagesOf(rows: number): number {
  const { size = 50, hasTotal = true } = HABIT.console?.pages ?? {};
  return Math.ceil((rows - 1) / (size - 1)) + (hasTotal ? 0 : 1);
}
