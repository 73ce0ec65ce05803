import type { ContentRecord } from "../definitions/content-record";
import type { Operation } from "./events";
import type { InstanceState } from "./state";

/** A line about an object in the record of a run, by which its change can be rolled back. */
export type ObjectRecord = { readonly address: string } & (
  | {
      /** An operation is about to start. */
      readonly kind: "start";
      /** Its address as states have it. */
      readonly provider: string;
      readonly action: Operation;
      /** The object that the state had when the run began; null if it had none. */
      readonly before: InstanceState | null;
    }
  | { readonly kind: "content"; readonly content: ContentRecord }
  /** The state has this object now; null: none. */
  | { readonly kind: "stored"; readonly after: InstanceState | null }
);
