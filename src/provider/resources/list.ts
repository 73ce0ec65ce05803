import { z } from "zod";
import { type JsonItem, listRow } from "../../api/catalogue/described-list";
import { error, type Diagnostic } from "../../core/diagnostics";
import { anything, computed, optional, required, string } from "../../core/schema/attribute";
import {
  isListValue,
  isObjectValue,
  UNKNOWN,
  type ObjectValue,
  type Value,
} from "../../core/values";
import {
  clearNeedsExclusive,
  entriesReview,
  onDestroyAttribute,
  ownershipAttribute,
} from "../collections/collection-attributes";
import { resourceOf } from "../collections/collection-resource";
import { entriesOf, ownershipOf, placeOfOthers } from "../collections/contents";
import { accessTo, type ManagedCollection } from "../collections/managed-collection";
import {
  describedBy,
  endpointsOf,
  importedPlace,
  itemAttributes,
  keptIfHeld,
  placeAttributes,
  placeErrors,
  placeName,
  placeOf,
  secretAttributes,
  secretsToWrite,
  texts,
} from "../generic/described";
import { entryErrors, memberErrors, writeOnlyErrors } from "../generic/entry-errors";
import { holds } from "../generic/json-value";
import { type ItemMembers, listCodec } from "../generic/list-codec";

const { kind, path, unlisted, ignore } = placeAttributes("list");
const { member, key } = itemAttributes("list", "an entry");

const listAttributes = {
  id: computed(string(), "The kind, or the path.", {
    plan: ({ config }) => describedList(config)?.id ?? UNKNOWN,
  }),
  kind,
  path,
  member,
  key,
  order: optional(
    string(z.enum(["significant", "none"])),
    "`none` if the order of the entries has no meaning. Default: `significant`.",
  ),
  ownership: ownershipAttribute(
    ["prefix", "suffix", "shared"],
    "Ownership of the console's entries. `exclusive`: all entries. `prefix`, `suffix`: the first or the last ones. `shared`, for a list without order: those of the configuration. Unmanaged entries are kept.",
  ),
  on_destroy: onDestroyAttribute(),
  entries: required(
    anything(),
    "The entries: a list of objects as the API has them. Members that are not set keep their values on the console; nested objects are compared by member, lists as a whole.",
    {
      review: entriesReview("", ["entry", "entries"], ["name"], {
        others: placeOfOthers,
        of: (object) => {
          const described = describedList(object);
          return described && { key: described.members.key, ordered: described.ordered };
        },
      }),
    },
  ),
  ignore,
  ...secretAttributes(
    "Secrets of the entries: a list of objects, each with the key of its entry and the secret members.",
    { plainMembers: (object) => describedList(object)?.members.key ?? [] },
  ),
  method: optional(
    string(z.enum(["PUT", "POST"])),
    "Method that replaces the list. Default: `PUT`.",
  ),
  unlisted,
};

const DESCRIBED = ["member", "key", "order", "method"];

interface List extends ManagedCollection<JsonItem> {
  readonly members: ItemMembers;
}

const describedList = describedBy("list", DESCRIBED, (place, row, own): List => {
  const { path: at, name } = place;
  const { member: inside = null, key: keys = null, order = null, method = null } = own;
  const { moved, since, secrets = [], title } = { ...row };
  const described = {
    path: at,
    ...(moved && { moved }),
    ...(since && { since }),
    what: title === undefined ? `entries of ${at}` : lowerFirst(title),
    member: typeof inside === "string" ? inside : row?.member,
    key: texts(keys) ?? row?.key ?? ["name"],
    method: method === "POST" ? method : (row?.method ?? "PUT"),
  };
  const members = { key: described.key, ignore: place.ignore, secrets };
  const codec = listCodec(members);
  return {
    type: TYPE,
    attributes: listAttributes,
    id: name ?? idOf(at, inside, keys),
    place: placeName(TYPE, at),
    what: described.what,
    list: "entries",
    ordered: (order ?? row?.order ?? "significant") === "significant",
    ignored: place.ignore,
    codec,
    members,
    ...accessTo(listRow(described)),
    keepPrior: (planned, prior) => keptIfHeld(planned, prior, "entries", holds),
    configured: (planned, config, prior) => {
      const managed = new Set(entriesOf(prior, "entries").map((entry) => codec.keyOfEntry(entry)));
      return secretsToWrite(planned, config, prior, (one) => managed.has(codec.keyOfEntry(one)));
    },
  };
});

/** The import ID of a path that the catalogue does not have. */
function idOf(at: string, inside: Value, keys: Value): string {
  if (inside === null && keys === null) return at;
  return JSON.stringify({ path: at, member: inside ?? undefined, key: keys ?? undefined });
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

const TYPE = "cwp_list";

/** A list of the console that a kind of the catalogue or the configuration describes. */
export const consoleList = resourceOf<JsonItem>({
  type: TYPE,
  category: "Anything else",
  construct: "ConsoleList",
  constructId: "list",
  sample: {
    kind: "admission_policy",
    entries: [{ name: "no privileged pods", effect: "block", script: "match" }],
  },
  description:
    "Any list of the console that the API reads and replaces as a whole: a kind of the catalogue, or a path. Unmanaged entries and members that are not set are kept.",
  attributes: listAttributes,
  list: "entries",
  what: "entries",
  importExample: "admission_policy",
  ordered: false,
  endpoints: [],
  variesByRelease: false,
  placeOf: (config) => placeOf(config)?.path,
  endpointsOf,
  collectionOf: describedList,
  importTarget: (importId) => {
    const [, id = "", part = ""] = /^(.*?)((?::(?:prefix|suffix):\d+)?)$/s.exec(importId) ?? [];
    const attributes = importedPlace("list", id, DESCRIBED);
    const collection = attributes && describedList(attributes);
    return collection
      ? { attributes, id: `${collection.id}${part}` }
      : { problem: error("Invalid import ID", IMPORT_IDS) };
  },
  validate: (config) => validate(config),
});

const IMPORT_IDS =
  'The import ID is a kind of the catalogue, or JSON such as {"path": "settings/x", "member": "rules", "key": ["name"], "unlisted": true}; with ":prefix:N" or ":suffix:N" behind it, the first or the last N entries are imported.';

function validate(config: ObjectValue): readonly Diagnostic[] {
  const errors = [...placeErrors("list", config, DESCRIBED), ...clearNeedsExclusive(config)];
  const described = describedList(config);
  if (errors.length > 0 || !described) return errors;
  const { members, ordered } = described;
  const { entries = null } = config;
  return [
    ...ownershipErrors(config, ordered),
    ...entryErrors(config, "entries", members),
    ...(isListValue(entries) ? entries : []).flatMap((entry, index) =>
      isObjectValue(entry) ? memberErrors(entry, members, ["entries", index]) : [],
    ),
    ...entryErrors(config, "write_only", members),
    ...writeOnlyErrors(config, "entries", members),
  ];
}

function ownershipErrors(config: ObjectValue, ordered: boolean): readonly Diagnostic[] {
  const ownership = ownershipOf(config);
  const needs = { exclusive: ordered, prefix: true, suffix: true, shared: false }[ownership];
  if (needs === ordered) return [];
  const detail = `ownership = "${ownership}" needs a list ${needs ? "with" : "without"} an order.`;
  return [error("Invalid attribute combination", detail, ["ownership"])];
}
