import type { CollectionKind } from "../../api/collections";
import { RefusedError } from "../../core/definitions/failure";
import type { KeptObject } from "../../core/definitions/resource-definition";
import type { ObjectValue } from "../../core/values";
import { learnRelease, type Console } from "../console/connection";
import { knowingItsConsole } from "../console/known-console";
import type { ListedResource } from "../listing";
import { CollectionRun } from "./collection-run";
import { destroyCollection, planDestroyOfCollection } from "./destroy-collection";
import { examineCollection } from "./examine-collection";
import { entryKeys, importableParts, importCollection } from "./import-collection";
import {
  servedCollection,
  type CollectionDefinition,
  type ServedCollections,
} from "./managed-collection";
import { checkCollectionPlan } from "./plan-collection";
import { readCollectionState } from "./read-collection";
import { collectionRollback } from "./rollback-collection";
import { readOthers } from "./snapshot";
import { unmanagedMembers } from "./unmanaged-members";
import { createCollection, updateCollection } from "./write-collection";

/** Defines the resource that manages a collection of the table: one for each console and kind. */
export function collectionResource<Kind extends CollectionKind>(
  definition: CollectionDefinition<Kind>,
): ListedResource {
  return resourceOf(servedCollection(definition));
}

/** Defines the resource that manages collections. */
export function resourceOf<Item extends object>(served: ServedCollections<Item>): ListedResource {
  const { type, category, construct, sample, kind, list, what, constructId } = served;
  const run = new CollectionRun(served);
  const collectionOf = (object: ObjectValue) => run.collectionOf(object);
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

    modifyPlan: (request) => checkCollectionPlan(run, request),
    planDestroy: (prior, privateState) =>
      planDestroyOfCollection(collectionOf(prior), prior, privateState),

    read: (...given) => readCollectionState(run, ...given),
    create: (...given) => createCollection(run, ...given),
    update: (...given) => updateCollection(run, ...given),
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
      found: (connection: Console, destroyed: KeptObject | null) =>
        run.findings(collectionOf(destroyed?.state ?? {})).describe(connection, destroyed),
    }),
  });
}
