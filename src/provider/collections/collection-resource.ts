import { memberOf } from "../../core/member-of";
import type { Collection } from "../../api/collection-body";
import type { CollectionKind } from "../../api/collections";
import { unlessGone } from "../console/availability";
import { writesOtherwise } from "../console/other-release";
import { learnRelease, type Console } from "../console/connection";
import { knowingItsConsole } from "../console/known-console";
import { onceForEach, onceForPairs } from "../../core/alike";
import { RefusedError } from "../../core/definitions/failure";
import { notReadableYet } from "../console/not-readable";
import { readIfReady } from "../console/setup";
import type {
  DestroyedObject,
  ModifyPlanRequest,
  ModifyPlanResult,
} from "../../core/definitions/resource-definition";
import type { ListedResource } from "../listing";
import type { PrivateState } from "../../core/private-state";
import { isWhollyKnown, valuesEqual, type ObjectValue, type Value } from "../../core/values";
import {
  entriesOf,
  idIn,
  managedKeys,
  ownershipOf,
  stateOfCollection,
  wantedEntries,
} from "./contents";
import {
  destroyCollection,
  leftByDestroy,
  planDestroyOfCollection,
  checkSnapshot,
} from "./destroy-collection";
import { eitherOf, forgetCheckpoint, LeftCheckpoints, type Origin } from "./checkpoint";
import {
  codecOf,
  type CollectionDefinition,
  type ManagedCollection,
  servedCollection,
  type ServedCollections,
} from "./managed-collection";
import { FoundCollections } from "./found";
import { rewrite, type EntryCodec } from "./ownership";
import { remember, plannedFrom, readOthers, withDigest, withWrittenNames } from "./snapshot";
import { rememberCreation } from "./successors";
import { collectionRollback } from "./rollback-collection";
import { maskWriteOnly } from "../console/mask-write-only";
import { confirm, secretsUnknown } from "./written-content";
import { examineCollection } from "./examine-collection";
import { entryKeys, importableParts, importCollection } from "./import-collection";
import { unmanagedMembers } from "./unmanaged-members";
import { changedSincePlan, conflictRefusal, replaceCollection } from "./replace-collection";

/** Defines the resource that manages a collection of the table: one for each console and kind. */
export function collectionResource<Kind extends CollectionKind>(
  definition: CollectionDefinition<Kind>,
): ListedResource {
  return resourceOf(servedCollection(definition));
}

/** Defines the resource that manages collections. */
export function resourceOf<Item extends object>(served: ServedCollections<Item>): ListedResource {
  const { type, category, construct, sample, kind, list, what, constructId } = served;
  const findings = onceForEach(
    (collection: ManagedCollection<Item>) => new FoundCollections(collection),
  );
  /** Consoles whose collection an object has in this run: Terraform plans a tainted one as a creation. */
  const managed = onceForEach<ManagedCollection<Item>, WeakSet<Console>>(() => new WeakSet());

  /** The places that this run has written: Terraform creates two documents of one place in one run. */
  const written = onceForEach<Console, Set<string>>(() => new Set());

  /** A state and a plan that is applied have a collection. */
  const collectionOf = (object: ObjectValue) => {
    const collection = served.collectionOf(object);
    if (!collection) throw new Error(`${type} does not know its collection`);
    return collection;
  };

  /** Computes the wanted collection from the found one. */
  const decide = (
    codec: EntryCodec<Item>,
    planned: ObjectValue,
    config: ObjectValue,
    prior: ObjectValue | null,
    privateState: PrivateState = {},
  ) => {
    const before = entriesOf(prior, list);
    const others = readOthers(privateState);
    const wanted = wantedEntries(collectionOf(planned), codec, planned, config, prior);
    return ({ items }: Collection<Item>) => {
      const managed = managedKeys(codec, planned, before, items, others);
      return rewrite(codec, ownershipOf(planned), items, managed, wanted);
    };
  };

  /** Like `decide`, to write the collection: all write-only values must be known. */
  const decideWrite = (...[codec, planned, ...given]: Parameters<typeof decide>) => {
    const rewritten = decide(codec, planned, ...given);
    return (found: Collection<Item>) => {
      const decision = rewritten(found);
      const [index] = decision.withoutSecrets;
      if (index === undefined) return decision;
      const [entry = {}] = entriesOf(planned, list).slice(index);
      throw new RefusedError(secretsUnknown(codec.keyOfEntry(entry), [list, index, "credential"]));
    };
  };

  /** The object that a create continues: a killed run has written its entries. */
  const continued = (planned: ObjectValue, { written }: Origin) =>
    written ? { ...planned, [list]: written } : null;

  /** Consoles that are alike share what was found, and their stacks the state. */
  const stateOf = onceForEach((codec: EntryCodec<Item>) =>
    onceForPairs((state: ObjectValue, found: Collection<Item>) =>
      stateOfCollection(collectionOf(state), codec, state, found),
    ),
  );

  const withDerived = onceForEach((planned: ObjectValue) => {
    const derived = served.collectionOf(planned)?.derive?.(planned, true);
    return derived ? { ...planned, ...derived } : planned;
  });

  return knowingItsConsole<ListedResource>({
    type,
    category,
    construct,
    sample,
    ...(served.importExample !== undefined && { importExample: served.importExample }),
    ...(served.placeOf && { placeOf: (config: ObjectValue) => served.placeOf?.(config) }),
    collection: {
      ...(kind && { kind }),
      list,
      what,
      constructId,
      unmanagedMembers: (state, ...imported) =>
        unmanagedMembers(collectionOf(state), state, ...imported),
      keysOf: (state, release) => entryKeys(collectionOf(state), state, release),
      partsOf: (state) => importableParts(collectionOf(state)),
    },
    description: served.description,
    version: 0,
    attributes: served.attributes,
    // A create that would lose entries is refused at plan time, after a ping.
    endpoints: ["ping", ...served.endpoints],
    ...(served.endpointsOf && { endpointsOf: served.endpointsOf }),
    noteEndpoints: served.notes?.endpoints ?? [],
    releaseChanges: served.releaseChanges ?? [],

    ...(served.variesByRelease && { learn: learnRelease }),
    validate: (config, console) => served.validate?.(config, console?.client.release) ?? [],

    modifyPlan: async (request) => {
      const { prior, private: privateState } = request;
      const collection = served.collectionOf(request.planned);
      if (!collection) return { planned: request.planned };
      const kept = prior && collection.keepPrior?.(request.planned, prior, request.config);
      const planned = withDerived(kept ?? request.planned);
      const problem = prior === null ? collection.createProblem?.(planned) : undefined;
      if (problem) return { planned, diagnostics: [problem] };
      const checked = await checkCreation(collection, { ...request, planned });
      const isNoOp = prior !== null && valuesEqual(prior, planned);
      const wrong = isNoOp ? undefined : writesOtherwise(request.connection, served.endpoints);
      if (wrong) return { planned, diagnostics: [wrong] };
      const lost = prior === null ? [] : checkSnapshot(collection, prior, planned, privateState);
      const notes = (await served.notes?.of({ ...request, planned })) ?? [];
      return {
        planned,
        ...checked,
        diagnostics: [...(checked.diagnostics ?? []), ...lost, ...notes],
      };
    },

    planDestroy: (prior, privateState) =>
      planDestroyOfCollection(collectionOf(prior), prior, privateState),

    async read(state, privateState, context) {
      const { connection, signal } = context;
      const collection = collectionOf(state);
      const reached = await unlessGone(async () => {
        const codec = await codecOf(collection, context);
        const found = await collection.get(connection.client, signal, "joins");
        if (collection.created && found.items.length === 0) return undefined;
        findings(collection).note(connection, codec, found);
        managed(collection).add(connection);
        await forgetCheckpoint(collection, connection, privateState);
        const others = codec.partOfItem ? (readOthers(privateState) ?? []) : [];
        return {
          state:
            others.length > 0
              ? stateOfCollection(collection, codec, state, found, others)
              : stateOf(codec)(state, found),
          private: remember(collection, codec, state, privateState, found),
        };
      });
      return reached ?? { state: null };
    },

    async create(planned, config, context) {
      const collection = collectionOf(planned);
      // A plan may not know it.
      const problem = collection.createProblem?.(planned);
      if (problem) throw new RefusedError(problem);
      const codec = await codecOf(collection, context, config);
      const left = await LeftCheckpoints.of(collection, codec, context.connection);
      const stateIn = (found: Collection<Item>) => ({ ...planned, id: idIn(collection, found) });
      let origin: Origin | undefined;
      let privateState = {};
      const originOf = (found: Collection<Item>) => (origin ??= left.originOf(planned, found));
      maskWriteOnly(context.connection, config, list);
      const { after, diagnostics } = await replaceCollection(collection, codec, context, {
        plannedFrom: undefined,
        ownership: ownershipOf(planned),
        decide: (found) => {
          // A console always has a document, so a create overwrites what it did not find in its plan.
          const isTaken = collection.single && !collection.created;
          if (isTaken && written(context.connection).has(collection.place)) {
            throw new RefusedError(changedSincePlan(collection.what));
          }
          return decideWrite(codec, planned, config, continued(planned, originOf(found)))(found);
        },
        checkpoint: async (found) => {
          const from = originOf(found);
          const { snapshot } = from;
          const start = snapshot === undefined ? {} : { snapshot };
          const naming = withWrittenNames(collection, codec, config, start);
          privateState = withDigest(naming, found.items, collection);
          const state = stateIn(found);
          await context.checkpoint({ state, private: privateState }, () =>
            left.keep(from, planned),
          );
        },
        refusedWrite: () => left.withdraw(),
      });
      const warnings = origin ? left.warningsOf(origin, planned) : [];
      if (!after) return { state: null, diagnostics: [...warnings, ...diagnostics] };
      const state = stateIn(after);
      written(context.connection).add(collection.place);
      rememberCreation(context.connection, collection, codec, state, after);
      const reached = confirm(
        collection,
        state,
        stateOfCollection(collection, codec, state, after),
      );
      return {
        ...reached,
        diagnostics: [...warnings, ...diagnostics, ...(reached.diagnostics ?? [])],
        private: remember(collection, codec, state, privateState, after),
      };
    },

    async update(prior, planned, config, privateState, context) {
      const collection = collectionOf(planned);
      const codec = await codecOf(collection, context, config, privateState);
      maskWriteOnly(context.connection, config, list);
      const { after, diagnostics } = await replaceCollection(collection, codec, context, {
        plannedFrom: plannedFrom(privateState),
        ownership: ownershipOf(planned),
        decide: decideWrite(codec, planned, config, prior, privateState),
        checkpoint: async () => {
          const state = eitherOf(collection, codec, prior, planned);
          if (state) await context.checkpoint({ state, private: privateState });
        },
      });
      if (!after) return { state: prior, private: privateState, diagnostics };
      const state = { ...planned, id: idIn(collection, after) };
      written(context.connection).add(collection.place);
      const reached =
        diagnostics.length > 0
          ? { state, diagnostics }
          : confirm(collection, state, stateOfCollection(collection, codec, state, after));
      const naming = withWrittenNames(collection, codec, config, privateState);
      return { ...reached, private: remember(collection, codec, state, naming, after) };
    },

    delete: (state, privateState, context) =>
      destroyCollection(collectionOf(state), state, privateState, context),

    import: (importId, context) => {
      const target = served.importTarget(importId);
      return "problem" in target
        ? Promise.resolve({ state: null, diagnostics: [target.problem] })
        : importCollection(collectionOf(target.attributes), target, context);
    },
    examine: (importId, context) => {
      const target = served.importTarget(importId);
      if ("problem" in target) throw new RefusedError(target.problem);
      return examineCollection(collectionOf(target.attributes), context);
    },
    ...(served.importId !== undefined && { importId: served.importId }),
    rollback: collectionRollback(collectionOf),
    others: readOthers,
    // Reviewers compare only what an order decides.
    ...(served.ordered && {
      found: (connection: Console, destroyed: DestroyedObject | null) =>
        findings(collectionOf(destroyed?.state ?? {})).describe(connection, destroyed),
    }),
  });

  /**
   * Refuses a create that would lose entries, if the console is readable at plan time. The create of a
   * replacement finds what its destroy leaves, and must not be refused after it.
   */
  async function checkCreation(
    collection: ManagedCollection<Item>,
    request: ModifyPlanRequest<Console>,
  ): Promise<Omit<ModifyPlanResult, "planned">> {
    const { connection, prior, planned, config, replaced, signal } = request;
    if (connection === undefined || prior !== null) return {};
    // An unknown object is replaced.
    if (!replaced && plannedFrom(request.private) !== undefined) return {};
    const reading = await readIfReady(connection, async () => {
      // Without retries: a console that is not ready must not delay the plan.
      await connection.client.ping(signal);
      const codec = await codecOf(collection, { connection, signal }, config);
      const found = await collection.get(connection.client, signal, "joins");
      findings(collection).note(connection, codec, found);
      const left = await LeftCheckpoints.of(collection, codec, connection);
      return { codec, found, left };
    });
    if ("notReady" in reading) {
      return { diagnostics: [notReadableYet(collection.what, reading.notReady)] };
    }
    if (!isKnown(memberOf(planned, list)) || !isKnown(planned.ownership)) return {};
    const { codec, found, left } = reading.value;
    // The replaced object may have been of another collection.
    const before =
      replaced && collectionOf(replaced.state).place === collection.place ? replaced : undefined;
    const items = before
      ? leftByDestroy(collection, codec, before.state, before.private, found)
      : found.items;
    const origin = left.originOf(planned, { ...found, items });
    const { conflicts, displaced } = decide(
      codec,
      planned,
      config,
      continued(planned, origin),
    )({ ...found, items });
    const isManaged = before !== undefined || managed(collection).has(connection);
    const diagnostics = isManaged ? [] : left.warningsOf(origin, planned);
    if (conflicts.length > 0) {
      return { diagnostics: [...diagnostics, conflictRefusal(collection, conflicts)] };
    }
    return displaced.length > 0 ? { displaced, diagnostics } : { diagnostics };
  }
}

function isKnown(value: Value | undefined): boolean {
  return isWhollyKnown(value ?? null);
}
