import type { ResourceConfig } from "../config/stack-config";
import { hasErrors } from "../../provider/diagnostics";
import { checkConditions } from "../evaluation/conditions";
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
  const { body, mode, lifecycle } = config;
  const scope = within(values, surroundings);
  const configured = conformBody(body, schema.attributes, scope, where);
  if (hasErrors(configured.diagnostics)) return configured;
  const { value } = configured;
  const invalid = context.validations.validate(provider, config, value, connection);
  const what = mode === "data" ? "Data source precondition failed" : "Resource precondition failed";
  return {
    ...configured,
    diagnostics: [
      ...configured.diagnostics,
      ...locate(invalid, where),
      ...checkConditions(lifecycle.preconditions, scope, where, what),
    ],
  };
}
