import { keyOf, type Json, type JsonObject } from "./json";
import type { Answer, SecondConsoleOptions } from "./options";
import { CHANGED, PATTERNS } from "./world";

/** How the objects of a list are written. */
export interface ObjectList {
  readonly key: string;
  /** An existing key is a conflict, or its object is changed. "none": 405. */
  readonly post: "create" | "upsert" | "none";
  /** Target of a PUT: the list with one object or with many, or an item, which may be new. */
  readonly put: "list" | "item" | "many" | "upsert item" | "generated" | "none";
  /** Answer to a DELETE of nothing. */
  readonly deleteOfNothing: 200 | 404;
  /** Returns what is stored of what was sent. */
  readonly stored?: (sent: JsonObject, options: SecondConsoleOptions) => JsonObject;
  /** Returns what is stored of a new object. Default: `stored`. */
  readonly added?: (sent: JsonObject, options: SecondConsoleOptions) => JsonObject;
  /** Returns what is shown of what is stored. */
  readonly shown?: (stored: JsonObject) => JsonObject;
}

/** Lists of objects by path. */
export const OBJECTS: Readonly<Record<string, ObjectList>> = {
  collections: {
    ...{ key: "name", post: "create", put: "item", deleteOfNothing: 404 },
    stored: (sent) => ({
      ...Object.fromEntries(PATTERNS.map((name) => [name, ["*"]])),
      color: "#A020F0",
      ...sent,
      ...CHANGED,
      prisma: false,
      system: false,
    }),
  },
  users: { key: "username", post: "create", put: "list", deleteOfNothing: 404 },
  "rbac/roles": { key: "name", post: "create", put: "list", deleteOfNothing: 404 },
  groups: { key: "groupName", post: "create", put: "item", deleteOfNothing: 404 },
  credentials: {
    ...{ key: "_id", post: "upsert", put: "none", deleteOfNothing: 404 },
    stored: encrypted,
  },
  "alert-profiles": { key: "name", post: "upsert", put: "none", deleteOfNothing: 404 },
  "custom-compliance": { key: "_id", post: "none", put: "generated", deleteOfNothing: 200 },
  "cloud-scan-rules": {
    ...{ key: "credentialId", post: "none", put: "many", deleteOfNothing: 200 },
    shown: (stored) => ({
      ...stored,
      modified: CHANGED.modified,
      credential: { _id: stored.credentialId, type: "aws", secret: { encrypted: "zzz" } },
    }),
  },
  "policies/runtime/custom-rules": {
    ...{ key: "_id", post: "none", put: "upsert item", deleteOfNothing: 404 },
  },
  "custom-rules": { key: "_id", post: "none", put: "upsert item", deleteOfNothing: 404 },
  tags: {
    ...{ key: "name", post: "create", put: "item", deleteOfNothing: 404 },
    // A new tag has none: they are posted one by one.
    added: (sent) => ({ ...sent, vulns: [] }),
  },
};

/** Encrypts what was sent as plain text; what was answered as encrypted is accepted back. */
function encrypted(sent: JsonObject): JsonObject {
  const members = Object.entries(sent).map(([name, value]) => {
    const plain = typeof value === "object" && value !== null && "plain" in value && value.plain;
    return [name, typeof plain === "string" ? { encrypted: `enc:${plain.length}` } : value];
  });
  return Object.fromEntries(members) as JsonObject;
}

/** A write to a list of objects. */
export interface ObjectWrite {
  readonly method: string;
  readonly list: JsonObject[];
  /** The decoded segment behind the path of the list; undefined for the list itself. */
  readonly id: string | undefined;
  readonly sent: readonly JsonObject[];
}

const NOT_FOUND: Answer = { status: 404, json: { err: "not found" } };

/** Changes a list of objects, and answers. */
export function writeObject(
  { key, post, put, deleteOfNothing, stored = (sent) => sent, added = stored }: ObjectList,
  { method, list, id, sent }: ObjectWrite,
  options: SecondConsoleOptions,
): Answer {
  const at = (value: Json | undefined) => list.findIndex((one) => keyOf(one[key]) === keyOf(value));
  const write = (one: JsonObject, index: number, found: JsonObject = {}) => {
    if (index < 0) list.push(added(one, options));
    else list[index] = stored({ ...found, ...one }, options);
    return { status: 200 };
  };
  const refused = { status: 405, json: { err: `method ${method} not allowed` } };
  const [one = {}] = sent;
  if (method === "DELETE" && id !== undefined) {
    const index = at(id);
    if (index < 0) return deleteOfNothing === 404 ? NOT_FOUND : { status: 200 };
    if (list[index]?.system === true) return { status: 400, json: { err: `${id} is read-only` } };
    list.splice(index, 1);
    return { status: 200 };
  }
  if (method === "POST" && id === undefined && post !== "none") {
    const index = at(one[key]);
    if (index < 0) return write(one, index);
    if (post === "upsert") return write(one, index, list[index]);
    return { status: 409, json: { err: `${keyOf(one[key])} already exists` } };
  }
  if (method !== "PUT" || put === "none") return refused;
  if (id === undefined) {
    if (put === "many") {
      for (const each of sent) write(each, at(each[key]));
      return { status: 200 };
    }
    if (put === "generated") return generated(list, one, key);
    const index = at(one[key]);
    if (put !== "list") return refused;
    return index < 0 ? NOT_FOUND : write(one, index, list[index]);
  }
  const index = at(id);
  if (put === "upsert item") return write({ ...one, [key]: Number(id) }, index);
  if (put !== "item") return refused;
  if (list[index]?.system === true) return { status: 400, json: { err: `${id} is read-only` } };
  return index < 0 ? NOT_FOUND : write(one, index, list[index]);
}

/** Changes the object of an ID, or gives a new one an ID and answers it. */
function generated(list: JsonObject[], one: JsonObject, key: string): Answer {
  const index = one[key] === undefined ? -1 : list.findIndex((each) => each[key] === one[key]);
  const found = list[index];
  if (found) {
    list[index] = { ...found, ...one };
    return { status: 200, json: list[index] };
  }
  const next = { ...one, [key]: Math.max(9000, ...list.map((each) => Number(each[key]))) + 1 };
  list.push(next);
  return { status: 200, json: next };
}
