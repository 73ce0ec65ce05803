import type { Diagnostic } from "../diagnostics";

/** A stack that a run leaves out. Nothing of it is shown as planned or applied. */
export interface ExcludedStack {
  readonly stack: string;
  /** The reasons, with the warnings of its plan. At least one is an error. */
  readonly diagnostics: readonly Diagnostic[];
  /** Set if what the run was given for the stack is wrong or missing: its row, or its secret. */
  readonly isInput?: true;
}
