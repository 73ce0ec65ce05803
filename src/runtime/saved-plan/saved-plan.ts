import type { ObjectValue } from "../../provider/values";
import type { StackEntry } from "../config/assembly";
import type { PlanDocument } from "../documents/plan-document";
import type { PlanRequest } from "../plan/request";
import type { Seal } from "./seal";

/**
 * The plan of one stack with everything that is needed to plan it again. It is applied only if the
 * new plan is the saved one.
 */
export interface SavedPlan {
  readonly stack: Pick<StackEntry, "name" | "directory" | "dependencies">;
  /** The content of cdk.tf.json. */
  readonly configuration: unknown;
  readonly request: Required<PlanRequest>;
  readonly variables: {
    /** The values of variables that are not ephemeral. */
    readonly settled: Readonly<Record<string, unknown>>;
    /** Seals of ephemeral variables, to compare them when they are given again. */
    readonly sealed: Readonly<Record<string, Seal>>;
  };
  readonly basis: Basis;
  /** Digests of the private state of changed objects, by address. */
  readonly digests: Readonly<Record<string, string>>;
  /** The results of data sources, by address: they are not read again. */
  readonly data: ReadonlyMap<string, ObjectValue>;
  /** The plan document that was reviewed. */
  readonly document: PlanDocument;
}

/** The state that a plan was made from. */
export interface Basis {
  readonly lineage: string;
  readonly serial: number;
  /** The digest of the state; "none" for a stack that was never applied. */
  readonly sha256: string;
}
