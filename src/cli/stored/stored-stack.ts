import type { StackPlan } from "../../core/documents/stack-plan";
import type { Backend } from "../../backends";
import type { PlacedStack } from "../../language";

/** The part of a backend that commands about stored states use. */
export type StoredState = Pick<
  Backend,
  "location" | "lock" | "status" | "holder" | "forceUnlock" | "read" | "write" | "beside"
>;

/** A stack and its state. */
export interface StoredStack extends Pick<StackPlan, "stack" | "workspace"> {
  readonly backend: StoredState;
  readonly configuration: unknown;
}

/** A stack and the backend of its state. */
export interface PlacedState extends StoredStack {
  readonly backend: Backend;
  readonly placed: PlacedStack;
}
