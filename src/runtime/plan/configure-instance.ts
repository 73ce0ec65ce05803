import type { ResourceConfig } from "../config/stack-config";
import { hasErrors } from "../../provider/diagnostics";
import { checkConditions } from "../evaluation/conditions";
import { conformBody, type Conformed } from "../evaluation/conform";
import { locate, type Location } from "../config/located";
import { within, type Surroundings } from "../evaluation/stack-values";
import type { Evaluated } from "../expressions/evaluated";
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
  const summary = `${NOUNS[mode]} precondition failed`;
  return {
    ...configured,
    diagnostics: [
      ...configured.diagnostics,
      ...locate(invalid, where),
      ...checkConditions(lifecycle.preconditions, scope, where, summary),
    ],
  };
}

/** Checks the postconditions of an instance that is `self`; reports those that failed. */
export function meetsPostconditions(
  run: StackRun,
  { lifecycle, mode }: ResourceConfig<"managed" | "data" | "ephemeral">,
  where: Location,
  surroundings: Surroundings,
  self: Evaluated,
): boolean {
  const scope = within(run.values, { ...surroundings, self });
  const summary = `${NOUNS[mode]} postcondition failed`;
  const broken = checkConditions(lifecycle.postconditions, scope, where, summary);
  run.report(broken);
  return !hasErrors(broken);
}

const NOUNS = { managed: "Resource", data: "Data source", ephemeral: "Resource" };
