import { z } from "zod";
import type { JsonItem } from "../../api/catalogue/described-list";
import { placeAt } from "../../api/catalogue/described-place";
import { error, type Diagnostic } from "../../core/diagnostics";
import { anything, optional, required, string } from "../../core/schema/attribute";
import type { ObjectValue } from "../../core/values";
import { membersNamedIn } from "../collections/contents";
import { accessToDocument, methodOf } from "../generic/access";
import { codecOfJson, membersRestored, replacing } from "../generic/codec";
import { genericResource, itemsAt } from "../generic/generic-resource";
import { listIn, placeOf } from "../generic/place";

/** A document of the console that a kind of the catalogue or a path names. */
export const consoleSetting = genericResource({
  form: "setting",
  construct: "ConsoleSetting",
  sample: { kind: "defender_settings", body: { listeningPort: 9998 } },
  description:
    "Any document of the console that the API reads and replaces as a whole: a kind of the catalogue, or a path. If a list in the document is a kind of the catalogue, it manages the other members, such as `learningDisabled`.",
  list: "body",
  what: "document",
  secrets: "Secret members of the document: an object.",
  attributes: () => ({
    body: required(
      anything(),
      "The document: an object as the API has it. Nested objects are compared by member, lists as a whole.",
    ),
    mode: optional(
      string(z.enum(["merge", "replace"])),
      "`merge`: members that `body` does not name keep their values on the console, and so do those that are null. `replace`: the document has the members of `body` only.",
      { default: "merge" },
    ),
    method: optional(
      string(z.enum(["PUT", "POST"])),
      "Method that replaces the document. Default: that of the catalogue, else `PUT`.",
    ),
    on_destroy: optional(
      string(z.enum(["restore", "keep", "delete"])),
      "Effect of a destroy, as last applied: `restore` puts back what the first apply (or the import) found, with `merge` for the members of `body`; `keep` leaves the document; `delete` sends a DELETE.",
      { default: "restore" },
    ),
  }),
  describedBy: ["method"],
  variedBy: ["mode"],
  describe: (place, row, own) => {
    const { path, name, ignore, readOnly } = place;
    const { mode = null, method = null } = own;
    const list = listIn(place.kind);
    const given = place.kind && "method" in place.kind ? place.kind.method : undefined;
    const wanted = methodOf(method) ?? given ?? "PUT";
    const { what, members } = itemsAt("document", place, { ...row, key: [] }, own);
    const merging = { ...codecOfJson(members, "body"), isBuiltIn: () => true };
    const codec = mode === "replace" ? replacing(merging, members) : merging;
    const collection = {
      id: list === undefined ? (name ?? path) : path,
      place: list === undefined ? path : `${path}/${BESIDE}`,
      path,
      members,
      what,
      ordered: true,
      single: true as const,
      ignored: [...ignore, ...readOnly],
      codec,
      ...accessToDocument(placeAt(path, place.kind), wanted, list),
      ...(mode !== "replace" && {
        restored: (
          [before = {}]: readonly JsonItem[],
          [found = {}]: readonly JsonItem[],
          { body = null }: ObjectValue,
        ) => [membersRestored(found, before, body)],
      }),
    };
    return { members, collectionOf: () => collection };
  },
  validate: (config, { members: { secrets, ignore, readOnly } }) => [
    ...ofAnotherResource(config),
    ...lostSecrets(config, [...secrets, ...ignore, ...readOnly]),
  ],
  importExample: "defender_settings",
  importIds:
    'The import ID is a kind of the catalogue, a path, or JSON such as {"path": "settings/x", "method": "POST"}.',
});

/** The end of the place of a document of which a list is managed by itself. */
const BESIDE = "-";

/** A list of the catalogue has its own resource, and a document cannot be deleted under it. */
function ofAnotherResource(config: ObjectValue): readonly Diagnostic[] {
  const list = listIn(placeOf(config)?.kind);
  if (list === undefined) return [];
  const detail = `cwp_list manages ${list}; cwp_setting manages the members of the document beside it.`;
  const summary = "Member of another resource";
  return [
    ...(membersNamedIn(config, "body").includes(list)
      ? [error(summary, detail, ["body", list])]
      : []),
    ...(config.on_destroy === "delete" ? [error(summary, detail, ["on_destroy"])] : []),
  ];
}

/** No state names the members of `write_only`, so `replace` must know them otherwise. */
function lostSecrets(config: ObjectValue, known: readonly string[]): readonly Diagnostic[] {
  if (config.mode !== "replace") return [];
  return membersNamedIn(config, "write_only")
    .filter((name) => !known.includes(name) && !known.includes(name.split(".")[0] ?? name))
    .map((name) =>
      error(
        "Secret would be removed",
        `mode = "replace" removes members that body does not name, and the next plan would remove ${name}. Add it to ignore.`,
        ["write_only", name],
      ),
    );
}
