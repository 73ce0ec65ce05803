import { z } from "zod";
import {
  catalogue,
  kindAt,
  type CatalogueForm,
  type CatalogueKind,
  type KindOf,
} from "../../api/catalogue/catalogue";
import { pathProblem } from "../../api/catalogue/path";
import { SET_BY_CONSOLE } from "../../api/collections";
import { error, type Diagnostic } from "../../core/diagnostics";
import { memberOf } from "../../core/member-of";
import {
  isListValue,
  isNullValue,
  isUnknownValue,
  UNKNOWN,
  type ObjectValue,
  type Value,
} from "../../core/values";

/*
 * The place that a generic resource manages: a kind of the catalogue, or a path that the
 * configuration describes.
 */

/** The place that a configuration names. */
export interface ReadPlace {
  readonly path: string;
  /** The name of the kind; absent for a path that the catalogue does not have. */
  readonly name?: string;
  readonly kind?: CatalogueKind;
  readonly ignore: readonly string[];
  /** Members that the console answers and refuses: they are not compared, and not sent. */
  readonly readOnly: readonly string[];
}

/** Attributes that a kind may have, too: consoles in the field differ in how they take a write. */
const OF_WRITES = ["method", "update"];

/** Members that consoles in the field answer, and refuse in a write. */
const READ_ONLY: ReadonlyMap<string, readonly string[]> = new Map([
  ["settings/certs", ["caExpiration"]],
]);

/** Returns the place; undefined while a value of it is unknown, and without a path. */
export function placeOf(object: ObjectValue): ReadPlace | undefined {
  const { kind: name = null, path = null, ignore = null, read_only: readOnly = null } = object;
  if ([name, path].includes(UNKNOWN) || hasUnknown(ignore) || hasUnknown(readOnly))
    return undefined;
  const known = typeof path === "string" ? kindAt(path) : undefined;
  const kind = typeof name === "string" ? catalogue().get(name) : known?.kind;
  const at = kind?.path ?? path;
  if (typeof at !== "string") return undefined;
  return {
    path: at,
    ...(kind && { kind, name: typeof name === "string" ? name : (known?.name ?? "") }),
    ignore: texts(ignore) ?? kind?.ignore ?? SET_BY_CONSOLE,
    readOnly: texts(readOnly) ?? READ_ONLY.get(at) ?? [],
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
  describe: (place: ReadPlace, kind: KindOf<Form> | undefined, own: ObjectValue) => Described,
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
    const description = JSON.stringify([place.path, place.name, place.ignore, place.readOnly, own]);
    const described =
      known.get(description) ?? describe(place, isOfForm(kind) ? kind : undefined, own);
    known.set(description, described);
    return described;
  };
}

/**
 * Checks `kind`, `path` and `unlisted`, and that a kind is not described again.
 *
 * @param described The attributes that a kind of the catalogue has itself.
 */
export function placeErrors(
  form: CatalogueForm,
  config: ObjectValue,
  described: readonly string[] = [],
): readonly Diagnostic[] {
  const { kind = null, path = null, unlisted = null } = config;
  if (isUnknownValue(kind) || isUnknownValue(path)) return [];
  if (isNullValue(kind) === isNullValue(path)) return [invalid("path", "Set either kind or path.")];
  if (typeof kind === "string") {
    const again = described.filter(
      (name) => !OF_WRITES.includes(name) && !isNullValue(memberOf(config, name) ?? null),
    );
    return again.map((name) => invalid(name, `The kind "${kind}" has its ${name}.`));
  }
  if (typeof path !== "string") return [];
  const problem = pathProblem(path, form === "object" ? "object" : "replace");
  if (problem) return [error(problem.summary, problem.detail, ["path"])];
  const known = kindAt(path);
  const isBeside = form === "setting" && known !== undefined && listIn(known.kind) !== undefined;
  const other = known && known.kind.form !== form && !isBeside ? known : objectsAbove(path);
  if (other) {
    const detail = `cwp_${other.kind.form} manages the kind "${other.name}".`;
    return [error("Path of another resource", detail, ["path"])];
  }
  if (known || unlisted === true || isUnknownValue(unlisted)) return [];
  const detail = `The effect of a write to ${path} is not checked, and none of its members is known to be a secret: the configuration is stored in the state as plain text. Set unlisted = true to manage it.`;
  return [error("Path is not in the catalogue", detail, ["path"])];
}

/** The member of a document that is a list of the catalogue. Its other members are a setting. */
export function listIn(kind: CatalogueKind | undefined): string | undefined {
  return kind?.form === "list" ? kind.member : undefined;
}

function invalid(name: string, detail: string): Diagnostic {
  return error("Invalid attribute combination", detail, [name]);
}

/** The kind of the objects that a path is one of. */
function objectsAbove(path: string): ReturnType<typeof kindAt> {
  const end = path.lastIndexOf("/");
  if (end < 0) return undefined;
  const above = path.slice(0, end);
  const known = kindAt(above);
  return known?.kind.form === "object" ? known : objectsAbove(above);
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
  return placeErrors(form, place).length === 0 ? place : undefined;
}

const IN_IDS = ["kind", "path", "ignore", "read_only", "unlisted", "id"];
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
