import type { ContentRecord, RecordedContent } from "../definitions/content-record";
import type { ActionStep } from "./events";
import type { InstanceState } from "./state";

/** A line about an object in the record of a run, by which its change can be rolled back. */
export type ObjectRecord = { readonly address: string } & (
  | {
      /** An operation is about to start. */
      readonly kind: "start";
      /** Its address as states have it. */
      readonly provider: string;
      readonly action: ActionStep;
      /** The object that the state had when the run began; null if it had none. */
      readonly before: InstanceState | null;
    }
  | { readonly kind: "content"; readonly content: ContentRecord }
  /** The state gets this object, unless the run is killed first; null: none. */
  | { readonly kind: "stored"; readonly after: InstanceState | null }
);

/** The summary of the warning about changes that a rollback does not undo. */
export const NOT_ROLLED_BACK = "Changes that are not rolled back";

/** The last line that a run wrote about a stack: its number from 1, and its digest in hex. */
export interface RunMark {
  /** The ID of the record. */
  readonly run: string;
  readonly line: number;
  readonly sha256: string;
}

/** The proof of the lines of a record: the digest of each line covers those before it. */
export interface RecordProof {
  /** The ID of the record. */
  readonly run: string;
  /** The name of its file, for errors. */
  readonly file: string;
  /** The digests of the lines that are as they were written, in their order. */
  readonly digests: readonly string[];
  /** The number of the first line that is not as it was written. */
  readonly damagedAt?: number;
}

/** Identifies a version of a state, without its content. */
export interface StateMark {
  readonly lineage: string;
  readonly serial: number;
  /** The digest of the resources, in hex. */
  readonly sha256: string;
}

/** The changes that a run made to a stack. */
export interface RecordedStack {
  /** Undefined for records of earlier versions, which have no digests. */
  readonly proof?: RecordProof;
  /** The state before the run. */
  readonly before: StateMark | undefined;
  /** The state after it; undefined if the run was killed before it stored one. */
  readonly after: StateMark | undefined;
  /** The last one that was changed first. */
  readonly objects: readonly RecordedObject[];
}

export interface RecordedObject {
  readonly address: string;
  /** Its address as states have it. */
  readonly provider: string;
  /** The operations that were begun, in their order. */
  readonly actions: readonly ActionStep[];
  readonly before: InstanceState | null;
  /**
   * The objects that were stored, the last one last. A run that was killed may have left the state with
   * an earlier one, or with `before`.
   */
  readonly stored: readonly (InstanceState | null)[];
  /** False if the last operation has stored nothing: the state may have what it, or a read, has found. */
  readonly isComplete: boolean;
  /** The content that the run replaced, if it did. */
  readonly content: RecordedContent | "unchanged" | "hidden";
}
