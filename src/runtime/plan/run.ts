import type { Environment } from "../../provider/definitions/provider-definition";
import type { Diagnostic } from "../../provider/diagnostics";
import { memberOf, type ObjectValue } from "../../provider/values";
import type { StackContext } from "../graph/stack-context";
import type { Connection } from "../evaluation/providers";
import { StackValues } from "../evaluation/stack-values";
import type { Observer } from "../documents/events";
import type { Evaluated } from "../expressions/evaluated";
import type { ConfigurationGraph } from "../graph/configuration";
import type { Dependencies } from "../graph/dependencies";
import type { Limit } from "../graph/limit";
import { moveObjects, type MovedState } from "../refactoring/moves";
import {
  formatAddress,
  formatResourceAddress,
  type InstanceAddress,
  type ResourceAddress,
} from "../state/address";
import {
  emptyState,
  type InstanceState,
  type OutputState,
  type ResourceState,
  type State,
} from "../state/state";
import { OpenedEphemerals } from "./opened-ephemerals";
import type { OutputChange, PlanMode, ResourceChange } from "../documents/plan";
import type { PreparedChange } from "./prepared";
import type { Selection } from "./targets";

export interface EngineOptions {
  readonly mode: PlanMode;
  /** False: the objects are taken as state has them. */
  readonly refresh: boolean;
  /** Addresses of instances that are to be replaced whether they changed or not. */
  readonly replace: ReadonlySet<string>;
  /** What data sources gave when a plan was saved, by address: they are not read again. */
  readonly recordedData: ReadonlyMap<string, ObjectValue>;
  /** How many calls to providers may be under way at once. */
  readonly parallelism: number;
  readonly environment: Environment;
  readonly observe: Observer;
  /** Aborted: what is under way is finished, nothing new is begun. */
  readonly stop: AbortSignal;
  /** Aborted: what is under way is given up. */
  readonly abort: AbortSignal;
}

/** What planning works with, over all selected stacks. */
export interface Planning {
  readonly options: EngineOptions;
  readonly limit: Limit;
  readonly configuration: ConfigurationGraph;
  readonly dependencies: Dependencies;
  readonly runs: ReadonlyMap<string, StackRun>;
  /** Undefined where all is planned. */
  readonly selection: Selection | undefined;
}

export interface PlannedOutput {
  readonly change: OutputChange;
  /** The value with its marks; undefined where the output goes. */
  readonly value: Evaluated | undefined;
}

/** One stack on its way through plan and apply. */
export class StackRun {
  readonly name: string;
  readonly values: StackValues;
  /** What the state will be: begins as it was read, and follows what is found and done. */
  state: State;
  /** By the provider's key. */
  readonly connections = new Map<string, Connection>();
  /** By the address of the resource, without instance keys. */
  readonly changes = new Map<string, PreparedChange[]>();
  readonly drift: ResourceChange[] = [];
  /** What was opened and is still needed. */
  readonly ephemerals = new OpenedEphemerals();
  readonly outputs = new Map<string, PlannedOutput>();
  readonly diagnostics: Diagnostic[] = [];
  /** By address, once moved. */
  readonly storedResources: ReadonlyMap<string, ResourceState>;
  readonly moved: MovedState;

  constructor(
    readonly context: StackContext,
    /** As it was read; undefined for a stack that was never applied. */
    readonly stored: State | undefined,
  ) {
    this.name = context.config.name;
    this.values = new StackValues(context.config, context.variables, context.providers);
    this.moved = moveObjects(stored ?? emptyState(), context.config);
    this.state = this.moved.state;
    this.storedResources = new Map(
      this.state.resources.map((resource) => [formatResourceAddress(resource), resource]),
    );
  }

  report(diagnostics: readonly Diagnostic[]): void {
    this.diagnostics.push(...diagnostics);
  }

  addChange(resource: string, change: PreparedChange): void {
    const changes = this.changes.get(resource);
    if (changes) changes.push(change);
    else this.changes.set(resource, [change]);
  }

  /** Where an instance was stored, if that is not where it belongs now. */
  previousAddress(instance: InstanceAddress): string | undefined {
    return this.moved.previous.get(formatAddress(instance));
  }

  /** What state had of a resource when it was read, at its present address. */
  instancesOf(resource: ResourceAddress): readonly InstanceState[] {
    return this.storedResources.get(formatResourceAddress(resource))?.instances ?? [];
  }

  storedOutput(name: string): OutputState | undefined {
    return this.stored && memberOf(this.stored.outputs, name);
  }
}
