import { z } from "zod";
import type { JsonItem } from "../../api/catalogue/described-list";
import { error, type Diagnostic } from "../../core/diagnostics";
import { anything, computed, optional, required, string } from "../../core/schema/attribute";
import { isObjectValue, UNKNOWN, type ObjectValue } from "../../core/values";
import { resourceOf } from "../collections/collection-resource";
import { entriesOf } from "../collections/contents";
import type { ManagedCollection } from "../collections/managed-collection";
import {
  describedBy,
  endpointsOf,
  importedPlace,
  keptIfHeld,
  placeAttributes,
  placeErrors,
  placeName,
  placeOf,
  secretAttributes,
  secretsToWrite,
} from "../generic/described";
import { accessToDocument, documentCodec, membersRestored } from "../generic/document";
import { bodyErrors } from "../generic/entry-errors";

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

const describedSetting = describedBy(
  "setting",
  ["mode", "method"],
  (place, row, { mode = null, method = null }): ManagedCollection<JsonItem> => {
    const { path: at, name, ignore: ignored } = place;
    const replaces = mode === "replace";
    const codec = documentCodec(replaces ? "replace" : "merge", {
      ignore: ignored,
      secrets: row?.secrets ?? [],
    });
    return {
      type: TYPE,
      attributes: settingAttributes,
      id: name ?? at,
      place: placeName(TYPE, at),
      what: row?.title ?? `document ${at}`,
      list: "body",
      ordered: true,
      single: true,
      ignored,
      codec,
      ...accessToDocument(row ?? { path: at }, method === "POST" ? method : (row?.method ?? "PUT")),
      ...(!replaces && {
        restored: ([before = {}], [found = {}], { body = null }) => [
          membersRestored(found, before, body),
        ],
      }),
      keepPrior: (planned, prior) =>
        keptIfHeld(
          planned,
          prior,
          "body",
          (before, body) =>
            isObjectValue(before) && isObjectValue(body) && codec.matches(before, body),
        ),
      configured: secretsToWrite,
    };
  },
);

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
    const attributes = importedPlace("setting", importId, ["method"]);
    const collection = attributes && describedSetting(attributes);
    if (collection) return { attributes, id: collection.id };
    const detail =
      'The import ID is a kind of the catalogue, a path, or JSON such as {"path": "settings/x", "method": "POST"}.';
    return { problem: error("Invalid import ID", detail) };
  },
  validate: (config) => {
    const errors = placeErrors("setting", config, ["method"]);
    const place = placeOf(config);
    if (errors.length > 0 || !place) return errors;
    const secrets = place.kind?.secrets ?? [];
    return [
      ...bodyErrors(config, { ignore: place.ignore, secrets }),
      ...lostSecrets(config, [...secrets, ...place.ignore]),
    ];
  },
});

/** No state names the members of `write_only`, so `replace` must know them otherwise. */
function lostSecrets(config: ObjectValue, known: readonly string[]): readonly Diagnostic[] {
  if (config.mode !== "replace") return [];
  const names = entriesOf(config, "write_only").flatMap((secrets) => Object.keys(secrets));
  return names
    .filter((name) => !known.includes(name))
    .map((name) =>
      error(
        "Secret would be removed",
        `mode = "replace" removes members that body does not name, and the next plan would remove ${name}. Add it to ignore.`,
        ["write_only", name],
      ),
    );
}
