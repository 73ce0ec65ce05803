import { SET_BY_CONSOLE } from "../../api/collections";
import {
  catalogue,
  kindAt,
  kindsOf,
  type CatalogueForm,
  type CatalogueKind,
  type KindOf,
} from "../../api/catalogue/catalogue";
import { entriesOf } from "../collections/contents";
import { pathProblem } from "../../api/catalogue/path";
import { z } from "zod";
import { memberOf } from "../../core/member-of";
import { error, type Diagnostic } from "../../core/diagnostics";
import type { NamedEndpoint } from "../../api/endpoint";
import { endpointsOfPath } from "../../api/catalogue/described-place";
import { anything, bool, list, number, optional, string } from "../../core/schema/attribute";
import {
  isListValue,
  isNullValue,
  isUnknownValue,
  UNKNOWN,
  valuesEqual,
  type ObjectValue,
  type Value,
} from "../../core/values";

/*
 * The place that a generic resource manages: a kind of the catalogue, or a path that the
 * configuration describes.
 */

/** The attributes that name the place, of every generic resource. */
export function placeAttributes(form: CatalogueForm) {
  const kinds = kindsOf(form);
  return {
    kind: optional(
      string(z.enum(kinds)),
      "Kind of the catalogue, which has the path and what else describes it. Either `kind` or `path` is required.",
      { requiresReplace: true },
    ),
    path: optional(
      string(),
      "Path below `/api/v1`, as in `settings/registry`. A path that the catalogue does not have needs `unlisted`.",
      { requiresReplace: true },
    ),
    unlisted: optional(
      bool(),
      "Required for a path that the catalogue does not have: its writes are not checked, and none of its members is known to be a secret.",
    ),
    ignore: optional(
      list(string(z.string().min(1))),
      "Members that the console sets. They are not compared and not imported. Default: those of the catalogue, else `modified` and `owner`.",
    ),
  };
}

/** The attributes that describe the items of a list, which is that of an answer or a member of it. */
export function itemAttributes(items: string, item: string) {
  return {
    member: optional(
      string(z.string().min(1)),
      `Member of the answer that holds the ${items}, such as \`rules\`. Default: the answer is the list.`,
      { requiresReplace: true },
    ),
    key: optional(
      list(string(z.string().min(1)), z.array(z.string()).min(1)),
      `The members that together identify ${item}. Default: \`["name"]\`.`,
    ),
  };
}

/** The attributes of secrets. */
export function secretAttributes(
  secrets: string,
  more: Pick<Parameters<typeof optional>[2] & object, "plainMembers"> = {},
) {
  return {
    write_only: optional(anything(), `${secrets} They are sent to the console and never stored.`, {
      writeOnly: true,
      ...more,
    }),
    write_only_version: optional(
      number(),
      "A change sends `write_only` again. Otherwise the console keeps the secrets that it has.",
    ),
  };
}

/**
 * Returns the objects of `write_only` to send: all for a new version, else those of entries that are
 * not managed yet.
 */
export function secretsToWrite(
  planned: ObjectValue,
  config: ObjectValue,
  prior: ObjectValue | null,
  isManaged: (secret: ObjectValue) => boolean = () => true,
): readonly ObjectValue[] {
  const all = entriesOf(config, "write_only");
  const { write_only_version: version = null } = planned;
  const isNew = !prior || !valuesEqual(prior.write_only_version ?? null, version);
  return isNew ? all : all.filter((secret) => !isManaged(secret));
}

/** Plans the prior value of an attribute that has what is configured, so that no type flaps. */
export function keptIfHeld(
  planned: ObjectValue,
  prior: ObjectValue,
  name: string,
  holds: (found: Value, wanted: Value) => boolean,
): ObjectValue {
  const before = memberOf(prior, name) ?? null;
  const wanted = memberOf(planned, name) ?? null;
  return isUnknownValue(wanted) || !holds(before, wanted)
    ? planned
    : { ...planned, [name]: before };
}

/** Distinguishes what a path has from all other collections of a console. */
export function placeName(type: string, path: string): string {
  return [type, ...path.split("/")].join("+");
}

/** The endpoints that a configuration reads and replaces, as far as their releases are known. */
export function endpointsOf(config: ObjectValue): readonly NamedEndpoint[] {
  const place = placeOf(config);
  return place ? endpointsOfPath(place.path, ["GET", "PUT"]) : [];
}

/** The place that a configuration names. */
export interface Place {
  readonly path: string;
  /** The name of the kind; absent for a path that the catalogue does not have. */
  readonly name?: string;
  readonly kind?: CatalogueKind;
  readonly ignore: readonly string[];
}

/** Returns the place; undefined while a value of it is unknown, and without a path. */
export function placeOf(object: ObjectValue): Place | undefined {
  const { kind: name = null, path = null, ignore = null } = object;
  if ([name, path].includes(UNKNOWN) || hasUnknown(ignore)) return undefined;
  const known = typeof path === "string" ? kindAt(path) : undefined;
  const kind = typeof name === "string" ? catalogue().get(name) : known?.kind;
  const at = kind?.path ?? path;
  if (typeof at !== "string") return undefined;
  return {
    path: at,
    ...(kind && { kind, name: typeof name === "string" ? name : (known?.name ?? "") }),
    ignore: texts(ignore) ?? kind?.ignore ?? SET_BY_CONSOLE,
  };
}

/**
 * Returns a function that describes what a configuration or a state manages; undefined while that is
 * unknown. Equal descriptions share one object, and so do their states.
 *
 * @param names The attributes that describe it besides those of its place.
 */
export function describedBy<Form extends CatalogueForm, Described>(
  form: Form,
  names: readonly string[],
  describe: (place: Place, kind: KindOf<Form> | undefined, own: ObjectValue) => Described,
): (object: ObjectValue) => Described | undefined {
  const isOfForm = (kind: CatalogueKind | undefined): kind is KindOf<Form> => kind?.form === form;
  const known = new Map<string, Described>();
  return (object) => {
    const place = placeOf(object);
    const own: ObjectValue = Object.fromEntries(
      names.map((name): [string, Value] => [name, memberOf(object, name) ?? null]),
    );
    if (!place || Object.values(own).some(hasUnknown)) return undefined;
    const { kind } = place;
    const description = JSON.stringify([place.path, place.name, place.ignore, own]);
    const described =
      known.get(description) ?? describe(place, isOfForm(kind) ? kind : undefined, own);
    known.set(description, described);
    return described;
  };
}

/** Checks `kind`, `path` and `unlisted`, and that a kind is not described again. */
export function placeErrors(
  form: CatalogueForm,
  config: ObjectValue,
  described: readonly string[],
): readonly Diagnostic[] {
  const { kind = null, path = null, unlisted = null } = config;
  if (isUnknownValue(kind) || isUnknownValue(path)) return [];
  if (isNullValue(kind) === isNullValue(path)) {
    const detail = "Set either kind or path.";
    return [error("Invalid attribute combination", detail, ["path"])];
  }
  if (typeof kind === "string") {
    return described
      .filter((name) => !isNullValue(memberOf(config, name) ?? null))
      .map((name) =>
        error("Invalid attribute combination", `The kind "${kind}" has its ${name}.`, [name]),
      );
  }
  if (typeof path !== "string") return [];
  const problem = pathProblem(path, form === "object" ? "object" : "replace");
  if (problem) return [error(problem.summary, problem.detail, ["path"])];
  const known = kindAt(path);
  const other = known && known.kind.form !== form ? known : objectsAbove(path);
  if (other) return [otherForm(other.name, other.kind.form)];
  if (known || unlisted === true || isUnknownValue(unlisted)) return [];
  return [
    error(
      "Path is not in the catalogue",
      `The effect of a write to ${path} is not checked, and none of its members is known to be a secret: the configuration is stored in the state as plain text. Set unlisted = true to manage it.`,
      ["path"],
    ),
  ];
}

/** The kind of the objects that a path is one of. */
function objectsAbove(path: string): ReturnType<typeof kindAt> {
  const end = path.lastIndexOf("/");
  if (end < 0) return undefined;
  const above = path.slice(0, end);
  const known = kindAt(above);
  return known?.kind.form === "object" ? known : objectsAbove(above);
}

function otherForm(name: string, form: CatalogueForm): Diagnostic {
  return error("Path of another resource", `cwp_${form} manages the kind "${name}".`, ["path"]);
}

/**
 * Parses an import ID: a kind, a path, or JSON with some of the attributes. Undefined if it is not one
 * of this form.
 */
export function importedPlace(
  form: CatalogueForm,
  id: string,
  attributes: readonly string[],
): ObjectValue | undefined {
  const given = id.startsWith("{")
    ? importJson.safeParse(parsedJson(id)).data
    : { [catalogue().has(id) ? "kind" : "path"]: id };
  const isPlace =
    given && Object.keys(given).every((name) => IN_IDS.includes(name) || attributes.includes(name));
  if (!isPlace) return undefined;
  // An import names the path explicitly.
  const { path } = given;
  const place = typeof path === "string" && !kindAt(path) ? { ...given, unlisted: true } : given;
  return placeErrors(form, place, []).length === 0 ? place : undefined;
}

const IN_IDS = ["kind", "path", "ignore", "unlisted"];
const importJson = z.record(z.string(), z.union([z.string(), z.array(z.string()), z.boolean()]));

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hasUnknown(value: Value): boolean {
  return isUnknownValue(value) || (isListValue(value) && value.includes(UNKNOWN));
}

/** The texts of a list; undefined if it is not set. */
export function texts(value: Value): readonly string[] | undefined {
  return isListValue(value) ? value.filter((one) => typeof one === "string") : undefined;
}
