import { world } from "./io/world";
import type { DataSource } from "./definitions/data-source-definition";
import type { Environment } from "./environment";
import { Definitions } from "./definitions/definitions";
import type { Configured, ProviderDefinition } from "./definitions/provider-definition";
import { diagnoseFailure } from "./definitions/failure";
import type {
  KeptObject,
  PlannedRollback,
  RecordedWrite,
  Resource,
} from "./definitions/resource-definition";
import { error, hasErrors, warning, type Diagnostic } from "./diagnostics";
import type { Log } from "./io/log";
import { Actions } from "./operations/action-operations";
import { applyResource, writeContext } from "./operations/apply-resource";
import { EphemeralResources } from "./operations/ephemeral-operations";
import { Functions } from "./operations/function-operations";
import { planResource } from "./operations/plan-resource";
import {
  type ApplyRequest,
  type CallContext,
  type PlannedObject,
  type PlanRequest,
  type OperationResult,
  type ReadRequest,
  type RawState,
  contextOf,
  NOTHING_READ,
  refused,
  runOperation,
} from "./operations/run-operation";
import { moveState, upgradeState } from "./operations/stored-state";
import { validateBlock, validateAttributes } from "./schema/validate-attributes";
import type { PrivateState } from "./private-state";
import type { Attributes } from "./schema/attribute";
import type { ObjectValue } from "./values";

/**
 * Runs the definitions of a provider for both engines. The operations never throw: errors are
 * diagnostics, and the result holds what was reached.
 *
 * Configurations are complete: they have every attribute of the schema, null if it is not set,
 * converted to its type, sets canonical. So are states, which `upgradeState` reads.
 */
export class Provider<C> {
  private readonly resources: Definitions<Resource<C>>;
  private readonly dataSources: Definitions<DataSource<C>>;
  readonly ephemeralResources: EphemeralResources<C>;
  readonly functions: Functions;
  readonly actions: Actions<C>;

  constructor(readonly definition: ProviderDefinition<C>) {
    const { name, resources, dataSources, ephemeralResources, functions, actions } = definition;
    this.resources = new Definitions(`resource of ${name}`, resources);
    this.dataSources = new Definitions(`data source of ${name}`, dataSources);
    this.ephemeralResources = new EphemeralResources(name, ephemeralResources, definition.diagnose);
    this.functions = new Functions(functions);
    this.actions = new Actions(name, actions, definition.diagnose);
  }

  resourceAttributes(type: string): { version: number; attributes: Attributes } | undefined {
    return this.resources.find(type);
  }

  dataSourceAttributes(type: string): Attributes | undefined {
    return this.dataSources.find(type)?.attributes;
  }

  validateConfiguration(config: ObjectValue): readonly Diagnostic[] {
    return validateAttributes(this.definition.configuration, config);
  }

  /**
   * Validates a configuration and makes the connection of it. Relative paths start at `directory`,
   * which is Terraform's working directory when Terraform runs.
   */
  async configure(
    config: ObjectValue,
    environment: Environment,
    log: Log = () => undefined,
    directory = world.processes.folder(),
  ): Promise<Configured<C>> {
    const invalid = this.validateConfiguration(config);
    if (hasErrors(invalid)) return { connection: undefined, diagnostics: invalid };
    return this.definition.configure(config, environment, log, directory);
  }

  async close(connection: C): Promise<void> {
    await this.definition.close(connection);
  }

  /** With a connection, also validates what depends on it, such as the release. */
  validateResource(type: string, config: ObjectValue, connection?: C): readonly Diagnostic[] {
    return validateBlock(this.resources.get(type), config, connection);
  }

  validateDataSource(type: string, config: ObjectValue, connection?: C): readonly Diagnostic[] {
    return validateBlock(this.dataSources.get(type), config, connection);
  }

  /** Reads an object of a state file, of this version of its schema or of an older one. */
  upgradeState(type: string, stored: RawState): OperationResult {
    return upgradeState(this.resources.get(type), stored);
  }

  /** Reads the state of an object that moves to `type` from another resource. */
  moveState(
    source: { readonly provider: string; readonly type: string },
    type: string,
    stored: RawState,
  ): OperationResult {
    const { name } = this.definition;
    return moveState(source, { provider: name, resource: this.resources.get(type) }, stored);
  }

  /** `state` is null in the result if the object was deleted. */
  async read(type: string, request: ReadRequest<C>): Promise<OperationResult> {
    const resource = this.resources.get(type);
    const { connection, state, private: privateState } = request;
    if (connection === undefined) {
      const skipped = warning("Not refreshed", `${this.unknown} The state stays as it is.`);
      return { state, private: privateState, diagnostics: [skipped] };
    }
    const refusal = resource.refuse?.(state, privateState, connection);
    if (refusal) return refused(refusal, state, privateState);
    return runOperation(
      { state, private: privateState },
      () => resource.read(state, privateState, contextOf(request, connection)),
      this.definition.diagnose,
    );
  }

  /** See `ResourceDefinition.refuse`. */
  refusal(type: string, object: ObjectValue, connection: C | undefined): Diagnostic | undefined {
    return connection && this.resources.find(type)?.refuse?.(object, {}, connection);
  }

  plan(type: string, request: PlanRequest<C>): Promise<PlannedObject> {
    return planResource(this.resources.get(type), request, this.definition.diagnose);
  }

  async apply(type: string, request: ApplyRequest<C>): Promise<OperationResult> {
    const resource = this.resources.get(type);
    const { connection, prior } = request;
    if (connection !== undefined)
      return applyResource(resource, connection, request, this.definition.diagnose);
    return refused(error("Provider is not configured", this.unknown), prior, request.private);
  }

  async import(type: string, id: string, request: CallContext<C>): Promise<OperationResult> {
    const resource = this.resources.get(type);
    const { connection } = request;
    const importer = resource.import?.bind(resource);
    if (!importer) {
      const instead = resource.insteadOfImport ?? "An apply creates it.";
      return refused(
        error("Resource does not support import", `${type} cannot be imported. ${instead}`),
      );
    }
    if (connection === undefined) {
      return refused(
        error("Provider is not configured", `${this.unknown} An import reads from the console.`),
      );
    }
    return runOperation(
      NOTHING_READ,
      () => importer(id, contextOf(request, connection)),
      this.definition.diagnose,
    );
  }

  /** Reports whether a rollback puts back what objects of the type replaced. */
  rollsBack(type: string): boolean {
    return this.resources.find(type)?.rollback !== undefined;
  }

  /** Compares what a run has written with the console. See `Rollback.plan`. */
  async planRollback(
    type: string,
    writes: readonly RecordedWrite[],
    request: CallContext<C>,
  ): Promise<readonly PlannedRollback[]> {
    const resource = this.resources.get(type);
    const { rollback } = resource;
    const { connection } = request;
    if (!rollback) throw new Error(`${type} cannot be rolled back`);
    if (connection === undefined) {
      const advice = "A rollback reads from the console.";
      const problem = error("Provider is not configured", `${this.unknown} ${advice}`);
      return writes.map(() => ({ problem }));
    }
    const refusals = writes.map(({ object }) => resource.refuse?.(object, {}, connection));
    const [refusal] = refusals.filter((one) => one !== undefined);
    // The writes of one connection are planned together.
    if (refusal) return refusals.map((problem) => ({ problem: problem ?? refusal }));
    try {
      return await rollback.plan(writes, contextOf(request, connection));
    } catch (failure) {
      const problem = diagnoseFailure(failure, this.definition.diagnose);
      return writes.map(() => ({ problem }));
    }
  }

  /** Puts back what a run has replaced. Returns the errors. */
  async rollback(
    type: string,
    write: RecordedWrite,
    request: CallContext<C> & Pick<ApplyRequest<C>, "beforeWrite" | "record">,
  ): Promise<readonly Diagnostic[]> {
    const { rollback } = this.resources.get(type);
    const { connection } = request;
    if (!rollback || connection === undefined) throw new Error(`${type} has no planned rollback`);
    try {
      return await rollback.apply(write, writeContext(request, connection));
    } catch (failure) {
      return [diagnoseFailure(failure, this.definition.diagnose)];
    }
  }

  /** The ID for an import that names none; undefined if the type needs one. */
  importId(type: string): string | undefined {
    return this.resources.get(type).importId;
  }

  /** See `ResourceDefinition.placeOf`. */
  placeOf(type: string, config: ObjectValue): string | undefined {
    return this.resources.find(type)?.placeOf?.(config);
  }

  /** See `ResourceDefinition.others`. */
  others(type: string, privateState: PrivateState): readonly string[] | undefined {
    return this.resources.get(type).others?.(privateState);
  }

  /** See `ResourceDefinition.found`. */
  found(
    type: string,
    connection: C | undefined,
    destroyed: KeptObject | null,
  ): ObjectValue | undefined {
    if (connection === undefined) return undefined;
    return this.resources.get(type).found?.(connection, destroyed);
  }

  async readDataSource(
    type: string,
    config: ObjectValue,
    request: CallContext<C>,
  ): Promise<OperationResult> {
    const source = this.dataSources.get(type);
    const { connection } = request;
    if (connection === undefined) {
      const advice = "Apply what it depends on first, or give it known values.";
      return refused(error("Data source cannot be read yet", `${this.unknown} ${advice}`));
    }
    return runOperation(
      NOTHING_READ,
      () => source.read(config, contextOf(request, connection)),
      this.definition.diagnose,
    );
  }

  private get unknown(): string {
    return `The configuration of provider "${this.definition.name}" depends on values that are unknown until apply.`;
  }
}
