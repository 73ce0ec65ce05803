import type { Diagnostic } from "../diagnostics";
import type { Attributes } from "../schema/attribute";
import { validateAttributes } from "../schema/validate-attributes";
import type { ObjectValue } from "../values";

interface Validated<C> {
  readonly attributes: Attributes;
  validate?(config: ObjectValue, connection: C | undefined): readonly Diagnostic[];
}

/** Validates a configuration by its schema and by the definition's own rules. */
export function validateBlock<C>(
  definition: Validated<C>,
  config: ObjectValue,
  connection?: C,
): readonly Diagnostic[] {
  return [
    ...validateAttributes(definition.attributes, config),
    ...(definition.validate?.(config, connection) ?? []),
  ];
}
