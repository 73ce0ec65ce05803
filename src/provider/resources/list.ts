import { z } from "zod";
import { placeAt } from "../../api/catalogue/described-place";
import { error, type Diagnostic } from "../../core/diagnostics";
import { anything, optional, required, string } from "../../core/schema/attribute";
import type { ObjectValue } from "../../core/values";
import {
  clearNeedsExclusive,
  entriesReview,
  onDestroyAttribute,
  ownershipAttribute,
} from "../collections/collection-attributes";
import { ownershipOf, placeOfOthers } from "../collections/contents";
import { byCollectionName } from "../collections/named-collections";
import { accessToList, methodOf } from "../generic/access";
import { codecOfJson, namingCollections } from "../generic/codec";
import { genericResource, itemAttributes, itemsAt } from "../generic/generic-resource";

/** A list of the console that a kind of the catalogue or the configuration describes. */
export const consoleList = genericResource({
  form: "list",
  construct: "ConsoleList",
  sample: {
    kind: "admission_policy",
    entries: [{ name: "no privileged pods", effect: "block", script: "match" }],
  },
  description:
    "Any list of the console that the API reads and replaces as a whole: a kind of the catalogue, or a path. Unmanaged entries and members that are not set are kept.",
  list: "entries",
  what: "entries",
  secrets:
    "Secrets of the entries: a list of objects, each with the key of its entry and the secret members.",
  attributes: (describedOf) => ({
    ...itemAttributes("list", "an entry"),
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
      "The entries: a list of objects as the API has them, or a list of texts. Members that are not set keep their values on the console; nested objects are compared by member, lists as a whole.",
      {
        ...entriesReview("", ["entry", "entries"], ["name"], {
          others: placeOfOthers,
          of: (object) => {
            const described = describedOf(object);
            const { ordered = true } = { ...described?.collectionOf(object) };
            return described && { key: described.members.key, ordered };
          },
        }),
      },
    ),
    method: optional(
      string(z.enum(["PUT", "POST"])),
      "Method that replaces the list. Default: that of the catalogue, else `PUT`.",
    ),
  }),
  describedBy: ["member", "key", "order", "method"],
  describe: (place, row, own) => {
    const { path, name, ignore, readOnly } = place;
    const { what, member, members } = itemsAt("entries of", place, row, own);
    const { order = null, method = null } = own;
    const collection = {
      id: name ?? idOf(path, own),
      place: path,
      path,
      members,
      what,
      ordered: (order ?? row?.order ?? "significant") === "significant",
      ignored: [...ignore, ...readOnly],
      codec: row
        ? namingCollections(codecOfJson(members, "entries"))
        : codecOfJson(members, "entries"),
      ...accessToList(
        {
          ...placeAt(path, row),
          what,
          member,
          key: members.key,
          method: methodOf(method) ?? row?.method ?? "PUT",
        },
        readOnly,
        row && byCollectionName,
      ),
    };
    return { members, collectionOf: () => collection };
  },
  validate: (config, described) => [
    ...clearNeedsExclusive(config),
    ...ownershipErrors(config, described.collectionOf(config)?.ordered),
  ],
  importExample: "admission_policy",
  importIds:
    'The import ID is a kind of the catalogue, or JSON such as {"path": "settings/x", "member": "rules", "key": ["name"], "unlisted": true}; with ":prefix:N" or ":suffix:N" behind it, the first or the last N entries are imported, and of a list without order, with :shared:["KEY"], those with these keys.',
  readImportId: (id) => {
    const [, place = "", part = ""] =
      /^(.*?)((?::(?:prefix:\d+|suffix:\d+|shared:\[.*\]))?)$/s.exec(id) ?? [];
    return [place, part];
  },
});

/** The import ID of a path that the catalogue does not have. */
function idOf(path: string, { member = null, key = null }: ObjectValue): string {
  if (member === null && key === null) return path;
  return JSON.stringify({ path, member: member ?? undefined, key: key ?? undefined });
}

function ownershipErrors(config: ObjectValue, ordered = true): readonly Diagnostic[] {
  const ownership = ownershipOf(config);
  const needs = { exclusive: ordered, prefix: true, suffix: true, shared: false }[ownership];
  if (needs === ordered) return [];
  const detail = `ownership = "${ownership}" needs a list ${needs ? "with" : "without"} an order.`;
  return [error("Invalid attribute combination", detail, ["ownership"])];
}
