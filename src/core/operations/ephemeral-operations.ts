import type { EphemeralResource } from "../definitions/provider-definition";
import { Definitions } from "../definitions/definitions";
import { error, type Diagnostic } from "../diagnostics";
import type { PrivateState } from "../private-state";
import type { Attributes } from "../schema/attribute";
import type { ObjectValue } from "../values";
import { diagnoseFailure, type Diagnose } from "../definitions/failure";
import { type CallContext, contextOf } from "./run-operation";
import { validateBlock } from "../schema/validate-attributes";

export interface OpenedObject {
  /** Wholly known; null if the resource was not opened. */
  readonly result: ObjectValue | null;
  readonly private: PrivateState;
  /** The time to call `renew` while the values are in use. */
  readonly renewAt: Date | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export type RenewedObject = Omit<OpenedObject, "result">;

/**
 * Runs the ephemeral resources of a provider for both engines. The operations never throw: errors
 * are diagnostics. Configurations are complete, as those of resources.
 */
export class EphemeralResources<C> {
  readonly #definitions: Definitions<EphemeralResource<C>>;

  constructor(
    private readonly provider: string,
    definitions: readonly EphemeralResource<C>[],
    private readonly diagnose: Diagnose | undefined,
  ) {
    this.#definitions = new Definitions(`ephemeral resource of ${provider}`, definitions);
  }

  attributes(type: string): Attributes | undefined {
    return this.#definitions.find(type)?.attributes;
  }

  validate(type: string, config: ObjectValue): readonly Diagnostic[] {
    return validateBlock(this.#definitions.get(type), config);
  }

  /** Opens a resource of a wholly known configuration. */
  async open(type: string, config: ObjectValue, request: CallContext<C>): Promise<OpenedObject> {
    const definition = this.#definitions.get(type);
    const { connection } = request;
    if (connection === undefined) return { ...failed(this.#unknown(type)), result: null };
    try {
      const opened = await definition.open(config, contextOf(request, connection));
      return { ...complete(opened.private ?? {}, opened), result: opened.result };
    } catch (failure) {
      return { ...failed(diagnoseFailure(failure, this.diagnose)), result: null };
    }
  }

  async renew(
    type: string,
    privateState: PrivateState,
    request: CallContext<C>,
  ): Promise<RenewedObject> {
    const definition = this.#definitions.get(type);
    const { connection } = request;
    if (connection === undefined) return failed(this.#unknown(type));
    try {
      const renewed = await definition.renew?.(privateState, contextOf(request, connection));
      return complete(renewed?.private ?? privateState, renewed ?? {});
    } catch (failure) {
      return failed(diagnoseFailure(failure, this.diagnose), privateState);
    }
  }

  async close(
    type: string,
    privateState: PrivateState,
    request: CallContext<C>,
  ): Promise<readonly Diagnostic[]> {
    const definition = this.#definitions.get(type);
    const { connection } = request;
    if (connection === undefined) return [];
    try {
      return (await definition.close?.(privateState, contextOf(request, connection))) ?? [];
    } catch (failure) {
      return [diagnoseFailure(failure, this.diagnose)];
    }
  }

  #unknown(type: string): Diagnostic {
    return error(
      "Ephemeral resource cannot be opened yet",
      `The configuration of provider "${this.provider}" depends on values that are unknown until apply. Apply what it depends on first, or set a trigger of ${type} that is unknown until then too.`,
    );
  }
}

function complete(
  privateState: PrivateState,
  { renewAt, diagnostics = [] }: { renewAt?: Date; diagnostics?: readonly Diagnostic[] },
): RenewedObject {
  return { private: privateState, renewAt, diagnostics };
}

function failed(diagnostic: Diagnostic, privateState: PrivateState = {}): RenewedObject {
  return complete(privateState, { diagnostics: [diagnostic] });
}
