import { diagnose, NotStoredError } from "./console/diagnose";
import type { DataSource } from "./definitions/data-source-definition";
import type { Environment, ProviderDefinition } from "./definitions/provider-definition";
import type {
  ModifyPlanRequest,
  ModifyPlanResult,
  Resource,
} from "./definitions/resource-definition";
import type { OperationContext, Outcome, Reached } from "./definitions/operation";
import type { PrivateState } from "./private-state";
import { error, hasErrors, warning, type Diagnostic } from "./diagnostics";
import type {
  ApplyRequest,
  CallContext,
  PlanRequest,
  PlannedObject,
  ProviderOperations,
  ReachedObject,
  ReadRequest,
  StoredObject,
} from "./operations/requests";
import { EphemeralResources } from "./operations/ephemeral-operations";
import { Functions } from "./operations/function-operations";
import type { Log } from "./log";
import { configuredOnly, planObject, replacePaths } from "./planning/pipeline";
import type { Attributes } from "./schema/attribute";
import { decodeObject } from "./schema/decode";
import { validateAttributes } from "./schema/validate-attributes";
import type { KnownObject, ObjectValue } from "./values";

/** Runs the definitions of a provider; what both engines talk to. */
export class Provider<C> implements ProviderOperations<C> {
  private readonly resources: ReadonlyMap<string, Resource<C>>;
  private readonly dataSources: ReadonlyMap<string, DataSource<C>>;
  readonly ephemeralResources: EphemeralResources<C>;
  readonly functions: Functions;

  constructor(readonly definition: ProviderDefinition<C>) {
    this.resources = new Map(definition.resources.map((resource) => [resource.type, resource]));
    this.dataSources = new Map(definition.dataSources.map((source) => [source.type, source]));
    this.ephemeralResources = new EphemeralResources(
      definition.name,
      definition.ephemeralResources,
    );
    this.functions = new Functions(definition.functions);
  }

  resourceAttributes(type: string): { version: number; attributes: Attributes } | undefined {
    return this.resources.get(type);
  }

  dataSourceAttributes(type: string): Attributes | undefined {
    return this.dataSources.get(type)?.attributes;
  }

  /** `directory`: that of the configuration, which is Terraform's own while it runs. */
  async configure(
    config: ObjectValue,
    environment: Environment,
    log: Log = () => undefined,
    directory = process.cwd(),
  ) {
    return this.definition.configure(config, environment, log, directory);
  }

  async close(connection: C): Promise<void> {
    await this.definition.close(connection);
  }

  validateConfiguration(config: ObjectValue): readonly Diagnostic[] {
    return [
      ...validateAttributes(this.definition.configuration, config),
      ...(this.definition.validate?.(config) ?? []),
    ];
  }

  validateResource(type: string, config: ObjectValue, connection?: C): readonly Diagnostic[] {
    const resource = this.resource(type);
    return [
      ...validateAttributes(resource.attributes, config),
      ...(resource.validate?.(config, connection) ?? []),
    ];
  }

  validateDataSource(type: string, config: ObjectValue, connection?: C): readonly Diagnostic[] {
    const source = this.dataSource(type);
    return [
      ...validateAttributes(source.attributes, config),
      ...(source.validate?.(config, connection) ?? []),
    ];
  }

  upgradeState(type: string, stored: StoredObject): ReachedObject {
    const resource = this.resource(type);
    if (stored.schemaVersion > resource.version) {
      return failed(
        null,
        error(
          "State is newer than the provider",
          `The object was written with schema version ${stored.schemaVersion} of ${type}; this version of the provider knows ${resource.version}. Use the version of the provider that wrote it, or a newer one.`,
        ),
      );
    }
    let attributes: KnownObject = stored.attributes;
    for (let version = stored.schemaVersion; version < resource.version; version++) {
      attributes = resource.upgrades?.[version]?.(attributes) ?? attributes;
    }
    const { value, diagnostics } = decodeObject(resource.attributes, attributes);
    return { state: hasErrors(diagnostics) ? null : value, private: {}, diagnostics };
  }

  /**
   * Takes over an object from the same provider of another registry, or from a fork of it. The
   * object keeps its type.
   */
  moveState(
    source: { readonly provider: string; readonly type: string },
    type: string,
    stored: StoredObject,
  ): ReachedObject {
    const isSame = source.provider.endsWith(`/${this.definition.name}`) && source.type === type;
    if (isSame) return this.upgradeState(type, stored);
    return failed(
      null,
      error(
        "Unable to move resource state",
        `The target resource ${type} does not support a move from ${source.type} of ${source.provider}. Remove the object from the state and import it, if its type supports import.`,
      ),
    );
  }

  async read(type: string, request: ReadRequest<C>): Promise<ReachedObject> {
    const resource = this.resource(type);
    const { connection, state } = request;
    if (connection === undefined) {
      return {
        state,
        private: request.private,
        diagnostics: [
          warning(
            "Not refreshed",
            `The configuration of provider "${this.definition.name}" is not known yet, so the object is taken as state has it.`,
          ),
        ],
      };
    }
    return attempt(
      () => ({ state, private: request.private }),
      () => resource.read(state, request.private, contextOf(request, connection)),
    );
  }

  async plan(type: string, request: PlanRequest<C>): Promise<PlannedObject> {
    const resource = this.resource(type);
    const { prior } = request;
    const config = request.config && configuredOnly(resource.attributes, request.config);
    if (config === null) {
      const diagnostics =
        prior === null ? [] : (resource.planDestroy?.(prior, request.private) ?? []);
      return { planned: null, requiresReplace: [], private: request.private, diagnostics };
    }
    const { connection, signal, validated } = request;
    const learned =
      connection && (await resource.learn?.(connection, signal, { retry: false })) !== undefined;
    const findings = validated && !learned ? [] : this.validateResource(type, config, connection);
    if (hasErrors(findings)) {
      return {
        planned: prior,
        requiresReplace: [],
        private: request.private,
        diagnostics: findings,
      };
    }
    const planned = planObject(resource.attributes, config, prior);
    const modified = await modifyPlan(resource, { ...request, config, planned });
    return {
      planned: modified.planned,
      requiresReplace:
        prior === null ? [] : replacePaths(resource.attributes, prior, modified.planned),
      ...(modified.displaced && { displaced: modified.displaced }),
      private: request.private,
      diagnostics: [...findings, ...(modified.diagnostics ?? [])],
    };
  }

  async apply(type: string, request: ApplyRequest<C>): Promise<ReachedObject> {
    const resource = this.resource(type);
    const { connection, prior, planned, config } = request;
    if (connection === undefined) {
      return failed(
        prior,
        error(
          "Provider is not configured",
          `The configuration of provider "${this.definition.name}" holds values that are not known.`,
        ),
        request.private,
      );
    }
    let reached: Pick<ReachedObject, "state" | "private"> = {
      state: prior,
      private: request.private,
    };
    const context = {
      ...contextOf(request, connection),
      checkpoint: async (point: Reached<ObjectValue>) => {
        const durable = { state: point.state, private: point.private ?? {} };
        await storing(() => request.checkpoint?.(durable));
        reached = durable;
      },
    };
    return attempt(
      () => reached,
      async () => {
        if (planned === null || config === null) {
          return prior === null
            ? { state: null }
            : resource.delete(prior, request.private, context);
        }
        const refusals = await this.refusals(resource, config, connection, request.signal);
        if (refusals.length > 0) return { ...reached, diagnostics: refusals };
        if (prior === null) return resource.create(planned, config, context);
        if (!resource.update) throw new Error(`${type} cannot be updated in place`);
        return resource.update(prior, planned, config, request.private, context);
      },
    );
  }

  /** What only the console could tell, which a plan may have been made without. */
  private async refusals(
    resource: Resource<C>,
    config: ObjectValue,
    connection: C,
    signal: AbortSignal,
  ): Promise<readonly Diagnostic[]> {
    const unknown = await resource.learn?.(connection, signal, { retry: true });
    if (!unknown || unknown.length > 0) return unknown ?? [];
    const found = this.validateResource(resource.type, config, connection);
    return found.filter(({ severity }) => severity === "error");
  }

  async import(type: string, id: string, request: CallContext<C>): Promise<ReachedObject> {
    const resource = this.resource(type);
    const { connection } = request;
    const importer = resource.import?.bind(resource);
    if (!importer) {
      const instead = resource.insteadOfImport ?? "An apply creates it.";
      return failed(
        null,
        error("Import is not possible", `${type} cannot be imported. ${instead}`),
      );
    }
    if (connection === undefined) {
      return failed(
        null,
        error(
          "Provider is not configured",
          "An import reads from the console, so the provider's configuration must be known.",
        ),
      );
    }
    return attempt(nothing, () => importer(id, contextOf(request, connection)));
  }

  importId(type: string): string | undefined {
    return this.resource(type).importId;
  }

  /** See `ResourceDefinition.others`. */
  others(type: string, privateState: PrivateState): readonly string[] | undefined {
    return this.resource(type).others?.(privateState);
  }

  async readDataSource(
    type: string,
    config: ObjectValue,
    request: CallContext<C>,
  ): Promise<ReachedObject> {
    const source = this.dataSource(type);
    const { connection } = request;
    if (connection === undefined) {
      return failed(
        null,
        error(
          "Data source cannot be read yet",
          `The configuration of provider "${this.definition.name}" is not known before apply: apply what it depends on first, or give it known values.`,
        ),
      );
    }
    return attempt(nothing, () => source.read(config, contextOf(request, connection)));
  }

  private resource(type: string): Resource<C> {
    const resource = this.resources.get(type);
    if (!resource) throw new Error(`no resource type ${type} in ${this.definition.source}`);
    return resource;
  }

  private dataSource(type: string): DataSource<C> {
    const source = this.dataSources.get(type);
    if (!source) throw new Error(`no data source type ${type} in ${this.definition.source}`);
    return source;
  }
}

async function modifyPlan<C>(
  resource: Resource<C>,
  request: ModifyPlanRequest<C>,
): Promise<ModifyPlanResult> {
  try {
    return (await resource.modifyPlan?.(request)) ?? { planned: request.planned };
  } catch (failure) {
    return { planned: request.planned, diagnostics: [diagnose(failure)] };
  }
}

/** A checkpoint that cannot be stored is the engine's failure, not the provider's. */
async function storing(store: () => Promise<void> | undefined): Promise<void> {
  try {
    await store();
  } catch (cause) {
    throw new NotStoredError(cause);
  }
}

const nothing = () => ({ state: null, private: {} });

/** Runs an operation; what it throws becomes a diagnostic beside what was reached before. */
async function attempt(
  reached: () => Pick<ReachedObject, "state" | "private">,
  operation: () => Promise<Outcome<ObjectValue>>,
): Promise<ReachedObject> {
  try {
    const { state, private: privateState = {}, diagnostics = [] } = await operation();
    return { state, private: privateState, diagnostics };
  } catch (failure) {
    return { ...reached(), diagnostics: [diagnose(failure)] };
  }
}

function contextOf<C>(request: CallContext<C>, connection: C): OperationContext<C> {
  return { connection, signal: request.signal, progress: request.progress ?? (() => undefined) };
}

function failed(
  state: ObjectValue | null,
  diagnostic: Diagnostic,
  privateState: PrivateState = {},
): ReachedObject {
  return { state, private: privateState, diagnostics: [diagnostic] };
}
