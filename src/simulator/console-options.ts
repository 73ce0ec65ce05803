import type { Release } from "../api/release";
import type { SimulatedClock } from "./clock";
import type { ConsoleData } from "./console-state";
import type { Fault } from "./faults";
import type { Pages } from "./pages";

/** Options of a console. */
export interface ConsoleOptions {
  /** Default: `console`. */
  readonly name?: string | undefined;
  /** Default: 20.12. */
  readonly release?: Release | undefined;
  /** Default: the system's. */
  readonly clock?: SimulatedClock | undefined;
  /** Counted by console. Default: none. */
  readonly faults?: readonly Fault[] | undefined;
  /**
   * Makes keys, and with a fixed clock tokens, the same in every run, and selects the inventory.
   * Consoles with the same seed share one inventory.
   */
  readonly seed?: string | undefined;
  /** Answers policies in an object with `rules`, as recorded consoles do. Default: a bare array. */
  readonly policyEnvelope?: boolean | undefined;
  /** Answers the collections of policies with all their members, as consoles in the field do. */
  readonly wholeCollections?: boolean | undefined;
  /** Default: only the lists of results have pages, of 50 rows. */
  readonly pages?: Pages | undefined;
  /**
   * Stores what is written to any path, and is called once for each path that neither the
   * specification nor the catalogue describes. Default: such a path is answered 404.
   */
  readonly any?: ((path: string) => void) | undefined;
  /** Initial data. Default: as installed. */
  readonly data?: ConsoleData | undefined;
  /** Called after every change and awaited before the answer. */
  readonly save?: ((data: ConsoleData) => Promise<void>) | undefined;
}
