import type { Diagnostic } from "../diagnostics";
import type { PrivateState } from "../private-state";

export interface OperationContext<C> {
  readonly connection: C;
  readonly signal: AbortSignal;
  /** One line on what is being waited for, shown while the operation lasts. */
  readonly progress: (message: string) => void;
}

export interface ApplyContext<C, State> extends OperationContext<C> {
  /**
   * Makes `state` and `private` durable before the first write to the console, so that a kill in
   * the middle leaves what the next run needs. Under Terraform, which has no such thing, it does
   * nothing.
   */
  readonly checkpoint: (reached: Reached<State>) => Promise<void>;
}

/** The object as it is now. */
export interface Reached<State> {
  readonly state: State;
  readonly private?: PrivateState;
}

/** `state` is null where the object is gone. With error diagnostics: what was reached before. */
export interface Outcome<State> {
  readonly state: State | null;
  readonly private?: PrivateState;
  readonly diagnostics?: readonly Diagnostic[];
}
