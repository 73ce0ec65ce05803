import { hasErrors } from "../../core/diagnostics";
import { compareStrings, valuesEqual, type ObjectValue, type Value } from "../../core/values";
import { sensitivePaths } from "../evaluation/attributes";
import { locate } from "../config/located";
import { encodeInstance, type StoredObject } from "../evaluation/stored-objects";
import type { ResourceNode } from "../graph/configuration";
import { formatAddress } from "../../core/documents/address";
import type { InstanceState } from "../../core/documents/state";
import type { ResourceChange } from "../../core/documents/stack-plan";
import { foundBeside } from "./found-collection";
import type { PriorObject } from "./prepared";
import type { Planning, StackRun } from "./run";
import type { Target } from "./target";

/**
 * Records the lifecycle and dependencies of the configuration in the stack's state before it is
 * planned, as Terraform does: they stay if the change fails. Without refresh, dependencies are kept.
 */
export function noteConfiguration(
  { options, dependencies }: Planning,
  run: StackRun,
  target: Target,
  node: ResourceNode,
  object: StoredObject,
): StoredObject {
  const { stored } = object;
  const all = new Set([...stored.dependencies, ...dependencies.addresses(node)]);
  const noted: InstanceState = {
    ...stored,
    ...(options.refresh && { dependencies: [...all].sort(compareStrings) }),
    createBeforeDestroy: dependencies.createsBeforeDestroy(node),
  };
  run.state.set(target.instance, target.providerAddress, noted);
  return { ...object, stored: noted };
}

/** Returns an object as the state has it. */
export function storedObject(object: StoredObject): PriorObject {
  return { ...object, current: object.value, tainted: object.stored.status === "tainted" };
}

/** Refreshes an object, also in the stack's state. If that fails, the run has the diagnostics. */
export async function refreshObject(
  { options, limit }: Planning,
  run: StackRun,
  target: Target,
  object: StoredObject,
): Promise<PriorObject | undefined> {
  if (!options.refresh || run.isRefreshed) return storedObject(object);
  const tainted = object.stored.status === "tainted";
  const { stack, provider, connection, type, instance } = target;
  const { deposed } = object.stored;
  const address = formatAddress(instance);
  const about = { stack, address, ...(deposed !== undefined && { deposed }) };
  const found = await limit.run(async () => {
    if (options.stop.aborted) return undefined;
    options.observe({ type: "refresh_start", ...about, ...idOf(object.value) });
    const read = await provider.read(type, {
      state: object.value,
      private: object.private,
      connection,
      signal: options.abort,
    });
    options.observe({ type: "refresh_complete", ...about, ...idOf(read.state ?? object.value) });
    return read;
  });
  if (!found) return undefined;
  run.report(locate(found.diagnostics, target.where));
  if (hasErrors(found.diagnostics)) return undefined;

  // Stacks that are alike share what is in their states.
  const unchanged = found.state !== null && valuesEqual(found.state, object.value);
  const current = unchanged ? object.value : found.state;
  const refreshed = { ...object, current, private: found.private, tainted };
  store(run, target, object, refreshed);
  return refreshed;
}

/** Stores a refreshed object in the stack's state if it has changed. */
function store(
  { state }: StackRun,
  { instance, schema, providerAddress }: Target,
  { stored, value, private: before, sensitive }: StoredObject,
  { current, private: after, tainted }: PriorObject,
): void {
  const { deposed, dependencies, createBeforeDestroy } = stored;
  if (current === null) {
    state.remove(instance, deposed);
    return;
  }
  const unchanged = valuesEqual(current, value);
  if (unchanged && valuesEqual(after, before)) return;
  const refreshed = encodeInstance(
    schema,
    current,
    { private: after, sensitive, dependencies, createBeforeDestroy, tainted },
    { stored, unchanged },
  );
  state.set(instance, providerAddress, {
    ...refreshed,
    ...(deposed !== undefined && { deposed }),
  });
}

/**
 * Returns the drift that a refresh has found; undefined if there is none. A refresh-only plan, which
 * has no changes, includes objects that were only moved.
 */
export function driftOf(
  { options }: Planning,
  run: StackRun,
  target: Target,
  prior: PriorObject,
): ResourceChange | undefined {
  const same = prior.current !== null && valuesEqual(prior.value, prior.current);
  const previousAddress = run.previousAddress(target.instance);
  if (same && (previousAddress === undefined || options.mode !== "refresh-only")) return undefined;
  const { attributes } = target.schema;
  return {
    ...target.described,
    ...(previousAddress !== undefined && { previousAddress }),
    action: same ? "no-op" : prior.current === null ? "delete" : "update",
    before: prior.value,
    after: prior.current,
    beforeSensitive: sensitivePaths(attributes, prior.value, marksOf(prior)),
    afterSensitive: sensitivePaths(attributes, prior.current, marksOf(prior)),
    replacePaths: [],
    ...foundBeside(target, null),
  };
}

/** Returns the sensitive paths of the state as marks. */
export function marksOf({ sensitive }: Pick<StoredObject, "sensitive">) {
  return sensitive.map((path) => ({ path, sensitive: true, ephemeral: false }));
}

/** Returns the object's ID to show in events. */
export function idOf(value: ObjectValue | null): { id?: string } {
  const id: Value = value?.id ?? null;
  return typeof id === "string" ? { id } : {};
}
