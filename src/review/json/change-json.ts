import { isWhollyKnown, type ObjectValue } from "../../provider/values";
import type { Action, OutputChange, ResourceChange } from "../../runtime/documents/stack-plan";
import { struct, unlessEmpty, type JsonTree } from "../../runtime/state/format-json";
import { PathTree } from "../difference/path-tree";
import { knownPart, sensitiveTree, unknownTree } from "./value-trees";

/** Terraform's `actions`: a replacement is two. */
const ACTIONS: Readonly<Record<Action, readonly string[]>> = {
  "no-op": ["no-op"],
  create: ["create"],
  read: ["read"],
  update: ["update"],
  delete: ["delete"],
  "delete-then-create": ["delete", "create"],
  "create-then-delete": ["create", "delete"],
  forget: ["forget"],
};

/** Encodes one of `resource_changes` or `resource_drift`. */
export function encodeResourceChange(resource: ResourceChange): JsonTree {
  const { importing, replacePaths, before, after } = resource;
  return struct([
    ["address", resource.address],
    ["previous_address", resource.previousAddress],
    ["mode", resource.mode],
    ["type", resource.type],
    ["name", resource.name],
    ["index", resource.key],
    ["provider_name", resource.provider],
    ["deposed", resource.deposed],
    [
      "change",
      struct([
        ["actions", ACTIONS[resource.action]],
        ["before", before && (knownPart(before) ?? null)],
        ["after", after && (knownPart(after) ?? null)],
        ["after_unknown", after === null || isWhollyKnown(after) ? {} : unknownTree(after)],
        ["before_sensitive", sensitiveValues(resource, before, resource.beforeSensitive)],
        ["after_sensitive", sensitiveValues(resource, after, resource.afterSensitive)],
        ["replace_paths", unlessEmpty(replacePaths)],
        ["importing", importing && struct([["id", importing.id]])],
      ]),
    ],
    ["action_reason", resource.reason],
  ]);
}

/** `false` where there is no object. */
export function sensitiveValues(
  { attributes }: Pick<ResourceChange, "attributes">,
  object: ObjectValue | null,
  paths: ResourceChange["afterSensitive"],
): JsonTree {
  if (object === null) return false;
  return sensitiveTree({ kind: "object", attributes }, object, new PathTree(paths));
}

/** Encodes one of `output_changes`. */
export function encodeOutputChange(output: OutputChange): JsonTree {
  const { action, before, after, sensitive } = output;
  return struct([
    ["actions", ACTIONS[action]],
    ["before", knownPart(before)],
    ["after", knownPart(after)],
    ["after_unknown", isWhollyKnown(after) ? false : unknownTree(after)],
    ["before_sensitive", sensitive],
    ["after_sensitive", sensitive],
  ]);
}
