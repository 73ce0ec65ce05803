import { z } from "zod";
import type { JsonItem } from "../../api/catalogue/described-list";
import { placeAt } from "../../api/catalogue/described-place";
import { segmentProblem } from "../../api/http/request-target";
import { error, type Diagnostic } from "../../core/diagnostics";
import { printed } from "../../core/printed";
import { memberOf } from "../../core/member-of";
import { anything, computed, optional, required, string } from "../../core/schema/attribute";
import {
  isNullValue,
  isUnknownValue,
  UNKNOWN,
  valuesEqual,
  type ObjectValue,
} from "../../core/values";
import { entriesOf } from "../collections/contents";
import { accessToObjects } from "../generic/access";
import { codecOfJson, keyText, textOfKey } from "../generic/codec";
import { inAnyOrder } from "../generic/one-by-one";
import {
  genericResource,
  itemAttributes,
  itemsAt,
  type JsonCollection,
} from "../generic/generic-resource";
import { holds } from "../generic/json-value";

const UPDATES = { PUT: "PUT item", POST: "POST", replace: "replace" } as const;

/** The body of a configuration or a state; empty while it is unknown. */
function bodyOf(object: ObjectValue): ObjectValue {
  return entriesOf(object, "body")[0] ?? {};
}

/** An object of the console that is created, changed and deleted by itself. */
export const consoleObject = genericResource({
  form: "object",
  construct: "ConsoleObject",
  sample: { kind: "collection", body: { name: "payments", images: ["pay/*"] } },
  description:
    "Any object of the console that the API creates, changes and deletes by itself: of a kind of the catalogue, or of a path.",
  list: "body",
  what: "object",
  secrets: "Secret members of the object: an object.",
  attributes: (describedOf) => {
    const id = computed(string(), "The ID, which is the end of the object's path.", {
      requiresReplace: true,
      plan: ({ config, prior }) => describedOf(config)?.plannedId?.(config, prior) ?? UNKNOWN,
    });
    return {
      id,
      ...itemAttributes("list of objects", "an object"),
      id_member: optional(
        string(z.string().min(1)),
        "The member whose value is the end of the object's path. Default: the key.",
      ),
      body: required(
        anything(),
        "The object as the API has it. Members that are not set keep their values on the console. Another key replaces the object.",
      ),
      update: optional(
        string(z.enum(["PUT", "POST", "replace"])),
        "How a change is written: `PUT` to the path of the object, `POST` to `path`, or `replace`, which deletes the object and creates it again. Default: that of the catalogue, else `PUT`.",
      ),
      on_destroy: optional(
        string(z.enum(["delete", "keep"])),
        "Effect of a destroy, as last applied: `delete` deletes the object, `keep` leaves it.",
        { default: "delete" },
      ),
    };
  },
  describedBy: ["member", "key", "id_member", "update"],
  describe: (place, row, own) => {
    const { path, name, ignore, readOnly } = place;
    const { what, member, members } = itemsAt("objects of", place, row, own);
    const { key } = members;
    const { id_member = null, update: given = null } = own;
    const id = typeof id_member === "string" ? id_member : (row?.id ?? key[0] ?? "name");
    const update =
      (typeof given === "string" ? memberOf(UPDATES, given) : row?.update) ?? "PUT item";
    const { numbered, parts } = { ...row };
    const objects = {
      ...placeAt(path, row),
      create: row?.create ?? ("POST" as const),
      ...{ what, member, key, id, update, numbered, parts },
    };
    const accessTo = accessToObjects(objects);
    // There is one, which an object may find by its ID: its key may have changed on the console.
    const one = { ...codecOfJson({ ...members, key: [] }, "body"), isBuiltIn: () => false };
    const codec = parts ? inAnyOrder(one, parts.member) : one;
    const idOf = (one: JsonItem | ObjectValue) => textOfKey(memberOf<unknown>(one, id) ?? "");
    const known = new Map<string, JsonCollection>();
    const keyIn = (object: ObjectValue) =>
      numbered !== undefined && hasNoKey(key, object) ? [numbered] : key;

    const collectionAt = (
      wanted: string,
      ownId: string | undefined,
      by: readonly string[],
    ): JsonCollection => ({
      id:
        name === undefined ? importIdOf(path, own, ownId ?? wanted) : `${name}:${ownId ?? wanted}`,
      place: `${path}/${wanted}`,
      path,
      members,
      what,
      ordered: true,
      single: true,
      created: true,
      ignored: [...ignore, ...readOnly],
      codec,
      identified: (known) => ({ envelope: null, items: [{ [id]: known }] }),
      storedAs: (before, after) => {
        const known = new Set(before.map(idOf));
        const added = after.filter(
          (item) => !known.has(idOf(item)) && isLike(keyText(key, item), wanted),
        );
        return added.length === 1 ? added[0] : undefined;
      },
      createProblem: (planned) => idProblem(id, bodyOf(planned)),
      ownedProblem: ([item]) =>
        path === COLLECTIONS_PATH && item ? systemProblem(item) : undefined,
      idOf: ({ items: [item] }) => (item ? idOf(item) : (ownId ?? "")),
      ...accessTo(
        (items) =>
          items.find((item) => idOf(item) === ownId) ??
          items.find((item) => keyText(by, item) === wanted),
      ),
    });
    return {
      members,
      keyIn,
      collectionOf: (object) => {
        const ownId = typeof object.id === "string" ? object.id : undefined;
        const by = ownId === undefined ? keyIn(object) : key;
        const wanted = knownKey(by, object) ?? ownId;
        if (wanted === undefined) return undefined;
        const text = JSON.stringify([wanted, ownId, by]);
        const collection = known.get(text) ?? collectionAt(wanted, ownId, by);
        known.set(text, collection);
        return collection;
      },
      plannedId: (config, prior) => {
        const ownId = memberOf(bodyOf(config), id) ?? null;
        if (isUnknownValue(ownId) || isUnknownValue(config.body ?? null)) return UNKNOWN;
        if (!isNullValue(ownId)) return idOf(bodyOf(config));
        const isKept =
          prior &&
          (numbered !== undefined || knownKey(key, prior) === knownKey(key, config)) &&
          (update !== "replace" || isSame(prior, config));
        return isKept ? (prior.id ?? null) : UNKNOWN;
      },
    };
  },
  importExample: "collection:payments",
  importIds:
    'The import ID is a kind of the catalogue and the ID of an object, as in "user:audit", or JSON such as {"path": "settings/x", "id_member": "_id", "id": "7"}.',
  readImportId: (importId) => {
    const [, kind, id] = /^([a-z_]+):(.+)$/s.exec(importId) ?? [];
    return [id === undefined ? importId : JSON.stringify({ kind, id }), ""];
  },
});

const COLLECTIONS_PATH = "collections";

/** Refuses a collection such as `All`, which the console changes itself. */
function systemProblem(item: JsonItem): Diagnostic | undefined {
  if (memberOf(item, "system") !== true) return undefined;
  return error(
    "Collection of the console itself",
    printed`${JSON.stringify(textOfKey(memberOf<unknown>(item, "name") ?? ""))} is owned by the console, which changes it itself. Policies can name it; no stack can manage it. If a state has it, run "state rm" with the address of the resource.`,
  );
}

/** Refuses an ID that a path cannot carry: the object would be created, and never be found again. */
function idProblem(id: string, body: ObjectValue): Diagnostic | undefined {
  const value = memberOf(body, id) ?? null;
  if (isNullValue(value) || isUnknownValue(value)) return undefined;
  const problem = segmentProblem(textOfKey(value));
  if (problem === undefined) return undefined;
  const detail = `The path of the object ends with ${JSON.stringify(value)}, and ${problem}. The object could be created, but not be changed or deleted. Choose another ${id}.`;
  return error("Name that a path cannot carry", detail, ["body", id]);
}

/** Consoles change the case of names, blanks, signs and the form of letters, and cut names off. */
function isLike(stored: string, wanted: string): boolean {
  const [a, b] = [stored, wanted].map((name) =>
    name
      .normalize("NFKD")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, ""),
  );
  return a === b || (a !== undefined && a !== "" && b?.startsWith(a) === true);
}

/** The key of the body as text; undefined while it is unknown. */
function knownKey(key: readonly string[], object: ObjectValue): string | undefined {
  const body = bodyOf(object);
  const values = key.map((name) => memberOf(body, name));
  return values.some((value) => isUnknownValue(value) || isNullValue(value ?? null))
    ? undefined
    : keyText(key, body);
}

/** A body that states no key: the console's objects are numbered by the client. */
function hasNoKey(key: readonly string[], object: ObjectValue): boolean {
  return key.every((name) => isNullValue(memberOf(bodyOf(object), name) ?? null));
}

/** An object that is not updated has the same body and secrets. */
function isSame(prior: ObjectValue, { body = null, write_only_version = null }: ObjectValue) {
  return (
    holds(prior.body, body) && valuesEqual(prior.write_only_version ?? null, write_only_version)
  );
}

/** The import ID of an object of a path that the catalogue does not have. */
function importIdOf(path: string, own: ObjectValue, id: string): string {
  const set = Object.entries(own).filter(([, value]) => !isNullValue(value));
  return JSON.stringify({ path, ...Object.fromEntries(set), id });
}
