import type { Collection } from "../../api/collection-body";
import { RefusedError } from "../../core/definitions/failure";
import { error, type Diagnostic } from "../../core/diagnostics";
import { printed } from "../../core/printed";
import type { Outcome, Resource } from "../../core/definitions/resource-definition";
import type { ObjectValue } from "../../core/values";
import type { Console } from "../console/connection";
import { wasTakenForNew } from "../console/setup";
import { maskWriteOnly } from "../console/mask-write-only";
import { eitherOf, LeftCheckpoints, type Origin } from "./checkpoint";
import type { CollectionRun } from "./collection-run";
import { entriesOf, heldBy, idIn, managedKeys, ownershipOf, stateOfCollection } from "./contents";
import { linesOfKeys } from "./lines-of-keys";
import { codecOf, type ManagedCollection } from "./managed-collection";
import type { EntryCodec } from "./ownership";
import { changedSincePlan, replaceCollection, type Written } from "./replace-collection";
import { plannedFrom, remember, withDigest, withWrittenNames } from "./snapshot";
import { rememberCreation } from "./successors";
import { confirmWritten } from "./written-content";

/** Writes a collection for the first time. It may continue a create that was killed. */
export async function createCollection<Item extends object>(
  run: CollectionRun<Item>,
  ...[planned, config, context]: Parameters<Resource<Console>["create"]>
): Promise<Outcome<ObjectValue>> {
  const { list } = run.served;
  const collection = run.collectionOf(planned);
  // A plan may not know it.
  const problem = collection.createProblem?.(planned);
  if (problem) throw new RefusedError(problem);
  const codec = await codecOf(collection, context, config);
  const left = await LeftCheckpoints.of(collection, codec, context.connection);
  const stateIn = (found: Collection<Item>) => ({ ...planned, id: idIn(collection, found) });
  let origin: Origin | undefined;
  let privateState = {};
  const originOf = (found: Collection<Item>) => (origin ??= left.originOf(planned, found));
  let before: Collection<Item> | undefined;
  maskWriteOnly(context.connection, config, list);
  const written = await replaceCollection(collection, codec, context, {
    plannedFrom: undefined,
    ownership: ownershipOf(planned),
    decide: (found) => {
      before ??= found;
      // A console always has a document, so a create overwrites what it did not find in its plan.
      const isTaken = collection.single && !collection.created;
      if (isTaken && run.written(context.connection).has(collection.place)) {
        throw new RefusedError(changedSincePlan(collection));
      }
      const keepsOthers = ownershipOf(planned) !== "exclusive";
      if (!origin && keepsOthers && wasTakenForNew(context.connection)) {
        refuseUnforeseen(collection, codec, found, entriesOf(planned, list));
      }
      const prior = run.continued(planned, originOf(found));
      return run.decideWrite(codec, { planned, config, prior })(found);
    },
    checkpoint: async (found) => {
      const from = originOf(found);
      const { snapshot } = from;
      const start = snapshot === undefined ? {} : { snapshot };
      const naming = withWrittenNames(collection, codec, config, start);
      privateState = withDigest(naming, found.items, collection);
      const state = stateIn(found);
      await context.checkpoint({ state, private: privateState }, () => left.keep(from, planned));
    },
    refusedWrite: () => left.withdraw(),
  });
  const warnings = origin ? [...left.warningsOf(origin, planned)] : [];
  const { diagnostics, unread } = written;
  if (!written.after) return { state: null, diagnostics: [...warnings, ...diagnostics] };
  const renamed = renamedBy(collection, before, written.after);
  const after = renamed ?? written.after;
  if (renamed) warnings.push(otherName(idIn(collection, written.after), idIn(collection, renamed)));
  const state = stateIn(after);
  run.written(context.connection).add(collection.place);
  const held = heldBy(state, list);
  const keys = managedKeys(codec, held, after.items);
  rememberCreation(context.connection, collection, { ownership: held.ownership, keys });
  const reached = reachedBy(collection, codec, state, { after, diagnostics, unread });
  return {
    ...reached,
    diagnostics: [...warnings, ...(reached.diagnostics ?? [])],
    private: remember(collection, codec, { state, private: privateState }, after),
  };
}

/** The object that a create made under another name: the state must have it, or nothing deletes it. */
function renamedBy<Item extends object>(
  collection: ManagedCollection<Item>,
  before: Collection<Item> | undefined,
  after: Collection<Item>,
): Collection<Item> | undefined {
  if (!before?.listed || !after.listed || after.items.length > 0) return undefined;
  const item = collection.storedAs?.(before.listed, after.listed);
  return item && { ...after, items: [item] };
}

function otherName(wanted: string, stored: string): Diagnostic {
  return error(
    "Console gave the object another name",
    printed`The console stored ${JSON.stringify(wanted)} as ${JSON.stringify(stored)}. The state has the object by that name, so that a destroy deletes it. Write ${JSON.stringify(stored)} in the configuration: another name is another object in every plan.`,
  );
}

/**
 * Refuses to write next to entries that the plan did not know, because it took the console for a new
 * one: its review was of the default entries alone.
 */
function refuseUnforeseen<Item extends object>(
  { what }: ManagedCollection<Item>,
  codec: EntryCodec<Item>,
  { items }: Collection<Item>,
  planned: readonly ObjectValue[],
): void {
  if (!codec.isBuiltIn) return;
  const wanted = new Set(planned.map((entry) => codec.keyOfEntry(entry)));
  const names = items
    .filter((item) => codec.isBuiltIn?.(item) === false)
    .map((item) => codec.keyOfItem(item))
    .filter((key) => !wanted.has(key));
  if (names.length === 0) return;
  const refusal = error(
    `The console was set up before, and has other ${what}`,
    printed`Nothing was written, because the plan could not read the console and assumed the default ${what} of a new one. It also has:\n${linesOfKeys(names, Infinity)}\nCreate a new plan, review its effect on them, and apply it.`,
  );
  throw new RefusedError({ ...refusal, isUnforeseen: true });
}

/** Writes the collection of an object that has a state. */
export async function updateCollection<Item extends object>(
  run: CollectionRun<Item>,
  ...[request, context]: Parameters<NonNullable<Resource<Console>["update"]>>
): Promise<Outcome<ObjectValue>> {
  const { prior, planned, config, private: privateState } = request;
  const { list } = run.served;
  const collection = run.collectionOf(planned);
  const codec = await codecOf(collection, context, config, privateState);
  maskWriteOnly(context.connection, config, list);
  const { after, diagnostics, unread } = await replaceCollection(collection, codec, context, {
    plannedFrom: plannedFrom(privateState),
    ownership: ownershipOf(planned),
    decide: run.decideWrite(codec, request),
    checkpoint: async () => {
      const state = eitherOf(collection, codec, prior, planned);
      if (state) await context.checkpoint({ state, private: privateState });
    },
  });
  if (!after) return { state: prior, private: privateState, diagnostics };
  const state = { ...planned, id: idIn(collection, after) };
  run.written(context.connection).add(collection.place);
  const reached = reachedBy(collection, codec, state, { after, diagnostics, unread });
  const naming = withWrittenNames(collection, codec, config, privateState);
  return { ...reached, private: remember(collection, codec, { state, private: naming }, after) };
}

/** The state after a write, and why it is not the planned one. */
function reachedBy<Item extends object>(
  collection: ManagedCollection<Item>,
  codec: EntryCodec<Item>,
  state: ObjectValue,
  {
    after,
    diagnostics,
    unread,
  }: Omit<Written<Item>, "held"> & { readonly after: Collection<Item> },
): Outcome<ObjectValue> {
  if (unread !== undefined) return { state, diagnostics, isUnconfirmed: true };
  const found = stateOfCollection(collection, codec, { state }, after);
  return diagnostics.length > 0
    ? { state: found, diagnostics }
    : confirmWritten(collection, state, found);
}
