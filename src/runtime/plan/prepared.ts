import type { PrivateState } from "../../core/private-state";
import type { ObjectValue } from "../../core/values";
import type { StoredObject } from "../evaluation/stored-objects";
import type { Surroundings } from "../evaluation/stack-values";
import type { Conformed } from "../evaluation/conform";
import type { InstanceState } from "../../core/documents/state";
import type { Target } from "./target";
import type { ResourceChange } from "../../core/documents/stack-plan";

/** A stored object, as the plan has refreshed it. */
export interface PriorObject extends StoredObject {
  /** The refreshed object; null if it no longer exists. */
  readonly current: ObjectValue | null;
  /** The refreshed private state. */
  readonly private: PrivateState;
  readonly tainted: boolean;
}

/** A prior object that exists. */
export type ExistingObject = PriorObject & { readonly current: ObjectValue };

/** A planned change with everything that apply needs. */
export interface PreparedChange {
  readonly change: ResourceChange;
  /** The instance, with its provider as it was configured for the plan. */
  readonly target: Target;
  readonly surroundings: Surroundings;
  /** The evaluated block of the plan, with write-only values. */
  readonly configured?: Conformed;
  readonly prior: PriorObject | undefined;
  /** The object of an `import` block, stored before anything else is done. */
  readonly imported?: InstanceState;
  readonly planned: ObjectValue | null;
  /** The dependencies that the state records. */
  readonly dependencies: readonly string[];
  readonly createBeforeDestroy: boolean;
}
