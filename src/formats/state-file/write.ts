import { mapMembers } from "../../core/member-of";
import { compareStrings } from "../../core/values";
import { compareKeys } from "../../core/documents/address";
import { formatJson, struct, type JsonTree } from "../../core/json/format-json";
import { inOrder, isJsonArray, isJsonObject, type Json } from "../../core/documents/state-value";
import type { InstanceState, OutputState, ResourceState, State } from "../../core/documents/state";

/**
 * Formats a state file exactly like Terraform 1.11: the order of members and resources, two spaces of
 * indent, a line break at the end.
 */
export function formatState(state: State): string {
  return `${formatJson(encodeState(state), "  ")}\n`;
}

/**
 * Reports whether two states are equal, except for serial, lineage and Terraform version. Formats
 * only what they do not share, and nothing after a difference.
 */
export function sameContent(a: State, b: State): boolean {
  if (a.resources.length !== b.resources.length) return false;
  const others = sortResources(b);
  return (
    formatRest(a) === formatRest(b) &&
    sortResources(a).every((resource, index) => {
      const other = others[index];
      return resource === other || (other && formatResource(resource) === formatResource(other));
    })
  );
}

/** All but the resources. */
function formatRest(state: State): string {
  const rest = { ...state, serial: 0, lineage: "", terraformVersion: "", resources: [] };
  return formatJson(encodeState(rest));
}

function formatResource(resource: ResourceState): string {
  return formatJson(encodeResource(resource));
}

function encodeState(state: State): JsonTree {
  return struct([
    ["version", 4],
    ["terraform_version", state.terraformVersion],
    ["serial", state.serial],
    ["lineage", state.lineage],
    ["outputs", mapMembers(state.outputs, outputTree)],
    ["resources", sortResources(state).map(encodeResource)],
    ["check_results", inOrder(state.checkResults)],
    ...unknownMembers(state),
  ]);
}

export function outputTree(output: OutputState): JsonTree {
  return struct([
    ["value", output.value],
    ["type", output.type],
    ["sensitive", output.sensitive || undefined],
    ...unknownMembers(output),
  ]);
}

function encodeResource(resource: ResourceState): JsonTree {
  return struct([
    ["module", resource.module],
    ["mode", resource.mode],
    ["type", resource.type],
    ["name", resource.name],
    ["provider", resource.provider],
    ["instances", [...resource.instances].sort(compareInstances).map(instanceTree)],
    ...unknownMembers(resource),
  ]);
}

export function instanceTree(instance: InstanceState): JsonTree {
  return struct([
    ["index_key", instance.indexKey],
    ["status", instance.status],
    ["deposed", instance.deposed],
    ["schema_version", instance.schemaVersion],
    ["attributes", instance.attributesFlat ? undefined : encodeAttributes(instance.attributes)],
    ["attributes_flat", instance.attributesFlat],
    ["sensitive_attributes", instance.sensitivePaths.map((path) => path.map(encodeStep))],
    ["identity_schema_version", instance.identitySchemaVersion],
    ["identity", instance.identity],
    ["private", instance.private && Buffer.from(instance.private).toString("base64")],
    ["dependencies", instance.dependencies.length > 0 ? instance.dependencies : undefined],
    ["create_before_destroy", instance.createBeforeDestroy || undefined],
    ...unknownMembers(instance),
  ]);
}

/**
 * Sorts the members of objects, as Terraform does. The value of an attribute of any type is the
 * exception: `{"value": …, "type": …}` keeps its order.
 */
function encodeAttributes(json: Json): JsonTree {
  if (isJsonArray(json)) return json.map(encodeAttributes);
  if (!isJsonObject(json)) return json;
  const [first, second, third] = Object.keys(json);
  const isDynamic = first === "value" && second === "type" && third === undefined;
  return isDynamic
    ? struct(Object.entries(json).map(([key, member]) => [key, encodeAttributes(member)]))
    : mapMembers(json, encodeAttributes);
}

function encodeStep(step: InstanceState["sensitivePaths"][number][number]): JsonTree {
  if (step.type === "get_attr") return struct(Object.entries(step));
  return struct([
    ["type", "index"],
    [
      "value",
      struct([
        ["value", step.value.value],
        ["type", step.value.type],
      ]),
    ],
  ]);
}

function unknownMembers({ unknown = {} }: Pick<ResourceState, "unknown">) {
  return Object.entries(unknown).map(([key, member]) => [key, inOrder(member)] as const);
}

function sortResources({ resources }: State): readonly ResourceState[] {
  return [...resources].sort(compareResources);
}

function compareResources(a: ResourceState, b: ResourceState): number {
  return (
    compareStrings(a.module ?? "", b.module ?? "") ||
    compareStrings(a.mode, b.mode) ||
    compareStrings(a.type, b.type) ||
    compareStrings(a.name, b.name)
  );
}

function compareInstances(a: InstanceState, b: InstanceState): number {
  return compareKeys(a.indexKey, b.indexKey) || compareStrings(a.deposed ?? "", b.deposed ?? "");
}
