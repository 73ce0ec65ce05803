import { hasErrors } from "../../core/diagnostics";
import type { OperationResult } from "../../core/operations/run-operation";
import { locate } from "../config/located";
import { encodeInstance, isTainted, type StoredObject } from "../evaluation/stored-objects";
import type { PlannedInstance } from "../plan/planned-instance";
import type { StackRun } from "../plan/run";
import type { Target } from "../plan/target";
import { provision } from "./provision";
import type { InstanceState } from "../../core/documents/state";
import {
  connectedTarget,
  count,
  follow,
  recordInstance,
  recordIntent,
  type Applying,
} from "./applying";

/** Destroys an object, or the deposed object of a replacement; false if that fails. */
export async function destroy(
  applying: Applying,
  run: StackRun,
  change: PlannedInstance,
): Promise<boolean> {
  const target = connectedTarget(run, change);
  const { prior } = change;
  if (!target || !prior) return false;
  const { options } = applying.planning;
  const { address } = change.change;
  const deposed = change.change.deposed ?? applying.deposed.get(change);
  const { instance: at, providerAddress } = target;
  const key = deposed === undefined ? {} : { deposed };
  if (!recordIntent(applying, run, address, "delete")) return false;

  const followed = follow(applying, change, "delete", prior.value);
  // Not for tainted objects and deposed ones, as in Terraform.
  const self = { value: prior.value, sensitive: prior.sensitive };
  const provisioned =
    isTainted(prior) || deposed !== undefined
      ? []
      : await provision(options, run, change, "destroy", self);
  run.report(provisioned);
  if (hasErrors(provisioned)) {
    followed.end(true, null);
    const instance = { ...prior.stored, ...key };
    await recordInstance(applying, run, change, providerAddress, { ...key, instance });
    return false;
  }
  const reached = await target.provider.apply(target.type, {
    prior: prior.value,
    planned: null,
    config: null,
    private: prior.private,
    connection: target.connection,
    signal: options.abort,
    progress: followed.progress,
  });
  run.report(locate(reached.diagnostics, target.where));
  const failed = hasErrors(reached.diagnostics);
  followed.end(failed, null);
  const left = failed ? leftOf(target, prior, reached) : undefined;
  const kept = left ? { ...left, ...key } : null;
  if (kept) run.state.set(at, providerAddress, kept);
  else run.state.remove(at, deposed);
  const entry = { ...key, instance: kept };
  const recorded = await recordInstance(applying, run, change, providerAddress, entry);
  if (!failed) count(applying, run, "destroy");
  return !failed && recorded;
}

/** Encodes an object that still exists. Its state has no create_before_destroy, as in Terraform. */
function leftOf(
  { schema }: Target,
  prior: StoredObject,
  { state, private: privateState }: OperationResult,
): InstanceState | undefined {
  if (!state) return undefined;
  const { stored, sensitive } = prior;
  const { dependencies } = stored;
  const tainted = isTainted(prior);
  const facts = { private: privateState, sensitive, dependencies, tainted };
  const previous = { stored, unchanged: false };
  return encodeInstance(schema, state, { ...facts, createBeforeDestroy: false }, previous);
}
