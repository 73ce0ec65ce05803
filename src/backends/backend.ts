import type { Diagnostic } from "../core/diagnostics";
import type { HoldingRun } from "./run-info";
import type { TextStore } from "./state-store";
import type { RunMark } from "../core/documents/run-record";
import type { InstanceState, OutputState, State } from "../core/documents/state";

/**
 * Keeps the state of one stack. A run that changes something calls `lock`, `read`, `journal`, any
 * number of appends, `write`, `release`, in this order. A run that only reads may call `read` alone.
 *
 * Errors of users and disks are diagnostics. The exception is a journal's `append`: it rejects, so
 * that no caller can ignore it.
 */
export interface Backend {
  /** The path of the state file, to be displayed. */
  readonly location: string;
  /** Locks out other runs of the executor. Without a lock, the diagnostics have the reason. */
  lock(request: LockRequest): Promise<{ lock?: Lock; diagnostics: readonly Diagnostic[] }>;
  /** Describes the stored state without reading it. Changes nothing. */
  status(): Promise<BackendStatus>;
  /** Finds the run that holds the lock; undefined if there is none, or if it is not known. */
  holder(): Promise<LockHolder | undefined>;
  /** Removes the lock with this ID, regardless of its holder. */
  forceUnlock(id: string): Promise<readonly Diagnostic[]>;
  /** Reads the state with the journal of an unfinished run folded into it. */
  read(): Promise<StateSnapshot>;
  /** Opens the journal, or continues that of an unfinished run. After `read`. */
  journal(): Promise<{ journal?: Journal; diagnostics: readonly Diagnostic[] }>;
  /**
   * Stores the state and removes the journal. The serial is increased if the content changed.
   * Lineage and serial come from what was read, if there was a state, not from `state`. After `read`; may be called again.
   * Returns the stored state; without it, the diagnostics have the error and the location of the data.
   */
  write(state: State): Promise<{ state?: State; diagnostics: readonly Diagnostic[] }>;
  /** Stores a state as it is, with lineage and serial, where `read` has found none. */
  copy(state: State): Promise<readonly Diagnostic[]>;
  /**
   * Moves the state that was read out of the way, to NAME.moved-SERIAL: next to it, else to the
   * working directory. Returns its new place. After `read`, and only if there is no journal.
   *
   * @param name The name of the file in the working directory.
   */
  retire(name: string): Promise<{ kept?: string; diagnostics: readonly Diagnostic[] }>;
  /** Returns the store of another text next to the state; absent where only this machine has it. */
  beside?(name: string): TextStore;
}

export interface StateSnapshot {
  /** Undefined for a stack that was never applied, and if the diagnostics have an error. */
  readonly state: State | undefined;
  /** Actions that an unfinished run started and did not finish. Their result is unknown. */
  readonly interrupted: readonly InterruptedOperation[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface InterruptedOperation {
  readonly address: string;
  readonly action: string;
}

export interface LockRequest {
  /** `apply`, `plan`, `state rm`: shown to runs that find the lock. */
  readonly operation: string;
  /** Version of this program. */
  readonly version?: string;
  /** The ID of the lock. Default: a new one. */
  readonly id?: string;
  /** The ID of the run of many stacks that takes the lock. */
  readonly run?: string | undefined;
  /** Counts the attempts of a run over many machines. It takes over the locks of its earlier ones. */
  readonly attempt?: number | undefined;
  /** How long to wait for another run to end, in milliseconds. Default 0. */
  readonly waitMs?: number;
  /** The run writes nothing: it needs no lock where none can be created. Default false. */
  readonly readOnly?: boolean;
  /** Terraform runs under this lock and manages its own lock. */
  readonly forTerraform?: boolean;
}

export interface BackendStatus {
  /** Time of the last write; absent without a state. */
  readonly writtenAt?: Date;
  /** The run of this program or of Terraform that holds the lock. */
  readonly lock?: LockHolder;
}

/** The run that holds a lock. The members are those of Terraform's locks. */
export interface LockHolder {
  readonly id: string;
  readonly operation: string;
  readonly who: string;
  /** ISO 8601 */
  readonly created: string;
  /** The run of many stacks that took the lock, if it did. */
  readonly run?: HoldingRun;
}

export interface Lock {
  readonly id: string;
  release(): Promise<readonly Diagnostic[]>;
}

/** A record of a running apply; durable when the promise of `append` resolves. */
export type JournalRecord =
  /** An action is about to start. Recorded before the call. */
  | { readonly kind: "intent"; readonly address: string; readonly action: string }
  /**
   * The object at the address (null: none). `checkpoint` marks a record that a provider makes
   * during an action: it does not end the intent.
   */
  | {
      readonly kind: "instance";
      readonly address: string;
      /** Set for an object that was replaced and is not destroyed yet. */
      readonly deposed?: string | undefined;
      readonly provider: string;
      readonly instance: InstanceState | null;
      readonly checkpoint?: boolean | undefined;
    }
  /** The last line about this stack in the record of the run. */
  | ({ readonly kind: "mark" } & RunMark)
  | { readonly kind: "output"; readonly name: string; readonly output: OutputState | null };

export interface Journal {
  readonly path: string;
  /**
   * Records at once: the record survives the death of this process. It survives a failure of the
   * machine only when a later record was appended. Throws a `JournalError`.
   */
  note(record: JournalRecord): void;
  /**
   * Resolves when the record is on the disk; waiting appends share one fsync. Rejects with a
   * `JournalError` if that fails, and always from then on.
   */
  append(record: JournalRecord): Promise<void>;
  close(): Promise<void>;
}
