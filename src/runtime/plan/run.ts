import type { Environment } from "../../core/environment";
import { hasErrors, type Diagnostic } from "../../core/diagnostics";
import { typeOf } from "../../core/typed-values";
import { UNKNOWN, type Evaluated, type ObjectValue } from "../../core/values";
import { type ResourceConfig, unknownOf } from "../../language";
import { memberOf } from "../../core/member-of";
import { type Advice, MutableState } from "../../backends";
import { resourceSchema, type StackContext } from "../graph/stack-context";
import type { ProviderConnection } from "../evaluation/providers";
import { unknownObject } from "../evaluation/attributes";
import { combine } from "../evaluation/repetition";
import { StackValues } from "../evaluation/stack-values";
import type { Observer } from "../../core/documents/events";
import type { ConfigurationGraph } from "../graph/configuration";
import type { Dependencies } from "../graph/dependencies";
import type { Limit } from "../../core/io/limit";
import { followMoves, moveObjects, type MovedState } from "../refactoring/moves";
import {
  formatAddress,
  formatResourceAddress,
  type InstanceAddress,
  type ResourceAddress,
} from "../../core/documents/address";
import {
  emptyState,
  isEmptyState,
  type InstanceKey,
  type InstanceState,
  type OutputState,
  type ResourceState,
  type State,
} from "../../core/documents/state";
import { CheckResults } from "./check-results";
import { OpenedEphemerals } from "./opened-ephemerals";
import type { OutputChange, ResourceChange, StackPlan } from "../../core/documents/stack-plan";
import type { PlannedInstance } from "./planned-instance";
import type { PlanScope } from "./request";
import type { TargetSelection } from "./targets";

/** Options of plan and apply. */
export interface EngineRunOptions {
  /** Results of data sources in saved plans, by stack and address: they are not read again. */
  readonly recordedData?: ReadonlyMap<string, ReadonlyMap<string, ObjectValue>>;
  /** The time of the plan, which a saved plan has. Default: now. */
  readonly plannedAt?: Date;
  /** Concurrent calls to providers, see `PATIENCE_MS`. Default: by the number of stacks and processors, at least 10. */
  readonly parallelism?: number;
  /** Environment variables of local-exec and of providers. Default: the process's. */
  readonly environment?: Environment;
  readonly observe?: Observer;
  /** Called when the planning of a stack has begun. */
  readonly reached?: (stack: string) => void;
  /** Called when an object is planned, with the numbers of those that are and of all. */
  readonly stepped?: (done: number, total: number) => void;
  /** Called when nothing more of a stack is to be planned. */
  readonly planned?: (stack: string, failed: boolean) => void;
  /** Once aborted, running operations finish and no new ones start. */
  readonly stop?: AbortSignal;
  /** Once aborted, running operations are given up. Aborted together with `stop`. */
  readonly abort?: AbortSignal;
  /** The operation that the lock names. Default `plan`. */
  readonly operation?: string;
  /** The ID of the run that takes the locks. */
  readonly runId?: string | undefined;
  /** The attempt of a run over many machines, which takes over the locks of its earlier ones. */
  readonly attempt?: number | undefined;
  /** Take no locks, and record nothing next to a state: for runs that apply nothing. Default false. */
  readonly readOnly?: boolean;
  /** How long to wait for the lock, in milliseconds. Default 0. */
  readonly lockWaitMs?: number;
  /** Completes the commands that diagnostics about the state of a stack name. */
  readonly advice?: (stack: string) => Advice;
  /** Plan and apply nothing if one of the stacks fails. Default false: it is excluded. */
  readonly failFast?: boolean;
  /** Destroy stacks although others that are not selected depend on them. Default false. */
  readonly ignoreMissingStackDependencies?: boolean;
  /** Returns errors that exclude a stack which was planned. */
  readonly judge?: (plan: StackPlan) => Promise<readonly Diagnostic[]>;
}

/**
 * An operation that takes longer does not count for `parallelism`: it waits for a console that boots,
 * scans or does not answer, and those of other tenants go on.
 */
export const PATIENCE_MS = 10_000;

/** Options that are used before stacks are planned, or after. */
type UsedBefore =
  | "operation"
  | "readOnly"
  | "runId"
  | "attempt"
  | "lockWaitMs"
  | "advice"
  | "failFast"
  | "ignoreMissingStackDependencies"
  | "judge";

/** The options of a run with their defaults. */
export type EngineOptions = Required<Omit<PlanScope, "targets">> &
  Required<Omit<EngineRunOptions, UsedBefore>> & {
    /** The severity of conditions that fail. */
    readonly conditions: Diagnostic["severity"];
  };

/** The planning of all selected stacks. */
export interface Planning {
  readonly options: EngineOptions;
  readonly limit: Limit;
  readonly configuration: ConfigurationGraph;
  readonly dependencies: Dependencies;
  readonly runs: ReadonlyMap<string, StackRun>;
  /** All stacks whose states were read, also those that are excluded: a destroy reads their outputs. */
  readonly read: ReadonlyMap<string, StackRun>;
  /** Undefined without targets. */
  readonly selection: TargetSelection | undefined;
}

export interface PlannedOutput {
  readonly change: OutputChange;
  /** The value with its marks; undefined if the output is removed. */
  readonly value: Evaluated | undefined;
}

/** A stack during plan and apply. */
export class StackRun {
  readonly name: string;
  readonly values: StackValues;
  /** True if an earlier plan has read the objects. */
  readonly isRefreshed: boolean;
  /** The state with all objects at their present addresses. */
  readonly moved: MovedState;
  /** The state to write: the state as it was read, with all later changes. */
  readonly state: MutableState;
  /** By the provider's key. */
  readonly connections = new Map<string, ProviderConnection>();
  /** By the address of the resource, without instance keys. */
  readonly changes = new Map<string, PlannedInstance[]>();
  readonly drift: ResourceChange[] = [];
  readonly ephemerals = new OpenedEphemerals();
  readonly outputs = new Map<string, PlannedOutput>();
  readonly diagnostics: Diagnostic[] = [];
  /** True if the plan records other dependencies, lifecycles or providers of objects in the state. */
  recordsConfiguration = false;
  private results: CheckResults;
  private failed = false;
  /** The stored resources by their present address. */
  readonly storedResources: ReadonlyMap<string, ResourceState>;
  /** Adds the present addresses of the dependencies that the state recorded. */
  readonly present: ReturnType<typeof followMoves>;
  /** The values of the instances that exist, by the address of their resource. */
  private readonly instances = new Map<
    string,
    ReadonlyMap<InstanceKey | undefined, Evaluated | undefined>
  >();

  constructor(
    readonly context: StackContext,
    /** The state that was read; undefined for a stack that was never applied. */
    readonly stored: State | undefined,
    private readonly plannedAt: Date,
    /** The objects as an earlier plan has read them. */
    refreshed?: MovedState,
  ) {
    this.isRefreshed = refreshed !== undefined;
    this.moved =
      refreshed ?? moveObjects(stored ?? emptyState(), context.config, context.providers);
    this.name = context.config.name;
    this.results = CheckResults.of(context.config);
    this.values = new StackValues(context.config, context.variables, context.providers, plannedAt);
    this.report(this.moved.diagnostics);
    this.state = new MutableState(this.moved.state);
    this.present = followMoves(this.moved);
    this.storedResources = new Map(
      this.moved.state.resources.map((resource) => [formatResourceAddress(resource), resource]),
    );
  }

  /** Begins the run again, as if nothing was planned. */
  again(): StackRun {
    return new StackRun(this.context, this.stored, this.plannedAt);
  }

  /** Continues with the objects and outputs as an earlier plan of the same stack has found them. */
  refreshedBy({ state, drift }: StackRun): StackRun {
    const moved = { ...this.moved, state: state.current() };
    const run = new StackRun(this.context, this.stored, this.plannedAt, moved);
    run.drift.push(...drift);
    return run;
  }

  /** Begins the apply: conditions are evaluated again. */
  startApply(): void {
    this.values.startApply();
    this.results = this.results.restarted();
  }

  /** Results of conditions: of the plan, then of the apply. */
  get checks(): CheckResults {
    return this.results;
  }

  /** Forgets the results of conditions. */
  clearChecks(): void {
    this.results = CheckResults.of(this.context.config);
  }

  /** True if it has no state, or one without objects and outputs. A destroy has nothing to do. */
  get isEmpty(): boolean {
    return this.stored === undefined || isEmptyState(this.stored);
  }

  get hasErrors(): boolean {
    return this.failed;
  }

  report(diagnostics: readonly Diagnostic[]): void {
    this.diagnostics.push(...diagnostics);
    this.failed ||= hasErrors(diagnostics);
  }

  /**
   * Sets the values of instances, and with them the value of references to their resource. Other
   * instances of the resource keep theirs.
   */
  setInstances(
    config: ResourceConfig,
    values: Iterable<readonly [InstanceKey | undefined, Evaluated | undefined]>,
  ): void {
    const { address } = config;
    const instances = new Map([...(this.instances.get(address) ?? []), ...values]);
    this.instances.set(address, instances);
    const unknown = () => {
      const selected = resourceSchema(this.context, config);
      return "problem" in selected
        ? UNKNOWN
        : unknownOf(typeOf(unknownObject(selected.attributes)));
    };
    this.values.set(address, combine(config, instances, unknown));
  }

  addChange(resource: string, change: PlannedInstance): void {
    const changes = this.changes.get(resource);
    if (changes) changes.push(change);
    else this.changes.set(resource, [change]);
  }

  /** Returns the previous address of a moved instance. */
  previousAddress(instance: InstanceAddress): string | undefined {
    return this.moved.previous.get(formatAddress(instance));
  }

  /** Returns the stored instances of a resource, at its present address. */
  instancesOf(resource: ResourceAddress): readonly InstanceState[] {
    return this.storedResources.get(formatResourceAddress(resource))?.instances ?? [];
  }

  /** Returns the current object of an instance as it was stored, at its present address. */
  storedInstance(address: InstanceAddress): InstanceState | undefined {
    return this.instancesOf(address).find(
      ({ indexKey, deposed }) => deposed === undefined && indexKey === address.key,
    );
  }

  storedOutput(name: string): OutputState | undefined {
    return this.stored && memberOf(this.stored.outputs, name);
  }
}
