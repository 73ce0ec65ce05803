import { error, type Diagnostic } from "../../core/diagnostics";
import { sameType, type Type } from "../../core/types";
import { valuesEqual, type AttributePath } from "../../core/values";
import { dynamicTypeAt } from "../evaluation/attributes";
import { formatSubject, locate, type ReplaceTrigger, type ResourceConfig } from "../../language";
import { formatAddress } from "../../core/documents/address";
import type { InstanceKey } from "../../core/documents/state";
import type { ActionReason, ResourceChange } from "../../core/documents/stack-plan";
import { pathOfSteps, reach } from "./attribute-steps";
import type { Planning, StackRun } from "./run";
import type { Target } from "./target";

/**
 * Returns the reason to replace an object that need not be replaced: an element of
 * `replace_triggered_by` that changes, or a request. Undefined if that fails.
 */
export function replaceReason(
  { replace }: Planning["options"],
  run: StackRun,
  { described, instance }: Target,
  { lifecycle, where }: ResourceConfig,
): { readonly reason: ActionReason | undefined } | undefined {
  const missing: Diagnostic[] = [];
  const isTriggered = lifecycle.replaceTriggeredBy.some((trigger) => {
    const key = typeof trigger.key === "object" ? instance.key : trigger.key;
    const changes = changesOf(trigger, key, run);
    if (changes.length === 0) {
      const address = formatAddress({ ...trigger.subject, key });
      missing.push(error(`no change found for ${address} in the root module`, ""));
    }
    return changes.some((change) => changesAt(change, trigger));
  });
  run.report(locate(missing, where));
  if (missing.length > 0) return undefined;
  if (isTriggered) return { reason: "replace_by_triggers" };
  return { reason: replace.has(described.address) ? "replace_by_request" : undefined };
}

/** Returns the planned changes of a resource, with those that do nothing, or of one instance. */
function changesOf(
  { subject, key: given, steps }: ReplaceTrigger,
  key: InstanceKey | undefined,
  run: StackRun,
): readonly ResourceChange[] {
  const all = (run.changes.get(formatSubject(subject)) ?? [])
    .map(({ change }) => change)
    .filter(({ mode, action }) => mode === "managed" || action !== "no-op");
  if (given === undefined && steps.length === 0) return all;
  return all.filter((change) => change.deposed === undefined && change.key === key);
}

/** Only changes of objects that exist count, as in Terraform; one in sensitivity does, too. */
function changesAt(change: ResourceChange, { steps }: ReplaceTrigger): boolean {
  const { action, before, after, beforeSensitive, afterSensitive } = change;
  if (action !== "update" && action !== "delete-then-create" && action !== "create-then-delete") {
    return false;
  }
  if (steps.length === 0) return true;
  const { attributes } = change;
  if (!attributes || !before || !after) return false;
  const [from, to] = [before, after].map((object) => pathOfSteps(attributes, object, steps));
  const path = from ?? to;
  if (!path) return false;
  const old = from && reach(before, from);
  const present = to && reach(after, to);
  if (old === undefined || present === undefined) return old !== present;
  const marks = (paths: readonly AttributePath[]) =>
    paths
      .filter((marked) =>
        marked.every((step, index) => index >= path.length || step === path[index]),
      )
      .map((marked) => JSON.stringify(marked))
      .sort()
      .join();
  const [was, is] = [before, after].map((object) => dynamicTypeAt(attributes, object, path));
  return (
    !valuesEqual(old, present) ||
    !isSameType(was, is) ||
    marks(beforeSensitive) !== marks(afterSensitive)
  );
}

function isSameType(a: Type | undefined, b: Type | undefined): boolean {
  return a === undefined || b === undefined ? a === b : sameType(a, b);
}
