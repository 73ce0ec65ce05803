import { hasErrors } from "../../core/diagnostics";
import type { OperationResult } from "../../core/operations/run-operation";
import { encodeInstance, isTainted, marked } from "../evaluation/stored-objects";
import { answered } from "../evaluation/provider-diagnostics";
import type { InstanceState } from "../../core/documents/state";
import type { Pause } from "../graph/walk";
import type { PlannedInstance } from "../plan/planned-instance";
import { hasProvisioners, provision } from "./provision";
import type { StackApply } from "./stack-apply";

/** Destroys an object, or the deposed object of a replacement; false if that fails. */
export async function destroyObject(
  applying: StackApply,
  planned: PlannedInstance,
  pause: Pause,
): Promise<boolean> {
  const { run, options } = applying;
  if (planned.imported && !(await applying.reportImport(planned, pause))) return false;
  const present = applying.connected(planned);
  const { prior, change } = planned;
  if (!present || !prior) return false;
  const { target } = present;
  const deposed = change.deposed ?? applying.deposed.get(change);
  const key = deposed === undefined ? {} : { deposed };
  const operation = await applying.begin(planned, "delete", pause);
  if (!operation) return false;

  // Not for tainted objects and deposed ones, as in Terraform.
  const provisions =
    !isTainted(prior) && deposed === undefined && hasProvisioners(run, target, "destroy");
  if (provisions && !(await operation.mayWrite())) {
    operation.end(true, null);
    return false;
  }
  const provisioned = provisions ? await provision(applying, present, "destroy", prior) : [];
  run.report(provisioned);
  if (hasErrors(provisioned)) {
    operation.end(true, null);
    await applying.store(target, { ...key, instance: { ...prior.stored, ...key } });
    return false;
  }
  const reached = await target.provider.apply(target.type, {
    prior: prior.value,
    planned: null,
    config: null,
    private: prior.private,
    connection: target.connection,
    signal: options.abort,
    ...operation.callbacks,
  });
  const failed = hasErrors(reached.diagnostics);
  operation.end(failed, null);
  if (operation.isRefused) return false;
  run.report(answered(reached.diagnostics, target.where, marked(prior)));
  const left = failed ? leftOf(planned, reached) : undefined;
  const stored = await applying.store(target, {
    ...key,
    instance: left ? { ...left, ...key } : null,
  });
  if (!failed) applying.counts.destroy++;
  return !failed && stored;
}

/** Encodes an object that still exists. Its state has no create_before_destroy, as in Terraform. */
function leftOf(
  { target, prior }: PlannedInstance,
  { state, private: privateState }: OperationResult,
): InstanceState | undefined {
  if (!state || !prior) return undefined;
  const { stored, sensitive } = prior;
  const { dependencies } = stored;
  const tainted = isTainted(prior);
  const facts = { private: privateState, sensitive, dependencies, tainted };
  const previous = { stored, unchanged: false };
  return encodeInstance(target.schema, state, { ...facts, createBeforeDestroy: false }, previous);
}

/** Removes an object from the state and keeps it on the console; false if that fails. */
export function forget(
  applying: StackApply,
  { change, target }: PlannedInstance,
): Promise<boolean> {
  return applying.store(target, { deposed: change.deposed, instance: null });
}
