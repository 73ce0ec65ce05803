import {
  countChanges,
  type Action,
  type ActionReason,
  type ChangeCounts,
  type OutputChange,
  type ResourceChange,
  type StackPlan,
} from "../../runtime/documents/plan";
import { struct, type JsonTree } from "../../runtime/state/format-json";
import { describeResource, type UiMessage } from "./message";

/** A plan as Terraform's stream tells it: drift, changes, what they add up to, outputs. */
export function planMessages(plan: StackPlan): readonly UiMessage[] {
  const drift = plan.drift
    .filter(({ action }) => action !== "no-op" || plan.mode === "refresh-only")
    .map((change) => {
      const action = actionOf(change);
      return changeMessage("resource_drift", `Drift detected (${action})`, change, action);
    });
  const changes = plan.changes.filter(isTold).map((change) => {
    const action = actionOf(change);
    return changeMessage("planned_change", `Plan to ${action}`, change, action);
  });
  return [...drift, ...changes, planSummary(plan), ...outputChanges(plan.outputs)];
}

function isTold({ action, mode, previousAddress, importing }: ResourceChange): boolean {
  if (action === "no-op") return previousAddress !== undefined || importing !== undefined;
  return action !== "delete" || mode === "managed";
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

/** What the stream calls otherwise than the plan's JSON does. */
const STREAM_REASONS: Readonly<Partial<Record<ActionReason, string>>> = {
  replace_because_tainted: "tainted",
  replace_because_cannot_update: "cannot_update",
  replace_by_request: "requested",
  replace_by_triggers: "replace_triggered_by",
};

function changeMessage(
  type: string,
  what: string,
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
  return { level: "info", text: `${address}: ${what}`, type, members: { change } };
}

function planSummary(plan: StackPlan): UiMessage {
  const counts = countChanges(plan);
  const { add, change, destroy } = counts;
  const imported = counts.import > 0 ? `${counts.import} to import, ` : "";
  const text = `Plan: ${imported}${add} to add, ${change} to change, ${destroy} to destroy.`;
  return summaryMessage("plan", text, counts);
}

export function summaryMessage(
  operation: "plan" | "apply" | "destroy",
  text: string,
  counts: ChangeCounts,
): UiMessage {
  const changes = struct([
    ["add", counts.add],
    ["change", counts.change],
    ["import", counts.import],
    ["remove", counts.destroy],
    ["operation", operation],
  ]);
  return { level: "info", text, type: "change_summary", members: { changes } };
}

function outputChanges(outputs: readonly OutputChange[]): readonly UiMessage[] {
  const changes = outputs.map(({ name, sensitive, action }): [string, JsonTree] => [
    name,
    struct([
      ["sensitive", sensitive],
      ["action", STREAM_ACTIONS[action]],
    ]),
  ]);
  return outputsMessage(Object.fromEntries(changes));
}

/** None where there are no outputs. */
export function outputsMessage(outputs: {
  readonly [name: string]: JsonTree;
}): readonly UiMessage[] {
  const count = Object.keys(outputs).length;
  if (count === 0) return [];
  return [{ level: "info", text: `Outputs: ${count}`, type: "outputs", members: { outputs } }];
}
