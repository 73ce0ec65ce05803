import { hasErrors } from "../../core/diagnostics";
import type { ReachedObject } from "../../core/operations/run-operation";
import { locate } from "../config/located";
import { encodeInstance } from "../evaluation/stored-objects";
import type { PreparedChange, PriorObject } from "../plan/prepared";
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
  change: PreparedChange,
): Promise<boolean> {
  const target = connectedTarget(run, change);
  const { prior } = change;
  if (!target || !prior?.current) return false;
  const { options } = applying.planning;
  const { address } = change.change;
  const deposed = change.change.deposed ?? applying.deposed.get(change);
  const { instance: at, providerAddress } = target;
  const key = deposed === undefined ? {} : { deposed };
  if (!recordIntent(applying, run, address, "delete")) return false;

  const followed = follow(applying, change, "delete", prior.current);
  // Not for tainted objects and deposed ones, as in Terraform.
  const self = { value: prior.current, sensitive: prior.sensitive };
  const provisioned =
    prior.tainted || deposed !== undefined
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
    prior: prior.current,
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
  { stored, sensitive, tainted }: PriorObject,
  { state, private: privateState }: ReachedObject,
): InstanceState | undefined {
  if (!state) return undefined;
  const { dependencies } = stored;
  const facts = { private: privateState, sensitive, dependencies, tainted };
  const previous = { stored, unchanged: false };
  return encodeInstance(schema, state, { ...facts, createBeforeDestroy: false }, previous);
}
