import type { JsonItem } from "../../api/catalogue/described-list";
import { printed } from "../../core/printed";
import type { ApplyContext, Outcome } from "../../core/definitions/resource-definition";
import { error, warning, type Diagnostic } from "../../core/diagnostics";
import type { PrivateState } from "../../core/private-state";
import {
  isObjectValue,
  isUnknownValue,
  isWhollyKnown,
  valuesEqual,
  type ObjectValue,
} from "../../core/values";
import { entriesOf } from "../collections/contents";
import { collectionDigest } from "../collections/members";
import { confirm } from "../collections/written-content";
import { unlessGone } from "../console/availability";
import { serially, type Console } from "../console/connection";
import { readIfReady } from "../console/setup";
import { unsetAttributes } from "../collections/import-collection";
import { changedSincePlan } from "../collections/replace-collection";
import {
  endpointsOf,
  importedPlace,
  keptIfHeld,
  placeErrors,
  secretsToWrite,
} from "../generic/described";
import {
  accessOf,
  bodyOf,
  DESCRIBED,
  objectAttributes,
  sameKey,
} from "../generic/described-objects";
import { bodyErrors, entryErrors } from "../generic/entry-errors";
import { holds } from "../generic/json-value";
import { maskWriteOnly } from "../console/mask-write-only";
import { keyOfEntry } from "../generic/list-codec";
import type { ObjectAccess } from "../generic/object-access";
import type { ListedResource } from "../listing";

const TYPE = "cwp_object";
/** At apply and in a state everything is known. */
function knownAccess(object: ObjectValue): ObjectAccess {
  const access = accessOf(object);
  if (!access) throw new Error(`${TYPE} does not know its path`);
  return access;
}

/** The state of a found object; `state` has the members that are managed. */
function stateOfItem(access: ObjectAccess, state: ObjectValue, item: JsonItem): ObjectValue {
  const body = access.codec.decode(item, state.body === null ? undefined : bodyOf(state));
  return {
    ...state,
    id: access.idOf(item),
    body: valuesEqual(body, bodyOf(state)) ? bodyOf(state) : body,
  };
}

function idOf({ id = null }: ObjectValue): string {
  return typeof id === "string" ? id : "";
}

function digestOf({ described }: ObjectAccess, item: JsonItem): PrivateState {
  return { digest: collectionDigest([item], { ordered: true, ignored: described.ignore }) };
}

type Applied = ApplyContext<Console, ObjectValue>;

/** Runs `work` after all other work on the objects of the path, once the run allows an effect. */
async function write<T>(
  access: ObjectAccess,
  context: Applied,
  work: () => Promise<T>,
): Promise<T> {
  await context.beforeWrite();
  return serially(context.connection, access.described.path, work);
}

function secretsOf(config: ObjectValue): ObjectValue | undefined {
  return entriesOf(config, "write_only")[0];
}

async function created(
  access: ObjectAccess,
  planned: ObjectValue,
  secrets: ObjectValue | undefined,
  context: Applied,
): Promise<Outcome<ObjectValue>> {
  const body = bodyOf(planned);
  const found = await access.withKey(body, context);
  if (found && !access.codec.matches(found, body)) {
    return { state: null, diagnostics: [alreadyThere(access, planned, found)] };
  }
  if (!found) await access.create(body, secrets, context);
  else if (secrets) await access.update(body, secrets, found, context);
  return reached(access, planned, context);
}

/** Reads an object back after a write. */
async function reached(
  access: ObjectAccess,
  planned: ObjectValue,
  context: Applied,
): Promise<Outcome<ObjectValue>> {
  const written = { what: access.what, list: "body" };
  const item = await access.withKey(bodyOf(planned), context);
  if (!item) return { ...confirm(written, planned, {}), state: null };
  const state = stateOfItem(access, planned, item);
  return {
    ...confirm(written, { ...planned, id: state.id ?? null }, state),
    private: digestOf(access, item),
  };
}

/** An object of the console that is created, changed and deleted by itself. */
export const consoleObject: ListedResource = {
  type: TYPE,
  category: "Anything else",
  construct: "ConsoleObject",
  sample: { kind: "collection", body: { name: "payments", images: ["pay/*"] } },
  description:
    "Any object of the console that the API creates, changes and deletes by itself: of a kind of the catalogue, or of a path.",
  version: 0,
  attributes: objectAttributes,
  endpoints: ["ping"],
  endpointsOf,
  importExample: "collection:payments",
  placeOf: (config) => {
    const access = accessOf(config);
    const body = bodyOf(config);
    if (!access || isUnknownValue(config.body) || !isWhollyKnown(body)) return undefined;
    return `${access.described.path}/${keyOfEntry(access.described.key, body)}`;
  },

  validate,

  async modifyPlan({ planned, prior, connection, signal }) {
    const access = accessOf(planned);
    const body = planned.body ?? null;
    if (!access || !isWhollyKnown(body)) return { planned };
    if (prior !== null) return { planned: keptIfHeld(planned, prior, "body", holds) };
    if (!connection) return { planned };
    const reading = await readIfReady(connection, async () => {
      await connection.client.ping(signal);
      return access.withKey(bodyOf(planned), { connection, signal }, access.joined);
    });
    const found = "value" in reading ? reading.value : undefined;
    const isTaken = found && !access.codec.matches(found, bodyOf(planned));
    return { planned, diagnostics: isTaken ? [alreadyThere(access, planned, found)] : [] };
  },

  planDestroy: (prior) =>
    prior.on_destroy === "keep"
      ? [
          warning(
            "Console keeps the object",
            'on_destroy is "keep": the object is removed from the state only.',
          ),
        ]
      : [],

  async read(state, _, context) {
    const access = knownAccess(state);
    const item = await unlessGone(() => access.withId(idOf(state), context, access.joined));
    if (!item) return { state: null };
    return { state: stateOfItem(access, state, item), private: digestOf(access, item) };
  },

  create: (planned, config, context) => {
    const access = knownAccess(planned);
    maskWriteOnly(context.connection, config, "body");
    return write(access, context, () => created(access, planned, secretsOf(config), context));
  },

  update: (prior, planned, config, privateState, context) => {
    const access = knownAccess(planned);
    maskWriteOnly(context.connection, config, "body");
    return write(access, context, async (): Promise<Outcome<ObjectValue>> => {
      const failed = (diagnostic: Diagnostic) => ({
        state: prior,
        private: privateState,
        diagnostics: [diagnostic],
      });
      const found = await access.withId(idOf(prior), context);
      const isAsPlanned = found && privateState.digest === digestOf(access, found).digest;
      if (!isAsPlanned) return failed(changedSincePlan(access.what));
      if (access.described.update === "replace" || !sameKey(access, prior, planned)) {
        await access.delete(found, context);
        return created(access, planned, secretsOf(config), context);
      }
      const [secrets] = secretsToWrite(planned, config, prior);
      if (secrets || !access.codec.matches(found, bodyOf(planned))) {
        await access.update(bodyOf(planned), secrets, found, context);
      }
      return reached(access, planned, context);
    });
  },

  delete: (state, privateState, context) => {
    const access = knownAccess(state);
    if (state.on_destroy === "keep") return Promise.resolve({ state: null });
    return write(access, context, async (): Promise<Outcome<ObjectValue>> => {
      const found = await unlessGone(() => access.withId(idOf(state), context));
      if (!found) return { state: null };
      if (privateState.digest !== digestOf(access, found).digest) {
        const diagnostics = [changedSincePlan(access.what)];
        return { state, private: privateState, diagnostics };
      }
      await access.delete(found, context);
      return { state: null };
    });
  },

  async import(importId, context) {
    const target = importTarget(importId);
    const access = target && accessOf(target.attributes);
    if (!access) return { state: null, diagnostics: [error("Invalid import ID", IMPORT_IDS)] };
    const item = await access.withId(target.id, context, access.joined);
    const absent = error(
      "Cannot import a non-existent object",
      `${access.what} have no ${target.id}.`,
    );
    if (!item) return { state: null, diagnostics: [absent] };
    const state = { ...unsetAttributes(objectAttributes), ...target.attributes };
    return { state: stateOfItem(access, state, item), private: digestOf(access, item) };
  },
};

const IMPORT_IDS =
  'The import ID is a kind of the catalogue and the ID of an object, as in "user:audit", or JSON such as {"path": "settings/x", "id_member": "_id", "id": "7"}.';

function importTarget(importId: string): { id: string; attributes: ObjectValue } | undefined {
  const [, name = "", own = ""] = /^([a-z_]+):(.+)$/s.exec(importId) ?? [];
  const given = importedPlace("object", importId.startsWith("{") ? importId : name, [
    ...DESCRIBED,
    "id",
  ]);
  const { id = own, ...attributes } = given ?? {};
  return given && typeof id === "string" && id !== "" ? { id, attributes } : undefined;
}

function validate(config: ObjectValue): readonly Diagnostic[] {
  const errors = placeErrors("object", config, DESCRIBED);
  const access = accessOf(config);
  if (errors.length > 0 || !access) return errors;
  const { described } = access;
  const { body = null } = config;
  return [
    ...(isObjectValue(body) ? entryErrors({ body: [body] }, "body", described) : []),
    ...bodyErrors(config, described),
  ];
}

function alreadyThere(access: ObjectAccess, planned: ObjectValue, found: JsonItem): Diagnostic {
  const { kind: name, path: at } = planned;
  const { id, path: below } = access.described;
  const importId =
    typeof name === "string"
      ? `${name}:${access.idOf(found)}`
      : JSON.stringify({ path: at ?? below, id_member: id, id: access.idOf(found) });
  return error(
    "Object already exists",
    printed`Nothing was written, because the console has another object with the key of the body, and it would be overwritten. Import it, and a plan shows the changes: import ID ${importId}`,
    ["body"],
  );
}
