import type { ObjectValue } from "../../provider/values";
import type { StackEntry } from "../config/assembly";
import type { PlanDocument } from "../documents/plan-document";
import type { PlanRequest } from "../plan/request";
import type { Seal } from "./seal";

/**
 * One stack's plan with all that it takes to make the same plan again and to apply it: then the
 * stack is planned anew from this, and nothing is done unless that gives the plan that was saved.
 */
export interface SavedPlan {
  readonly stack: Pick<StackEntry, "name" | "directory" | "dependencies">;
  /** The content of cdk.tf.json. */
  readonly configuration: unknown;
  readonly request: Required<PlanRequest>;
  readonly variables: {
    /** Of all that are not ephemeral. */
    readonly settled: Readonly<Record<string, unknown>>;
    /** Of ephemeral ones: what tells whether they are the same, when they are given again. */
    readonly sealed: Readonly<Record<string, Seal>>;
  };
  readonly basis: Basis;
  /** By the address of what is changed: a digest of what its provider keeps beside the object. */
  readonly digests: Readonly<Record<string, string>>;
  /** What data sources gave, by address: they are not read again. */
  readonly data: ReadonlyMap<string, ObjectValue>;
  /** What reviewers see, in text and as JSON. */
  readonly document: PlanDocument;
}

/** The state that a plan was made from. */
export interface Basis {
  readonly lineage: string;
  readonly serial: number;
  /** Of its content; "none" for a stack that was never applied. */
  readonly sha256: string;
}
