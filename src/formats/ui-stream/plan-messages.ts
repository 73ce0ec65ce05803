import {
  countChanges,
  isShown,
  type Action,
  type ActionReason,
  type ChangeCounts,
  type OutputChange,
  type ResourceChange,
  type StackPlan,
} from "../../core/documents/stack-plan";
import { struct, type JsonTree } from "../../core/json/format-json";
import type { OutputState } from "../../core/documents/state";
import { formatCompletion, formatCounts } from "../text/counts";
import { describeResource, type UiMessage } from "./message";

/** The workspace of a stack. Terraform does not name it in its stream. */
type InWorkspace = Pick<StackPlan, "workspace">;

/** Describes a plan as Terraform's stream does: drift, changes, summary, outputs. */
export function planMessages(plan: StackPlan): readonly UiMessage[] {
  const drift = plan.drift
    .filter(({ action }) => action !== "no-op" || plan.mode === "refresh-only")
    .map((change) => {
      const action = actionOf(change);
      return changeMessage("resource_drift", `Drift detected (${action})`, change, action);
    });
  const changes = plan.changes.filter(isShown).map(plannedMessage);
  const counts = countChanges(plan);
  return [
    ...drift,
    ...changes,
    summaryMessage("plan", `Plan: ${formatCounts(counts)}.`, counts, plan),
    ...outputsMessage(plan.outputs.map(encodeOutputChange)),
  ];
}

/** Describes what a saved plan is about to change, as Terraform's stream does. */
export function savedPlanMessages({ changes }: StackPlan): readonly UiMessage[] {
  return changes.filter(({ action }) => action !== "no-op").map(plannedMessage);
}

function plannedMessage(change: ResourceChange): UiMessage {
  const action = actionOf(change);
  return changeMessage("planned_change", `Plan to ${action}`, change, action);
}

/** The summary of an apply or a destroy, and the outputs after it. */
export function appliedMessages(
  operation: "apply" | "destroy" | "rollback",
  counts: ChangeCounts,
  outputs: Readonly<Record<string, OutputState>>,
  place: InWorkspace = {},
): readonly UiMessage[] {
  const encoded = Object.entries(outputs).map(
    ([name, { sensitive, type, value }]): [string, JsonTree] => [
      name,
      struct([
        ["sensitive", sensitive],
        ["type", type],
        ["value", sensitive ? undefined : value],
      ]),
    ],
  );
  return [
    summaryMessage(operation, formatCompletion(operation, counts), counts, place),
    ...outputsMessage(encoded),
  ];
}

const STREAM_ACTIONS: Readonly<Record<Action, string>> = {
  "no-op": "noop",
  create: "create",
  read: "read",
  update: "update",
  delete: "delete",
  "delete-then-create": "replace",
  "create-then-delete": "replace",
  forget: "remove",
};

function actionOf({ action, previousAddress, importing }: ResourceChange): string {
  if (action === "no-op" && importing !== undefined) return "import";
  if (action === "no-op" && previousAddress !== undefined) return "move";
  return STREAM_ACTIONS[action];
}

/** Reasons that have another name in the stream than in the JSON of a plan. */
const STREAM_REASONS: Readonly<Partial<Record<ActionReason, string>>> = {
  replace_because_tainted: "tainted",
  replace_because_cannot_update: "cannot_update",
  replace_by_request: "requested",
  replace_by_triggers: "replace_triggered_by",
};

function changeMessage(
  type: string,
  headline: string,
  { address, previousAddress, reason, importing }: ResourceChange,
  action: string,
): UiMessage {
  const change = struct([
    ["resource", describeResource(address)],
    [
      "previous_resource",
      previousAddress === undefined ? undefined : describeResource(previousAddress),
    ],
    ["action", action],
    ["reason", reason && (STREAM_REASONS[reason] ?? reason)],
    ["importing", importing && struct([["id", importing.id]])],
  ]);
  return { level: "info", text: `${address}: ${headline}`, type, members: { change } };
}

function summaryMessage(
  operation: "plan" | "apply" | "destroy" | "rollback",
  text: string,
  counts: ChangeCounts,
  { workspace }: InWorkspace,
): UiMessage {
  const changes = struct([
    ["add", counts.add],
    ["change", counts.change],
    ["import", counts.import],
    ["remove", counts.destroy],
    ["operation", operation],
  ]);
  const members = { changes, ...(workspace !== undefined && { workspace }) };
  return { level: "info", text, type: "change_summary", members };
}

function encodeOutputChange({ name, sensitive, action }: OutputChange): [string, JsonTree] {
  return [
    name,
    struct([
      ["sensitive", sensitive],
      ["action", STREAM_ACTIONS[action]],
    ]),
  ];
}

/** Empty where there are no outputs. */
function outputsMessage(outputs: readonly [string, JsonTree][]): readonly UiMessage[] {
  if (outputs.length === 0) return [];
  const members = { outputs: Object.fromEntries(outputs) };
  return [{ level: "info", text: `Outputs: ${outputs.length}`, type: "outputs", members }];
}
