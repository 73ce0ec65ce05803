import { z } from "zod";
import { type JsonItem, listRow } from "../../api/catalogue/described-list";
import { memberOf } from "../../core/member-of";
import { error, type Diagnostic } from "../../core/diagnostics";
import { anything, computed, optional, required, string } from "../../core/schema/attribute";
import {
  isListValue,
  isObjectValue,
  isUnknownValue,
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
  endpointsOf,
  hasUnknown,
  importedPlace,
  isNewVersion,
  itemAttributes,
  placeAttributes,
  placeErrors,
  placeOf,
  secretAttributes,
  texts,
  type Place,
} from "../generic/described";
import { entryErrors, memberErrors, writeOnlyErrors } from "../generic/entry-errors";
import { holds } from "../generic/json-value";
import { listCodec } from "../generic/list-codec";

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
          return described && { key: described.key, ordered: described.ordered };
        },
      }),
    },
  ),
  ignore,
  ...secretAttributes(
    "Secrets of the entries: a list of objects, each with the key of its entry and the secret members.",
    { plainMembers: (object) => describedList(object)?.key ?? [] },
  ),
  method: optional(
    string(z.enum(["PUT", "POST"])),
    "Method that replaces the list. Default: `PUT`.",
  ),
  unlisted,
};

const DESCRIBED = ["member", "key", "order", "method"];

interface List extends ManagedCollection<JsonItem> {
  readonly key: readonly string[];
  readonly secrets: readonly string[];
}

/** The lists by what describes them: each has one object, which its states share. */
const lists = new Map<string, List>();

/** The list that a configuration or a state describes; undefined while that is unknown. */
function describedList(object: ObjectValue): List | undefined {
  const place = placeOf(object);
  const own = DESCRIBED.map((name) => memberOf(object, name) ?? null);
  if (!place || own.some(hasUnknown)) return undefined;
  const description = JSON.stringify([place.path, place.name, place.ignore, ...own]);
  const known = lists.get(description) ?? newList(place, own);
  lists.set(description, known);
  return known;
}

function newList(
  { path: at, name, kind: row, ignore: ignored }: Place,
  [inside = null, keys = null, order = null, method = null]: readonly Value[],
): List {
  const base = row?.form === "list" ? row : undefined;
  const { moved, since, secrets = [], title } = { ...base };
  const described = {
    path: at,
    ...(moved && { moved }),
    ...(since && { since }),
    what: title === undefined ? `entries of ${at}` : lowerFirst(title),
    member: typeof inside === "string" ? inside : base?.member,
    key: texts(keys) ?? base?.key ?? ["name"],
    method: method === "POST" ? method : (base?.method ?? "PUT"),
  };
  const ordered = (order ?? base?.order ?? "significant") === "significant";
  const codec = listCodec({ key: described.key, ignore: ignored, secrets });
  return {
    type: TYPE,
    attributes: listAttributes,
    id: name ?? idOf(at, inside, keys),
    place: [TYPE, ...at.split("/")].join("+"),
    what: described.what,
    list: "entries",
    ordered,
    ignored,
    codec,
    key: described.key,
    secrets,
    ...accessTo(listRow(described)),
    keepPrior: (planned, prior) => {
      const { entries: before = null } = prior;
      return !isUnknownValue(planned.entries) && holds(before, planned.entries ?? null)
        ? { ...planned, entries: before }
        : planned;
    },
    configured: (planned, config, prior) => {
      const all = entriesOf(config, "write_only");
      if (!prior || isNewVersion(planned, prior)) return all;
      const managed = new Set(entriesOf(prior, "entries").map((entry) => codec.keyOfEntry(entry)));
      return all.filter((entry) => !managed.has(codec.keyOfEntry(entry)));
    },
  };
}

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
    const attributes = importedPlace(id, IMPORTED);
    const collection = attributes && describedList(attributes);
    if (collection && placeErrors("list", attributes, []).length === 0) {
      return { attributes, id: `${collection.id}${part}` };
    }
    return { problem: error("Invalid import ID", IMPORT_IDS) };
  },
  validate: (config) => validate(config),
});

const IMPORTED = ["kind", "path", "member", "key", "order", "ignore", "unlisted"];
const IMPORT_IDS =
  'The import ID is a kind of the catalogue, or JSON such as {"path": "settings/x", "member": "rules", "key": ["name"], "unlisted": true}; with ":prefix:N" or ":suffix:N" behind it, the first or the last N entries are imported.';

function validate(config: ObjectValue): readonly Diagnostic[] {
  const errors = [...placeErrors("list", config, DESCRIBED), ...clearNeedsExclusive(config)];
  const described = describedList(config);
  if (errors.length > 0 || !described) return errors;
  const members = {
    key: described.key,
    ignore: placeOf(config)?.ignore ?? [],
    secrets: described.secrets,
  };
  const { entries = null } = config;
  return [
    ...ownershipErrors(config, described.ordered),
    ...entryErrors(config, "entries", members),
    ...(isListValue(entries) ? entries : []).flatMap((entry, index) =>
      isObjectValue(entry) ? memberErrors(entry, members, ["entries", index]) : [],
    ),
    ...entryErrors(config, "write_only", { ...members, ignore: [], secrets: [] }),
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
