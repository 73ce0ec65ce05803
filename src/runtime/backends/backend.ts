import type { Diagnostic } from "../../provider/diagnostics";
import type { InstanceState, OutputState, State } from "../state/state";

/**
 * Where the state of one stack is kept. The order of a run that changes something is: `lock`,
 * `read`, `journal`, any number of appends, `write`, `release`. A run that only looks may leave
 * out all but `read`.
 *
 * Nothing here throws for what a user or a disk does: it is told in diagnostics. The one exception
 * is a journal's `append`, which rejects, so that no caller can pass over it.
 */
export interface Backend {
  /** For people: the path of the state file. */
  readonly location: string;
  /** Excludes other runs of the executor. Without a lock in the answer, the diagnostics say why. */
  lock(request: LockRequest): Promise<{ lock?: Lock; diagnostics: readonly Diagnostic[] }>;
  /** Removes the lock with this ID, whoever holds it. */
  forceUnlock(id: string): Promise<readonly Diagnostic[]>;
  /** The state, and what a run that did not finish left in the journal folded into it. */
  read(): Promise<StateSnapshot>;
  /** Opens the journal, or goes on with the one that an unfinished run left. After `read`. */
  journal(): Promise<{ journal?: Journal; diagnostics: readonly Diagnostic[] }>;
  /**
   * Stores the state, one serial on if its content changed, and removes the journal. Lineage and
   * serial come from what was read, not from `state`. After `read`; may be called again. Answers
   * what was stored; without it, the diagnostics say what failed and where everything is.
   */
  write(state: State): Promise<{ state?: State; diagnostics: readonly Diagnostic[] }>;
}

export interface StateSnapshot {
  /** Undefined for a stack that was never applied, and where the diagnostics hold an error. */
  readonly state: State | undefined;
  /** What an unfinished run had begun, and did not see end. It may have happened or not. */
  readonly interrupted: readonly Interruption[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface Interruption {
  readonly address: string;
  readonly action: string;
}

export interface LockRequest {
  /** `apply`, `plan`, `state rm`: shown to whom the lock keeps out. */
  readonly operation: string;
  /** Version of this program. */
  readonly version?: string;
  /** How long to wait for another run to end, in milliseconds. Default 0. */
  readonly waitMs?: number;
  /** Terraform is to run under this lock: its own, or what a killed one left, is its own affair. */
  readonly forTerraform?: boolean;
}

export interface Lock {
  readonly id: string;
  release(): Promise<readonly Diagnostic[]>;
}

/** What is recorded while an apply runs: by `append`, durable once its promise resolves. */
export type JournalRecord =
  /** Something is about to be done. Goes before the call. */
  | { readonly kind: "intent"; readonly address: string; readonly action: string }
  /**
   * What the address holds now (null: nothing). `checkpoint` marks one that a provider makes in
   * the middle of an action: it does not end the intent.
   */
  | {
      readonly kind: "instance";
      readonly address: string;
      /** Set for an object that was replaced and is still to be destroyed. */
      readonly deposed?: string | undefined;
      readonly provider: string;
      readonly instance: InstanceState | null;
      readonly checkpoint?: boolean | undefined;
    }
  | { readonly kind: "output"; readonly name: string; readonly output: OutputState | null };

export interface Journal {
  readonly path: string;
  /**
   * Records at once, so that a kill of this process at any moment leaves the record; a failure of
   * the machine may not, until something is appended behind it. Throws a `JournalError`.
   */
  note(record: JournalRecord): void;
  /**
   * Resolves when the record is on the disk; many waiting appends share one fsync. Rejects with a
   * `JournalError` when it could not be put there, and from then on always.
   */
  append(record: JournalRecord): Promise<void>;
  close(): Promise<void>;
}
