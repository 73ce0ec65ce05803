import type { ProviderAction } from "../definitions/action-definition";
import { Definitions } from "../definitions/definitions";
import { diagnoseFailure, type Diagnose } from "../definitions/failure";
import { error, hasErrors, type Diagnostic } from "../diagnostics";
import { fillDefaults } from "../planning/pipeline";
import type { Attributes } from "../schema/attribute";
import { validateBlock } from "../schema/validate-attributes";
import type { ObjectValue } from "../values";
import { writeContext } from "./apply-resource";
import type { ApplyRequest, CallContext } from "./run-operation";

/**
 * Runs the actions of a provider. The operations never throw: errors are diagnostics. Configurations
 * are complete, as those of resources.
 */
export class Actions<C> {
  readonly #definitions: Definitions<ProviderAction<C>>;

  constructor(
    private readonly provider: string,
    definitions: readonly ProviderAction<C>[],
    private readonly diagnose: Diagnose | undefined,
  ) {
    this.#definitions = new Definitions(`action of ${provider}`, definitions);
  }

  attributes(type: string): Attributes | undefined {
    return this.#definitions.find(type)?.attributes;
  }

  /** With a connection, also validates what depends on it. */
  validate(type: string, config: ObjectValue, connection?: C): readonly Diagnostic[] {
    return validateBlock(this.#definitions.get(type), config, connection);
  }

  /** Invokes an action of a wholly known configuration. The plan may not have known all of it. */
  async invoke(
    type: string,
    config: ObjectValue,
    request: CallContext<C> & Pick<ApplyRequest<C>, "beforeWrite">,
  ): Promise<readonly Diagnostic[]> {
    const definition = this.#definitions.get(type);
    const { attributes } = definition;
    const { connection } = request;
    if (connection === undefined) return [this.#unknown(type)];
    const invalid = validateBlock(definition, config, connection);
    if (hasErrors(invalid)) return invalid;
    const complete = fillDefaults({ attributes, config, prior: null, planned: config });
    try {
      return await definition.invoke(complete, writeContext(request, connection));
    } catch (failure) {
      return [diagnoseFailure(failure, this.diagnose)];
    }
  }

  #unknown(type: string): Diagnostic {
    return error(
      "Action cannot be invoked yet",
      `The configuration of provider "${this.provider}" depends on values that are unknown. Apply what it depends on first, and invoke ${type} then.`,
    );
  }
}
