import type { PrivateState } from "../../provider/private-state";
import type { ObjectValue } from "../../provider/values";
import type { StoredObject } from "../evaluation/stored-objects";
import type { Surroundings } from "../evaluation/stack-values";
import type { Conformed } from "../evaluation/conform";
import type { InstanceState } from "../state/state";
import type { Target } from "./target";
import type { ResourceChange } from "../documents/plan";

/** An object of the state as the plan found it. */
export interface PriorObject extends StoredObject {
  /** After refresh; null where it is gone. */
  readonly current: ObjectValue | null;
  /** As refresh left it. */
  readonly private: PrivateState;
  readonly tainted: boolean;
}

/** One that is still there. */
export type ExistingObject = PriorObject & { readonly current: ObjectValue };

/** A planned change, with what apply needs beside what reviewers see. */
export interface PreparedChange {
  readonly change: ResourceChange;
  /** The instance, with its provider as it was configured for the plan. */
  readonly target: Target;
  readonly surroundings: Surroundings;
  /** The block as it was evaluated for the plan, write-only values included. */
  readonly configured?: Conformed;
  readonly prior: PriorObject | undefined;
  /** What an `import` block takes into the state before anything else is done. */
  readonly imported?: InstanceState;
  readonly planned: ObjectValue | null;
  /** The resources that it depends on, as state records them. */
  readonly dependencies: readonly string[];
  readonly createBeforeDestroy: boolean;
}
