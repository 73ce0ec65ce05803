import type { Json } from "./engine";

/** Summaries of OpenTofu, with those of Terraform. */
const SUMMARIES: Readonly<Record<string, string>> = {
  "Ephemeral value used in non-ephemeral context": "Invalid use of ephemeral value",
  "Resource instance cannot be destroyed": "Instance cannot be destroyed",
  "Resource will be removed from the state": "Some objects will no longer be managed by Terraform",
};

/** Returns Terraform's summary of a diagnostic that OpenTofu may have reported. */
export function summaryOfTerraform(summary: string): string {
  return SUMMARIES[summary] ?? summary;
}

/** Leaves out of a plan what OpenTofu does not report. Names of providers are those of Terraform. */
export function asOpenTofu(plan: Json): Json {
  const { configuration, resource_changes: changes } = plan;
  return {
    ...without(plan, "complete", "applyable"),
    ...(isJson(configuration) && { configuration: configurationOf(configuration) }),
    ...(Array.isArray(changes) && { resource_changes: changes.map(withoutTriggers) }),
  };
}

/**
 * OpenTofu lists variables without their types, ephemeral resources as well as others, and functions
 * of providers as references.
 */
function configurationOf({ root_module: root, ...configuration }: Json): Json {
  if (!isJson(root)) return configuration;
  const { variables, resources } = root;
  const names = isJson(variables) ? Object.keys(variables) : [];
  const kept = Array.isArray(resources) ? resources.filter(isNotEphemeral) : [];
  const module = { ...root, variables: names, resources: kept };
  return { ...configuration, root_module: JSON.parse(JSON.stringify(module), withoutFunctions) };
}

function isNotEphemeral(resource: unknown): boolean {
  return !isJson(resource) || resource.mode !== "ephemeral";
}

function withoutFunctions(member: string, value: unknown): unknown {
  if (member !== "references" || !Array.isArray(value)) return value;
  return value.filter((one) => !String(one).startsWith("provider::"));
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
