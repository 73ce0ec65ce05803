import { hasErrors } from "../../core/diagnostics";
import type { OperationResult } from "../../core/operations/run-operation";
import { equalButForNotes } from "../../core/schema/noted";
import { compareStrings, valuesEqual } from "../../core/values";
import { sensitivePaths } from "../evaluation/attributes";
import { answered } from "../evaluation/provider-diagnostics";
import { errorAt, locate } from "../../language";
import {
  encodeInstance,
  idOf,
  isTainted,
  marked,
  marksOf,
  type StoredObject,
} from "../evaluation/stored-objects";
import { formatAddress } from "../../core/documents/address";
import type { InstanceState } from "../../core/documents/state";
import type { ResourceChange } from "../../core/documents/stack-plan";
import type { Planning, StackRun } from "./run";
import type { Target } from "./target";

/** Reads the object to import. Null without an ID; undefined if that fails: the run has the diagnostics. */
export async function importInstance(
  planning: Planning,
  run: StackRun,
  target: Target,
  id: string | undefined,
): Promise<StoredObject | null | undefined> {
  const { options, limit } = planning;
  if (id === undefined) return null;
  const { stack, where } = target;
  return limit.run(async () => {
    if (options.stop.aborted) return undefined;
    options.observe({ type: "import_planned", stack, address: where.address, id });
    return findObject(planning, run, target, { id });
  });
}

/**
 * Records the lifecycle and dependencies of the configuration in the stack's state before it is
 * planned, as Terraform does: they stay if the change fails.
 *
 * @param configured Without dependencies, those of the state are kept.
 */
export function noteConfiguration(
  run: StackRun,
  { instance, providerAddress }: Target,
  object: StoredObject,
  {
    dependencies,
    createBeforeDestroy,
  }: Pick<InstanceState, "createBeforeDestroy"> & Partial<Pick<InstanceState, "dependencies">>,
): StoredObject {
  const { stored } = object;
  const needs = dependencies
    ? [...new Set([...stored.dependencies, ...dependencies])].sort(compareStrings)
    : stored.dependencies;
  if (
    stored.createBeforeDestroy === createBeforeDestroy &&
    run.state.providerOf(instance) === providerAddress &&
    valuesEqual(stored.dependencies, needs)
  ) {
    return object;
  }
  const noted: InstanceState = { ...stored, dependencies: needs, createBeforeDestroy };
  run.state.set(instance, providerAddress, noted);
  run.recordsConfiguration = true;
  return { ...object, stored: noted };
}

/** Refreshes an object and adds its drift to the run. Deposed objects have none. See `refreshObject`. */
export async function refreshInstance(
  planning: Planning,
  run: StackRun,
  target: Target,
  object: StoredObject,
): Promise<StoredObject | null | undefined> {
  const now = await refreshObject(planning, run, target, object);
  const drift =
    now !== undefined && object.stored.deposed === undefined
      ? driftOf(planning, run, target, { before: object, now })
      : undefined;
  if (drift) run.drift.push(drift);
  return now;
}

/**
 * Refreshes an object, also in the stack's state. Null if it no longer exists; undefined if it could
 * not be read: the run has the diagnostics.
 */
async function refreshObject(
  { options, limit }: Planning,
  run: StackRun,
  target: Target,
  object: StoredObject,
): Promise<StoredObject | null | undefined> {
  if (!options.refresh || run.isRefreshed) return object;
  const { stack, provider, connection, type, instance, providerAddress } = target;
  const { deposed } = object.stored;
  const address = formatAddress(instance);
  const about = { stack, address, ...(deposed !== undefined && { deposed }) };
  const read = await limit.run(async () => {
    if (options.stop.aborted) return undefined;
    options.observe({ type: "refresh_start", ...about, ...idOf(object.value) });
    const found = await provider.read(type, {
      state: object.value,
      private: object.private,
      connection,
      signal: options.abort,
    });
    options.observe({ type: "refresh_complete", ...about, ...idOf(found.state ?? object.value) });
    return found;
  });
  if (!read) return undefined;
  run.report(answered(read.diagnostics, target.where, marked(object)));
  if (hasErrors(read.diagnostics)) return undefined;
  const refreshed = asRead(target, object, read);
  if (!refreshed) run.state.remove(instance, deposed);
  else if (refreshed !== object) run.state.set(instance, providerAddress, refreshed.stored);
  return refreshed;
}

/** Returns an object as its provider has read it: the same one if nothing has changed. */
function asRead(
  { schema }: Target,
  object: StoredObject,
  { state, private: privateState }: OperationResult,
): StoredObject | null {
  if (state === null) return null;
  const { stored, sensitive } = object;
  const unchanged = valuesEqual(state, object.value);
  if (unchanged && valuesEqual(privateState, object.private)) return object;
  // Stacks that are alike share what is in their states.
  const value = unchanged ? object.value : state;
  const { deposed, dependencies, createBeforeDestroy } = stored;
  const tainted = isTainted(object);
  const facts = { private: privateState, sensitive, dependencies, createBeforeDestroy, tainted };
  const encoded = encodeInstance(schema, value, facts, { stored, unchanged });
  return {
    stored: { ...encoded, ...(deposed !== undefined && { deposed }) },
    value,
    private: privateState,
    sensitive,
  };
}

/**
 * Finds an object by its ID: imports it, then reads it. The stack's state gets it later. If that fails, the run
 * has the diagnostics.
 *
 * @param wanted `prepared` is called when the provider has found the object.
 */
export async function findObject(
  { options: { observe, stop, abort } }: Planning,
  run: StackRun,
  { stack, type, provider, connection, where, schema }: Target,
  { id, prepared }: { readonly id: string; readonly prepared?: () => void },
): Promise<StoredObject | undefined> {
  const about = { stack, address: where.address };
  const call = { connection, signal: abort };
  const imported = await provider.import(type, id, call);
  run.report(locate(imported.diagnostics, where));
  if (stop.aborted || hasErrors(imported.diagnostics)) return undefined;
  const { state, private: privateState } = imported;
  if (!state) {
    run.report([notThere(where, id)]);
    return undefined;
  }
  prepared?.();
  observe({ type: "refresh_start", ...about, ...idOf(state) });
  const read = await provider.read(type, { ...call, state, private: privateState });
  observe({ type: "refresh_complete", ...about, ...idOf(read.state ?? state) });
  run.report(locate(read.diagnostics, where));
  if (hasErrors(read.diagnostics)) return undefined;
  if (!read.state) {
    run.report([notThere(where, id)]);
    return undefined;
  }
  const sensitive = sensitivePaths(schema.attributes, read.state);
  const found = { value: read.state, private: read.private, sensitive };
  const facts = { ...found, dependencies: [], createBeforeDestroy: false };
  return { ...found, stored: encodeInstance(schema, read.state, facts) };
}

function notThere(where: Target["where"], id: string) {
  return errorAt(
    where,
    "Cannot import non-existent remote object",
    `The console has no object with the ID ${JSON.stringify(id)}. An apply creates it.`,
  );
}

/**
 * Returns the drift that a refresh has found; undefined if there is none. A refresh-only plan, which
 * has no changes, includes objects that were only moved.
 */
function driftOf(
  { options }: Planning,
  run: StackRun,
  target: Target,
  found: { readonly before: StoredObject; readonly now: StoredObject | null },
): ResourceChange | undefined {
  const { value: before, ...object } = found.before;
  const after = found.now?.value ?? null;
  const { attributes } = target.schema;
  const isRefresh = options.mode === "refresh-only";
  const same =
    after !== null &&
    (isRefresh ? valuesEqual(before, after) : equalButForNotes(attributes, before, after));
  const previousAddress = run.previousAddress(target.instance);
  if (same && (previousAddress === undefined || !isRefresh)) return undefined;
  const marks = marksOf(object);
  return {
    ...target.described,
    ...(previousAddress !== undefined && { previousAddress }),
    action: same ? "no-op" : after === null ? "delete" : "update",
    before,
    after,
    beforeSensitive: sensitivePaths(attributes, before, marks),
    afterSensitive: sensitivePaths(attributes, after, marks),
    replacePaths: [],
    ...foundBeside(target, null),
  };
}

/**
 * Returns the member of a change that holds the console's collection around its object.
 *
 * @param destroyed The object before the change, if the change destroys it.
 */
export function foundBeside(
  { provider, type, connection }: Target,
  destroyed: StoredObject | null,
): Pick<ResourceChange, "found"> {
  const object = destroyed && { state: destroyed.value, private: destroyed.private };
  const found = provider.found(type, connection, object);
  return found ? { found } : {};
}
