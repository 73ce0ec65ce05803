import { z } from "zod";
import type { JsonItem } from "../../api/catalogue/described-list";
import { error } from "../../core/diagnostics";
import { anything, computed, optional, required, string } from "../../core/schema/attribute";
import { isObjectValue, UNKNOWN, type ObjectValue } from "../../core/values";
import { resourceOf } from "../collections/collection-resource";
import { entriesOf } from "../collections/contents";
import type { ManagedCollection } from "../collections/managed-collection";
import {
  endpointsOf,
  importedPlace,
  isNewVersion,
  placeAttributes,
  placeErrors,
  placeOf,
  secretAttributes,
  type Place,
} from "../generic/described";
import { accessToDocument, documentCodec, membersRestored } from "../generic/document";
import { memberErrors, objectErrors } from "../generic/entry-errors";

const TYPE = "cwp_setting";
const { kind, path, unlisted, ignore } = placeAttributes("setting");

const settingAttributes = {
  id: computed(string(), "The kind, or the path.", {
    plan: ({ config }) => describedSetting(config)?.id ?? UNKNOWN,
  }),
  kind,
  path,
  body: required(
    anything(),
    "The document: an object as the API has it. Nested objects are compared by member, lists as a whole.",
  ),
  mode: optional(
    string(z.enum(["merge", "replace"])),
    "`merge`: members that `body` does not name keep their values on the console, and so do those that are null. `replace`: the document has the members of `body` only.",
    { default: "merge" },
  ),
  ignore,
  ...secretAttributes("Secret members of the document: an object."),
  method: optional(
    string(z.enum(["PUT", "POST"])),
    "Method that replaces the document. Default: that of the catalogue, else `PUT`.",
  ),
  on_destroy: optional(
    string(z.enum(["restore", "keep", "delete"])),
    "Effect of a destroy, as last applied: `restore` puts back what the first apply (or the import) found, with `merge` for the members of `body`; `keep` leaves the document; `delete` sends a DELETE.",
    { default: "restore" },
  ),
  unlisted,
};

const settings = new Map<string, ManagedCollection<JsonItem>>();

/** The document that a configuration or a state describes; undefined while that is unknown. */
function describedSetting(object: ObjectValue): ManagedCollection<JsonItem> | undefined {
  const place = placeOf(object);
  const { mode = null, method = null } = object;
  if (!place || mode === UNKNOWN || method === UNKNOWN) return undefined;
  const description = JSON.stringify([place.path, place.name, place.ignore, mode, method]);
  const known =
    settings.get(description) ?? newSetting(place, mode === "replace", method === "POST");
  settings.set(description, known);
  return known;
}

function newSetting(place: Place, replaces: boolean, posts: boolean): ManagedCollection<JsonItem> {
  const { path: at, name, kind: row, ignore: ignored } = place;
  const { secrets = [], method = "PUT" } = row?.form === "setting" ? row : {};
  const codec = documentCodec(replaces ? "replace" : "merge", { ignore: ignored, secrets });
  return {
    type: TYPE,
    attributes: settingAttributes,
    id: name ?? at,
    place: [TYPE, ...at.split("/")].join("+"),
    what: row?.title ?? `document ${at}`,
    list: "body",
    ordered: true,
    single: true,
    ignored,
    codec,
    ...accessToDocument(row ?? { path: at }, posts ? "POST" : method),
    ...(!replaces && {
      restored: ([before = {}], [found = {}], { body = null }) => [
        membersRestored(found, before, body),
      ],
    }),
    keepPrior: (planned, { body: before = null }) => {
      const { body = null } = planned;
      const isHeld = isObjectValue(body) && isObjectValue(before) && codec.matches(before, body);
      return isHeld ? { ...planned, body: before } : planned;
    },
    configured: (planned, config, prior) =>
      !prior || isNewVersion(planned, prior) ? entriesOf(config, "write_only") : [],
  };
}

/** A document of the console that a kind of the catalogue or a path names. */
export const consoleSetting = resourceOf<JsonItem>({
  type: TYPE,
  category: "Anything else",
  construct: "ConsoleSetting",
  constructId: "setting",
  sample: { kind: "defender_settings", body: { listeningPort: 9998 } },
  description:
    "Any document of the console that the API reads and replaces as a whole: a kind of the catalogue, or a path.",
  attributes: settingAttributes,
  list: "body",
  what: "document",
  importExample: "defender_settings",
  ordered: false,
  endpoints: [],
  variesByRelease: false,
  placeOf: (config) => placeOf(config)?.path,
  endpointsOf,
  collectionOf: describedSetting,
  importTarget: (importId) => {
    const attributes = importedPlace(importId, ["kind", "path", "method", "ignore", "unlisted"]);
    const collection = attributes && describedSetting(attributes);
    if (collection && placeErrors("setting", attributes, []).length === 0) {
      return { attributes, id: collection.id };
    }
    const detail =
      'The import ID is a kind of the catalogue, a path, or JSON such as {"path": "settings/x", "method": "POST"}.';
    return { problem: error("Invalid import ID", detail) };
  },
  validate: (config) => {
    const errors = placeErrors("setting", config, ["method"]);
    const place = placeOf(config);
    if (errors.length > 0 || !place) return errors;
    const { body = null, write_only: secret = null } = config;
    const { kind: row, ignore: ignored } = place;
    const secrets = row?.secrets ?? [];
    return [
      ...objectErrors(body, "body"),
      ...objectErrors(secret, "write_only"),
      ...(isObjectValue(body) ? memberErrors(body, { ignore: ignored, secrets }, ["body"]) : []),
    ];
  },
});
