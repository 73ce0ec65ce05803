import type { Json } from "./engine";

/** Leaves out of a plan what OpenTofu does not report. Names of providers are those of Terraform. */
export function asOpenTofu(plan: Json): Json {
  const { configuration, resource_changes: changes } = plan;
  return {
    ...without(plan, "complete", "applyable"),
    ...(isJson(configuration) && { configuration: withoutTypes(configuration) }),
    ...(Array.isArray(changes) && { resource_changes: changes.map(withoutTriggers) }),
  };
}

/** OpenTofu lists variables without their types. */
function withoutTypes({ root_module: root, ...configuration }: Json): Json {
  if (!isJson(root)) return configuration;
  const { variables } = root;
  const names = isJson(variables) ? Object.keys(variables) : [];
  return { ...configuration, root_module: { ...root, variables: names } };
}

/** OpenTofu has no reason for a replacement by `replace_triggered_by`. */
function withoutTriggers(change: unknown): unknown {
  if (!isJson(change) || change.action_reason !== "replace_by_triggers") return change;
  return without(change, "action_reason");
}

function without(json: Json, ...members: readonly string[]): Json {
  return Object.fromEntries(Object.entries(json).filter(([name]) => !members.includes(name)));
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
