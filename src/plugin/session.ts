import type { Configured } from "../provider/definitions/provider-definition";
import { hasErrors, type Diagnostic } from "../provider/diagnostics";
import type { Log } from "../provider/log";
import type { Provider } from "../provider/provider";
import type { Attributes } from "../provider/schema/attribute";
import { objectType, type TerraformType } from "../provider/schema/terraform";
import type { ObjectValue } from "../provider/values";
import { FoundObjects } from "./found-objects";

/** A call that cannot be answered: it came too early, or asks for what there is not. */
export class RefusedCallError extends Error {
  override readonly name = "RefusedCallError";
}

export interface ObjectSchema {
  readonly attributes: Attributes;
  readonly type: TerraformType;
}

/**
 * What belongs to one connection: the provider as it was configured there, and what is under way
 * for it. No call names the provider instance that it is for, so that two instances in one process
 * can be told apart by their connections only.
 */
export class Session {
  /** What was read here. */
  readonly found = new FoundObjects();
  #configured: Configured<unknown> | undefined;
  #stop = new AbortController();

  constructor(
    readonly provider: Provider<unknown>,
    private readonly log: Log,
  ) {}

  /** One line on what is being waited for: Terraform shows such in its log only. */
  readonly progress = (message: string): void => {
    this.log({ level: "info", module: `provider.${this.provider.definition.name}`, message });
  };

  /** Aborted when Terraform asks to stop, or when the connection ends. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Takes the place of an earlier configuration. */
  async configure(config: ObjectValue): Promise<readonly Diagnostic[]> {
    await this.#disconnect();
    const configured = await this.provider.configure(config, process.env, this.log);
    if (!hasErrors(configured.diagnostics)) this.#configured = configured;
    return configured.diagnostics;
  }

  /** Undefined while the configuration is not known; refused where there is none. */
  get connection(): unknown {
    if (this.#configured) return this.#configured.connection;
    throw new RefusedCallError(
      `Provider "${this.provider.definition.name}" is not configured on this connection.`,
    );
  }

  /** As `connection`; undefined, too, where there is no configuration yet. */
  get connectionSoFar(): unknown {
    return this.#configured?.connection;
  }

  resource(type: string): ObjectSchema & { readonly version: number } {
    const found = this.provider.resourceAttributes(type);
    return { version: found?.version ?? 0, ...known(found?.attributes, "resource", type) };
  }

  dataSource(type: string): ObjectSchema {
    return known(this.provider.dataSourceAttributes(type), "data source", type);
  }

  ephemeralResource(type: string): ObjectSchema {
    return known(this.provider.ephemeralResources.attributes(type), "ephemeral resource", type);
  }

  /** Cancels what is under way; what comes after is cancelled at once. */
  stop(): void {
    this.#stop.abort(new Error("Terraform was interrupted"));
  }

  /** The end of the connection. */
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

function known(attributes: Attributes | undefined, what: string, type: string): ObjectSchema {
  if (!attributes) throw new RefusedCallError(`There is no ${what} type "${type}".`);
  return { attributes, type: objectType(attributes) };
}
