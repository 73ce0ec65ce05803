import type { ResourceConfig } from "../config/stack-config";
import { hasErrors } from "../../core/diagnostics";
import { conformBody, type Conformed } from "../evaluation/conform";
import { locate } from "../config/located";
import { within, type Surroundings } from "../evaluation/stack-values";
import type { StackRun } from "./run";
import type { Target } from "./target";

/** Evaluates an instance's block with the values known so far, and validates it. */
export function configureInstance(
  { values, context }: StackRun,
  { provider, schema, where, connection }: Target,
  config: ResourceConfig,
  surroundings: Surroundings,
): Conformed {
  const configured = conformBody(
    config.body,
    schema.attributes,
    within(values, surroundings),
    where,
  );
  if (hasErrors(configured.diagnostics)) return configured;
  const invalid = context.validations.validate(provider, config, configured, connection);
  return {
    ...configured,
    diagnostics: [...configured.diagnostics, ...locate(invalid, where)],
  };
}
