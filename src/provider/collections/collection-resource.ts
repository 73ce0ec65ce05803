import type { Collection } from "../../api/collection-body";
import type { CollectionKind, ItemOf } from "../../api/collections";
import { LicenseRequiredError, UnauthorizedError, type ConsoleError } from "../../api/errors";
import { readIfReady, unlessGone } from "../console/availability";
import { learnRelease, type Console } from "../console/connection";
import type { ModifyPlanRequest, ModifyPlanResult } from "../definitions/resource-definition";
import { error, warning, type Diagnostic } from "../diagnostics";
import type { ListedResource } from "../definitions/listing";
import { isWhollyKnown, valuesEqual, type ObjectValue, type Value } from "../values";
import { entriesOf, ownershipOf, stateOfCollection, wantedEntries } from "./contents";
import { destroyCollection, leftByDestroy, planDestroyOfCollection } from "./destroy-collection";
import { importCollection } from "./import-collection";
import { codecOf, type CollectionDefinition, managedCollection } from "./managed-collection";
import { rewrite, type EntryCodec } from "./ownership";
import { remember } from "./remember";
import { plannedFrom, readOthers, takeSnapshot, withDigest } from "./snapshot";
import { rememberCreation } from "./successors";
import { conflictRefusal, replaceCollection } from "./replace-collection";

/** The resource that manages a collection of the console: one per console and kind. */
export function collectionResource<Kind extends CollectionKind>(
  definition: CollectionDefinition<Kind>,
): ListedResource {
  type Item = ItemOf<Kind>;
  const collection = managedCollection(definition);
  const { category, construct, sample, list, what, constructId = definition.id } = definition;

  /** The collection as the stack wants it, made of what is found. */
  const decide =
    (
      codec: EntryCodec<Item>,
      planned: ObjectValue,
      config: ObjectValue,
      prior: ObjectValue | null,
    ) =>
    (found: Collection<Item>) => {
      const managedKeys = entriesOf(prior, collection.list).map((entry) => codec.keyOfEntry(entry));
      const wanted = wantedEntries(collection, codec, planned, config, prior);
      return rewrite(codec, ownershipOf(planned), found.items, managedKeys, wanted);
    };

  return {
    type: collection.type,
    category,
    construct,
    sample,
    collection: { kind: definition.collection, list, what, constructId },
    description: collection.description,
    version: 0,
    attributes: collection.attributes,
    // The refusal of a create that would lose something looks whether the console serves.
    endpoints: ["ping", ...collection.endpoints],
    releaseChanges: collection.releaseChanges ?? [],

    ...(typeof collection.codec === "function" && { learn: learnRelease }),
    validate: (config, console) => collection.validate?.(config, console?.client.release) ?? [],

    modifyPlan: async (request) => {
      const planned = { ...request.planned, ...collection.derive?.(request.planned, true) };
      return { planned, ...(await foreseeCreation({ ...request, planned })) };
    },

    planDestroy: (prior, privateState) => planDestroyOfCollection(collection, prior, privateState),

    async read(state, privateState, context) {
      const { connection, signal } = context;
      const reached = await unlessGone(async () => {
        const codec = await codecOf(collection, context);
        const found = await collection.get(connection.client, signal);
        return {
          state: stateOfCollection(collection, codec, state, found),
          private: remember(collection, codec, state, privateState, found),
        };
      });
      return reached ?? { state: null };
    },

    async create(planned, config, context) {
      const codec = await codecOf(collection, context);
      const state = { ...planned, id: collection.id };
      let privateState = {};
      const { after, diagnostics } = await replaceCollection(
        collection,
        codec,
        context,
        undefined,
        decide(codec, planned, config, null),
        async (found) => {
          privateState = withDigest(
            { snapshot: takeSnapshot(found.items) },
            found.items,
            collection,
          );
          await context.checkpoint({ state, private: privateState });
        },
      );
      if (!after) return { state: null, diagnostics };
      rememberCreation(context.connection, collection, codec, state, privateState);
      return {
        ...confirm(state, stateOfCollection(collection, codec, state, after)),
        private: remember(collection, codec, state, privateState, after),
      };
    },

    async update(prior, planned, config, privateState, context) {
      const codec = await codecOf(collection, context);
      const state = { ...planned, id: collection.id };
      const { after, diagnostics } = await replaceCollection(
        collection,
        codec,
        context,
        plannedFrom(privateState),
        decide(codec, planned, config, prior),
        () => Promise.resolve(),
      );
      if (!after) return { state: prior, private: privateState, diagnostics };
      return {
        ...confirm(state, stateOfCollection(collection, codec, state, after)),
        private: remember(collection, codec, state, privateState, after),
      };
    },

    delete: (state, privateState, context) =>
      destroyCollection(collection, state, privateState, context),

    import: (id, context) => importCollection(collection, id, context),
    importId: collection.id,
    others: readOthers,
  };

  /**
   * Where the console can be read already, a create that would lose something is refused now. So is
   * another ownership: its replacement would be refused only when the destroy is done.
   */
  async function foreseeCreation(
    request: ModifyPlanRequest<Console>,
  ): Promise<Omit<ModifyPlanResult, "planned">> {
    const { connection, prior, planned, config, signal } = request;
    if (connection === undefined) return {};
    const looks =
      prior === null
        ? // The second half of a replacement finds what the first one leaves.
          plannedFrom(request.private) === undefined
        : ownershipOf(prior) !== ownershipOf(planned);
    if (!looks) return {};
    const reading = await readIfReady(async () => {
      // Asks once: a console that does not serve yet must not hold up the plan with retries.
      await connection.client.ping(signal);
      const codec = await codecOf(collection, { connection, signal });
      return { codec, found: await collection.get(connection.client, signal) };
    });
    if ("notReady" in reading) {
      return { diagnostics: [notReadableYet(collection.what, reading.notReady)] };
    }
    if (!isKnown(planned[collection.list]) || !isKnown(planned.ownership)) return {};
    const { codec, found } = reading.value;
    const items = prior
      ? leftByDestroy(collection, codec, prior, request.private, found)
      : found.items;
    const { conflicts, displaced } = decide(codec, planned, config, null)({ ...found, items });
    if (conflicts.length > 0) return { diagnostics: [conflictRefusal(collection, conflicts)] };
    return displaced.length > 0 ? { displaced, diagnostics: [] } : {};
  }

  /** The console has to keep what it was given; if it does not, every plan would differ. */
  function confirm(wanted: ObjectValue, reached: ObjectValue) {
    if (valuesEqual(wanted, reached)) return { state: wanted };
    return {
      state: reached,
      diagnostics: [
        error(
          `The console did not keep the ${collection.what} as they were written`,
          "It accepted the request, but reads back something else: it may have changed or dropped a value that it does not know. A plan shows the difference.",
          [collection.list],
        ),
      ],
    };
  }
}

function isKnown(value: Value | undefined): boolean {
  return isWhollyKnown(value ?? null);
}

// The same summary for every collection, so that renderers can fold them into one.
function notReadableYet(what: string, reason: ConsoleError): Diagnostic {
  return warning(
    "The console is not readable yet",
    `${notReady(reason)}\n\nWhether it has ${what} that this stack does not know is looked at when the plan is applied; they are not lost then, the apply is refused.`,
  );
}

/** Before the first apply these are as they should be, so they are not told as failures. */
function notReady(reason: ConsoleError): string {
  if (reason instanceof UnauthorizedError) {
    return "It refuses the credentials: either it is not set up yet, or they are wrong.";
  }
  return reason instanceof LicenseRequiredError
    ? "It has no license yet."
    : `It does not answer: ${reason.message}`;
}
