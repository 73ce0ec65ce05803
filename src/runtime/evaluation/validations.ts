import type { Diagnostic } from "../../core/diagnostics";
import type { Provider } from "../../core/provider";
import { valuesEqual, type ObjectValue } from "../../core/values";
import type { ResourceConfig } from "../../language";
import type { MarkedObject } from "./conform";
import { named } from "./provider-diagnostics";

type Mode = "managed" | "data" | "ephemeral";

type BlockName = Pick<ResourceConfig<Mode>, "address" | "mode" | "type">;

interface Validation {
  readonly value: ObjectValue;
  /** The provider's connection; undefined if its configuration was not known. */
  readonly connection: unknown;
  readonly diagnostics: readonly Diagnostic[];
}

/** The last validation of each block of a stack by its provider. */
export class Validations {
  private readonly last = new Map<string, Validation>();

  /** Validates a block, unless the same value was validated with the same connection before. */
  validate(
    provider: Provider<unknown>,
    block: BlockName,
    configured: MarkedObject,
    connection: unknown,
  ): readonly Diagnostic[] {
    const { address } = block;
    const { value } = configured;
    const last = this.last.get(address);
    if (last && last.connection === connection && valuesEqual(last.value, value)) {
      return named(last.diagnostics, configured);
    }
    const diagnostics = validateByProvider(provider, block, value, connection);
    this.last.set(address, { value, connection, diagnostics });
    return named(diagnostics, configured);
  }
}

/** @param connection Of the provider; undefined if its configuration is not known. */
export function validateByProvider(
  provider: Provider<unknown>,
  { mode, type }: Pick<BlockName, "mode" | "type">,
  value: ObjectValue,
  connection: unknown,
): readonly Diagnostic[] {
  switch (mode) {
    case "managed":
      return provider.validateResource(type, value, connection);
    case "data":
      return provider.validateDataSource(type, value, connection);
    case "ephemeral":
      return provider.ephemeralResources.validate(type, value);
  }
}
