import type { Environment } from "../core/environment";
import type { Configured, FunctionDefinition } from "../core/definitions/provider-definition";
import type { KeptObject } from "../core/definitions/resource-definition";
import { hasErrors, withParagraph, type Diagnostic } from "../core/diagnostics";
import type { Log } from "../core/io/log";
import type {
  CallContext,
  PlannedObject,
  PlanRequest,
  OperationResult,
} from "../core/operations/run-operation";
import type { PrivateState } from "../core/private-state";
import type { Provider } from "../core/provider";
import type { Attributes } from "../core/schema/attribute";
import { valuesEqual, type ObjectValue } from "../core/values";
import { RefusedCallError } from "./call-errors";
import { ObjectCodec } from "./values/object-codec";

/** The settings that the sessions of all connections share. */
export interface SessionSettings {
  /** Completes the configurations; default: that of this process. */
  readonly environment?: Environment;
  /** Added to the errors of configurations. */
  readonly caution?: string;
  /** Relative paths of configurations start here; default: the working directory. */
  readonly directory?: string;
}

/**
 * The state of one connection: the provider as configured on it, and the calls in progress. Calls
 * do not name the provider instance that they are for, so two instances in one process differ by
 * their connections only.
 */
export class PluginSession {
  readonly #found = new FoundObjects();
  /** The prior objects of planned changes, by type and private state; null if there are several. */
  readonly #planned = new Map<string, ObjectValue | null>();
  readonly #stop = new AbortController();
  #configured: Configured<unknown> | undefined;

  constructor(
    readonly provider: Provider<unknown>,
    private readonly log: Log,
    private readonly settings: SessionSettings = {},
  ) {}

  /** Aborted when Terraform asks to stop, or when the connection ends. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Replaces an earlier configuration. */
  async configure(config: ObjectValue): Promise<readonly Diagnostic[]> {
    await this.#disconnect();
    const { environment = process.env, directory, caution } = this.settings;
    const configured = await this.provider.configure(config, environment, this.log, directory);
    if (!hasErrors(configured.diagnostics)) {
      this.#configured = configured;
      return configured.diagnostics;
    }
    return configured.diagnostics.map((found) =>
      caution === undefined || !hasErrors([found]) ? found : withParagraph(found, caution),
    );
  }

  /** Undefined while the provider is not configured, or its configuration is unknown. */
  get connectionSoFar(): unknown {
    return this.#configured?.connection;
  }

  /** The context of a call; refuses the call if the provider is not configured. */
  call(signal: AbortSignal): CallContext<unknown> {
    const { name } = this.provider.definition;
    if (!this.#configured) {
      throw new RefusedCallError(`Provider "${name}" is not configured on this connection.`);
    }
    const progress = (message: string) => {
      this.log({ level: "info", module: `provider.${name}`, message });
    };
    return { connection: this.#configured.connection, signal, progress };
  }

  configuration(): ObjectCodec {
    return new ObjectCodec(this.provider.definition.configuration);
  }

  resource(type: string): ObjectCodec {
    return codecOf(this.provider.resourceAttributes(type)?.attributes, "resource", type);
  }

  dataSource(type: string): ObjectCodec {
    return codecOf(this.provider.dataSourceAttributes(type), "data source", type);
  }

  ephemeralResource(type: string): ObjectCodec {
    const { ephemeralResources } = this.provider;
    return codecOf(ephemeralResources.attributes(type), "ephemeral resource", type);
  }

  action(type: string): ObjectCodec {
    return codecOf(this.provider.actions.attributes(type), "action", type);
  }

  function(name: string): FunctionDefinition {
    const definition = this.provider.functions.get(name);
    if (!definition) throw new RefusedCallError(`There is no function "${name}".`);
    return definition;
  }

  /** Reads an object, and keeps its private state for plans on this connection. */
  async read(type: string, stored: Stored, signal: AbortSignal): Promise<OperationResult> {
    const { state } = stored;
    const call = this.call(signal);
    if (state === null) return { ...stored, diagnostics: [] };
    const reached = await this.provider.read(type, { ...call, ...stored, state });
    const { state: found } = reached;
    if (found)
      this.#found.add(this.#nameOf(type, found), { state: found, private: reached.private });
    return reached;
  }

  /** Plans an object, with the private state that Terraform leaves out. */
  async plan(
    type: string,
    request: Omit<PlanRequest<unknown>, keyof CallContext<unknown>>,
    signal: AbortSignal,
  ): Promise<PlannedObject> {
    const { config, prior } = request;
    const call = this.call(signal);
    const stored = { state: prior, private: request.private };
    const isDestroy = config === null && prior !== null;
    const privateState = isDestroy
      ? await this.#privateNow(type, { ...stored, state: prior }, call)
      : request.private;
    const replaced = this.#replaced(type, request);
    const planWith = (destroyed: KeptObject | undefined) =>
      this.provider.plan(type, {
        ...call,
        ...request,
        private: privateState,
        ...(destroyed && { replaced: destroyed }),
      });
    const plan = await planWith(replaced);
    if (prior !== null || plan.planned === null) return plan;
    // A creation may replace a tainted object, which is then destroyed by this private state.
    const found = this.#found.of(this.#nameOf(type, plan.planned));
    if (!found) return plan;
    // The console has that object, which is destroyed first.
    const isRefused = !replaced && hasErrors(plan.diagnostics);
    const creation = isRefused ? await planWith(found) : plan;
    return { ...creation, private: { ...found.private, ...creation.private } };
  }

  /** The name of an object among those of a run; undefined while nothing distinguishes it. */
  #nameOf(type: string, object: ObjectValue): string | undefined {
    const { id = null } = object;
    const at = this.provider.placeOf(type, object) ?? (typeof id === "string" ? id : undefined);
    return at === undefined ? undefined : JSON.stringify([type, at]);
  }

  /**
   * Returns the object that a creation replaces. Terraform plans a replacement as a change and then,
   * with the private state of that plan, as a creation. Undefined if two objects have this private state.
   */
  #replaced(
    type: string,
    { prior, private: privateState }: Pick<PlanRequest<unknown>, "prior" | "private">,
  ): KeptObject | undefined {
    if (Object.keys(privateState).length === 0) return undefined;
    const key = `${type} ${JSON.stringify(privateState)}`;
    const state = this.#planned.get(key);
    if (prior === null) return state ? { state, private: privateState } : undefined;
    this.#planned.set(key, state === undefined || valuesEqual(state, prior) ? prior : null);
    return undefined;
  }

  /**
   * Reads the private state of an object that is to be destroyed. Terraform before 1.15 plans the
   * destroy of an object that left the configuration before it reads the object, so that a change
   * outside Terraform would look like a change after the plan. Terraform's own read reports errors.
   */
  async #privateNow(
    type: string,
    stored: Stored & { readonly state: ObjectValue },
    call: CallContext<unknown>,
  ): Promise<PrivateState> {
    const read = await this.provider.read(type, { ...call, ...stored });
    return read.state === null || hasErrors(read.diagnostics) ? stored.private : read.private;
  }

  /** Cancels the calls in progress and all later ones. */
  stop(): void {
    this.#stop.abort(new Error("Terraform was interrupted"));
  }

  /** Ends the session with its connection. */
  async close(): Promise<void> {
    this.stop();
    await this.#disconnect();
  }

  async #disconnect(): Promise<void> {
    const connection = this.#configured?.connection;
    this.#configured = undefined;
    if (connection !== undefined) await this.provider.close(connection);
  }
}

interface Stored {
  readonly state: ObjectValue | null;
  readonly private: PrivateState;
}

function codecOf(attributes: Attributes | undefined, what: string, type: string): ObjectCodec {
  if (!attributes) throw new RefusedCallError(`There is no ${what} type "${type}".`);
  return new ObjectCodec(attributes);
}

/**
 * The objects that were read on a connection, by their names.
 *
 * Terraform plans the replacement of a tainted object as a creation, without its state, and destroys the
 * object by the private state of that plan. `on_destroy` needs the one that the same run has read before.
 */
export class FoundObjects {
  readonly #found = new Map<string, KeptObject | null>();

  /** Keeps nothing for two objects of the same name, which cannot be distinguished. */
  add(name: string | undefined, found: KeptObject): void {
    if (name !== undefined) this.#found.set(name, this.#found.has(name) ? null : found);
  }

  /** Undefined if there is none, or if the name is unknown. */
  of(name: string | undefined): KeptObject | undefined {
    return this.#found.get(name ?? "") ?? undefined;
  }
}
