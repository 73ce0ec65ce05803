import type { Diagnostic } from "../../provider/diagnostics";
import { valuesEqual, type ObjectValue } from "../../provider/values";

interface Validation {
  readonly value: ObjectValue;
  /** Of the provider; undefined if its configuration was not known. */
  readonly connection: unknown;
  readonly diagnostics: readonly Diagnostic[];
}

/** The last validation of each block of a stack by its provider. */
export class Validations {
  private readonly last = new Map<string, Validation>();

  /** Validates a block, unless the same value was validated with the same connection before. */
  validate(
    address: string,
    value: ObjectValue,
    connection: unknown,
    validate: () => readonly Diagnostic[],
  ): readonly Diagnostic[] {
    const last = this.last.get(address);
    if (last?.connection === connection && last && valuesEqual(last.value, value)) {
      return last.diagnostics;
    }
    const diagnostics = validate();
    this.last.set(address, { value, connection, diagnostics });
    return diagnostics;
  }
}
