import type { RecordedWrite } from "../../core/definitions/resource-definition";
import type { ObjectValue } from "../../core/values";
import type { StoredObject } from "../evaluation/stored-objects";
import type { Surroundings } from "../evaluation/stack-values";
import type { InstanceState } from "../../core/documents/state";
import type { Conformed, MarkedObject } from "../evaluation/conform";
import type { Target } from "./target";
import type { ResourceChange } from "../../core/documents/stack-plan";

/** The evaluated block of an instance. */
export interface ConfiguredInstance extends Conformed {
  /** The block as it is planned: where it ignores changes, with the values of the prior object. */
  readonly effective: MarkedObject;
}

/** The return of an object to what it was before a recorded run. */
export interface PlannedReturn {
  /** Undefined if the console has the content already. */
  readonly write: RecordedWrite | undefined;
  /** The object in the state before the run. */
  readonly before: InstanceState | null;
}

/**
 * One instance of a resource with its planned change, and everything that apply needs. Each step adds
 * to it: found (`target`), refreshed (`prior`), configured (`configured`), decided (`change` and
 * `planned`). `apply/put.ts` and `apply/destroy.ts` apply it.
 */
export interface PlannedInstance {
  readonly change: ResourceChange;
  /** The instance, with its provider as it was configured for the plan. */
  readonly target: Target;
  readonly surroundings: Surroundings;
  /** The evaluated block of the plan, with write-only values. */
  readonly configured?: ConfiguredInstance;
  /** The object before the change, refreshed; undefined if there is none. */
  readonly prior: StoredObject | undefined;
  /** The object of an `import` block, stored before anything else is done. */
  readonly imported?: InstanceState;
  readonly planned: ObjectValue | null;
  /** Set in a rollback: what is put back. */
  readonly rollback?: PlannedReturn;
  /** The dependencies that the state records. */
  readonly dependencies: readonly string[];
  readonly createBeforeDestroy: boolean;
}
