import type { Diagnostic } from "../diagnostics";
import type { PrivateState } from "../private-state";

export interface OperationContext<C> {
  readonly connection: C;
  readonly signal: AbortSignal;
  /** Shows one line about the current wait during the operation. */
  readonly progress: (message: string) => void;
}

export interface ApplyContext<C, State> extends OperationContext<C> {
  /**
   * Saves `state` and `private` before the first write to the console, so that the next run can
   * continue after a kill. Does nothing under Terraform, which cannot save during an apply.
   */
  readonly checkpoint: (reached: Reached<State>) => Promise<void>;
}

/** The current object. */
export interface Reached<State> {
  readonly state: State;
  readonly private?: PrivateState;
}

/** `state` is null if the object is gone. With errors, it is the state before the error. */
export interface Outcome<State> {
  readonly state: State | null;
  readonly private?: PrivateState;
  readonly diagnostics?: readonly Diagnostic[];
}
