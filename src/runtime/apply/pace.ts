import type { Diagnostic } from "../../core/diagnostics";
import type { ChangeCounts, StackPlan } from "../../core/documents/stack-plan";
import type { ObjectRecord, RunMark } from "../../core/documents/run-record";
import type { State } from "../../core/documents/state";

/** The result of an apply for one stack. */
export interface AppliedStack extends Pick<StackPlan, "stack" | "workspace"> {
  /** The completed changes, fewer than planned if something failed. */
  readonly counts: ChangeCounts;
  /** False if steps are left, because of an error or an interruption. */
  readonly complete: boolean;
  /** The stored state; undefined if it could not be written. */
  readonly state: State | undefined;
  /** The outputs whose values the plan has hidden. They are not printed. */
  readonly hiddenOutputs?: ReadonlySet<string> | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Decides when the stacks of an apply start, and follows them. Its functions must not throw; only
 * `record` may reject.
 */
export interface Pace {
  /** The stacks in the order of their start. Default: dependencies first, in a destroy last. */
  readonly order?: readonly string[];
  /** Returns the promise that a stack has to wait for, if any. Called once for each stack. */
  readonly admit?: (stack: string) => Promise<void> | undefined;
  /** Called right before the first step of a stack. If it returns false, the stack does not start. */
  readonly start?: (stack: string) => boolean;
  /**
   * Called before the first effect of a stack, and possibly again before later ones. Resolves when the
   * stack may write; if it resolves to false, the stack makes no change and is not started.
   */
  readonly beforeWrite?: (stack: string) => boolean | Promise<boolean>;
  /** The end of all waiting for consoles, by the steady clock. Default: only their own limits. */
  readonly waitUntil?: number;
  /** Called after the last step of a stack that `beforeWrite` has refused, in place of `ended`. */
  readonly refused?: (stack: string) => void;
  /**
   * Records changes before they are made, and their results, and resolves to the last line when all
   * are durable. If it rejects, nothing new of the stack starts.
   */
  readonly record?: (stack: string, records: readonly ObjectRecord[]) => Promise<RunMark>;
  /** Called after each step of a stack that has errors, while others of its steps may still run. */
  readonly failed?: (stack: string) => void;
  /** Called after the last step of a stack that was started, when its state is stored. */
  readonly ended?: (result: AppliedStack) => void;
}
