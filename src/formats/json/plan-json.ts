import { mapMembers, memberOf } from "../../core/member-of";
import { hasErrors } from "../../core/diagnostics";
import { isUnknownValue, isWhollyKnown, type ObjectValue } from "../../core/values";
import type { PlanDocument } from "../../core/documents/plan-document";
import { knownPart, unknownTree } from "../../core/documents/partial-value";
import {
  isApplyable,
  type OutputChange,
  type ResourceChange,
  type Action,
} from "../../core/documents/stack-plan";
import { formatResourceAddress } from "../../core/documents/address";
import { formatJson, struct, unlessEmpty, type JsonTree } from "../../core/json/format-json";
import { isEmptyState, TERRAFORM_VERSION } from "../../core/documents/state";
import { encodeState, encodeCheckResults } from "./state-json";
import { sensitiveTree } from "./value-trees";
import { PathTree } from "../difference/path-tree";

/** Terraform's `actions`: a replacement is two. */
export const ACTIONS: Readonly<Record<Action, readonly string[]>> = {
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
function sensitiveValues(
  { attributes }: Pick<ResourceChange, "attributes">,
  object: ObjectValue | null,
  paths: ResourceChange["afterSensitive"],
): JsonTree {
  if (object === null) return false;
  const kind = attributes ? ({ kind: "object", attributes } as const) : undefined;
  return sensitiveTree(kind, object, new PathTree(paths));
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

/**
 * Renders a plan in the format 1.2 of `terraform show -json`, with sensitive values in plain text.
 * Write-only and ephemeral values are not in it.
 */
export function renderPlanJson(document: PlanDocument): string {
  return formatJson(encodePlan(document));
}

function encodePlan(document: PlanDocument): JsonTree {
  const { plan, configuration, priorState, schemaOf, timestamp } = document;
  const changes = plan.changes.filter(isEncoded);
  const errored = hasErrors(plan.diagnostics);
  return struct([
    ["format_version", "1.2"],
    ["terraform_version", TERRAFORM_VERSION],
    ["variables", encodeVariables(document)],
    ["planned_values", encodePlannedValues(document, changes)],
    ["resource_drift", unlessEmpty(drifted(document).map(encodeResourceChange))],
    ["resource_changes", unlessEmpty(changes.map(encodeResourceChange))],
    ["output_changes", encodeOutputChanges(plan.outputs)],
    ["prior_state", isEmptyState(priorState) ? undefined : encodeState(priorState, schemaOf)],
    ["configuration", configuration],
    [
      "relevant_attributes",
      unlessEmpty(
        plan.relevantAttributes.map(({ resource, attribute }) =>
          struct([
            ["resource", resource],
            ["attribute", attribute],
          ]),
        ),
      ),
    ],
    ["checks", encodeCheckResults(document.checks)],
    ["timestamp", timestamp.toISOString().replace(/\.\d+Z$/, "Z")],
    ["applyable", !errored && isEncodedApplyable(document)],
    ["complete", plan.complete && !errored],
    ["errored", errored],
  ]);
}

/** False for data that was read already or is no longer read. */
function isEncoded({ mode, action }: ResourceChange): boolean {
  return mode === "managed" || action === "read";
}

/** A moved object is drift in a refresh-only plan, and a change otherwise. */
function drifted({ plan }: PlanDocument): readonly ResourceChange[] {
  return plan.mode === "refresh-only"
    ? plan.drift
    : plan.drift.filter(({ action }) => action !== "no-op");
}

function isEncodedApplyable({ plan, priorState }: PlanDocument): boolean {
  const removesData =
    plan.mode === "destroy" &&
    plan.complete &&
    priorState.resources.some(({ mode }) => mode === "data");
  return isApplyable(plan) || removesData;
}

function encodeVariables({ variables }: PlanDocument): JsonTree | undefined {
  return unlessEmpty(mapMembers(variables, (value) => struct([["value", knownPart(value)]])));
}

/** Undefined where nothing is known: Terraform leaves the values out. */
function knownMembers(after: ObjectValue): JsonTree | undefined {
  const known = Object.values(after).some((member) => !isUnknownValue(member));
  return known ? knownPart(after) : undefined;
}

function encodePlannedValues(
  { plan, outputs, schemaVersions }: PlanDocument,
  changes: readonly ResourceChange[],
): JsonTree {
  const planned = plan.outputs
    .filter(({ action }) => action !== "delete")
    .map(({ name, sensitive }) => [
      name,
      struct([
        ["sensitive", sensitive],
        ["type", memberOf(outputs, name)?.type],
        ["value", memberOf(outputs, name)?.value],
      ]),
    ]);
  const resources = changes
    // Terraform lists forgotten objects, without values.
    .filter(({ action, deposed }) => action !== "delete" && deposed === undefined)
    // Terraform sorts by the text of the address: gate[10] is before gate[2].
    .sort((a, b) => (a.address < b.address ? -1 : 1))
    .map((change) =>
      struct([
        ["address", change.address],
        ["mode", change.mode],
        ["type", change.type],
        ["name", change.name],
        ["index", change.key],
        ["provider_name", change.provider],
        ["schema_version", schemaVersions.get(formatResourceAddress(change)) ?? 0],
        ["values", change.after === null ? undefined : knownMembers(change.after)],
        ["sensitive_values", sensitiveValues(change, change.after, change.afterSensitive)],
      ]),
    );
  return struct([
    ["outputs", unlessEmpty(Object.fromEntries(planned))],
    ["root_module", struct([["resources", unlessEmpty(resources)]])],
  ]);
}

function encodeOutputChanges(outputs: readonly OutputChange[]): JsonTree | undefined {
  const encoded = outputs.map((output) => [output.name, encodeOutputChange(output)] as const);
  return unlessEmpty(Object.fromEntries(encoded));
}
