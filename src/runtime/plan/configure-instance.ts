import type { ResourceConfig } from "../config/stack-config";
import { hasErrors } from "../../provider/diagnostics";
import { checkConditions } from "../evaluation/conditions";
import { conformBody, type Conformed } from "../evaluation/conform";
import { locate } from "../config/located";
import { within, type Surroundings } from "../evaluation/stack-values";
import type { Scope } from "../expressions/scope";
import type { Target } from "./target";

/** Evaluates an instance's block with what is known by now, and checks it again. */
export function configureInstance(
  values: Scope,
  { provider, type, schema, where }: Target,
  { body, mode, lifecycle }: ResourceConfig,
  surroundings: Surroundings,
): Conformed {
  const scope = within(values, surroundings);
  const configured = conformBody(body, schema.attributes, scope, where);
  if (hasErrors(configured.diagnostics)) return configured;
  const invalid =
    mode === "data"
      ? provider.validateDataSource(type, configured.value)
      : provider.validateResource(type, configured.value);
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
