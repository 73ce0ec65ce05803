import { kindAt, type CatalogueKind } from "../../api/catalogue/catalogue";
import { API, endpointAt, placeAt } from "../../api/catalogue/described-place";
import { pathProblem } from "../../api/catalogue/path";
import { SET_BY_CONSOLE } from "../../api/collections";
import { RefusedError } from "../../core/definitions/failure";
import { error } from "../../core/diagnostics";
import { isRecord, memberOf } from "../../core/member-of";
import type { Console } from "../../provider/console/connection";
import { isFilledIn, without } from "../../provider/collections/members";
import { listIn, placeOf } from "../../provider/generic/place";
import { strippedOf } from "../../provider/generic/secret-members";
import { resources } from "../../provider/resources";
import { declarablePart } from "./part";
import { importWhole, unlessLeftOut, type Adopted, type Unread } from "./read-console";

type Item = Readonly<Record<string, unknown>>;

/** The content of an answer, and how a generic resource describes it. */
interface Shape {
  readonly form: CatalogueKind["form"];
  readonly items: readonly Item[];
  /** The name of a kind of the catalogue; undefined for other paths. */
  readonly kind?: string;
  /** The members of an import ID. */
  readonly description: Readonly<Record<string, string | readonly string[]>>;
  readonly secrets: readonly string[];
}

/** Members beside a list that the console sets. */
const SET_BESIDE = [...SET_BY_CONSOLE, "_id", "policyType"];

/**
 * Reads what is at the paths, below `/api/v1`. Rejects with a RefusedError for a path that cannot be
 * used, and with errors that are not of one path alone.
 */
export async function readPaths(
  console: Console,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly Adopted[]> {
  for (const path of paths) {
    const known = kindAt(path);
    const problem = pathProblem(path, known?.kind.form === "object" ? "object" : "replace");
    if (problem) throw new RefusedError(error(problem.summary, problem.detail, ["--path"]));
  }
  const read = await Promise.all(
    paths.map((path) => unlessLeftOut(unreadAt(path), () => readPath(console, path, signal))),
  );
  return read.flat();
}

/** The path, of which nothing is known but its name. */
function unreadAt(path: string): Unread {
  const known = kindAt(path);
  const { resource, collection } = genericOf(known?.kind.form ?? "setting");
  const constructId = constructIdOf(path);
  return {
    resource,
    collection: { ...collection, what: known?.name ?? path, constructId },
    importId: path,
  };
}

function genericOf(form: CatalogueKind["form"]) {
  const resource = resources.find((one) => one.type === `cwp_${form}`);
  if (!resource?.collection) throw new Error(`no resource cwp_${form}`);
  return { resource, collection: resource.collection };
}

function constructIdOf(path: string): string {
  return kindAt(path)?.name ?? path.replaceAll(/[^a-z0-9]+/gi, "-");
}

async function readPath(
  console: Console,
  path: string,
  signal: AbortSignal,
): Promise<readonly Adopted[]> {
  const known = kindAt(path);
  const target = endpointAt(placeAt(path, known?.kind), "GET");
  const body = await console.client.wholeJson(target, { what: `entries of ${path}`, signal });
  const shape = known ? shapeOfKind(known.name, known.kind, body) : shapeOf(path, body);
  const constructId = constructIdOf(path);
  const importOf = (items: readonly Item[], id?: string, index = "", of = shape) =>
    imported(console, { ...of, items }, { constructId: constructId + index, id }, signal);
  if (known?.kind.form !== "object") {
    const beside = known && shapeBeside(path, known.kind, body);
    return [
      await importOf(shape.items),
      ...(beside ? [await importOf(beside.items, undefined, "-settings", beside)] : []),
    ];
  }
  const { id = known.kind.key[0] ?? "name" } = known.kind;
  // The console owns and changes its own collections.
  const managed = shape.items.filter(({ system }) => system !== true);
  return Promise.all(
    managed.map((item, index) =>
      importOf([item], String(memberOf(item, id)), managed.length > 1 ? `-${index + 1}` : ""),
    ),
  );
}

function shapeOfKind(name: string, kind: CatalogueKind, body: unknown): Shape {
  const member = "member" in kind ? kind.member : undefined;
  const found = member !== undefined && isRecord(body) ? memberOf(body, member) : body;
  const items = Array.isArray(found) ? found.filter(isRecord) : isRecord(found) ? [found] : [];
  return { form: kind.form, items, kind: name, description: { kind: name }, secrets: kind.secrets };
}

/** The members beside the list of a kind, which `cwp_setting` manages. */
function shapeBeside(path: string, kind: CatalogueKind, body: unknown): Shape | undefined {
  const list = listIn(kind);
  if (list === undefined || !isRecord(body) || !hasMembers(body, list)) return undefined;
  const description = { path, ignore: SET_BESIDE };
  return { form: "setting", items: [without(body, list)], description, secrets: [] };
}

/** Reports whether a document has more than its list, and than what the console sets. */
function hasMembers(body: Item, list: string): boolean {
  return Object.entries(without(body, list, ...SET_BESIDE)).some(([, one]) => !isFilledIn(one));
}

function shapeOf(path: string, body: unknown): Shape {
  const lists = isRecord(body)
    ? Object.entries(body).filter(([, one]) => isListOfObjects(one))
    : [];
  const [single] = lists.length === 1 ? lists : [];
  // Nothing would manage the other members.
  const only = single && isRecord(body) && !hasMembers(body, single[0]) ? single : undefined;
  const list: unknown = only ? only[1] : body;
  const secrets: readonly string[] = [];
  if (isListOfObjects(list)) {
    const key = [keyOf(path, list)];
    const description = { path, ...(only && { member: only[0] }), key };
    return { form: "list", items: list, description, secrets };
  }
  if (isRecord(body)) {
    // Consoles in the field write these documents by POST.
    const description = { path, ...(path.startsWith("settings/") && { method: "POST" }) };
    return { form: "setting", items: [body], description, secrets };
  }
  const detail = `GET ${API}${path} answers neither an object nor a list of objects.`;
  throw new RefusedError(error("Path cannot be adopted", detail, ["--path"]));
}

function isListOfObjects(value: unknown): value is readonly Item[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

/** The first member that each item has with another text or number. */
function keyOf(path: string, items: readonly Item[]): string {
  const names = ["name", "_id", ...Object.keys(items[0] ?? {})];
  const key = names.find((name) => {
    const values = items.map((item) => memberOf(item, name));
    const isKey = values.every((one) => (typeof one === "string" && one !== "") || isNumber(one));
    return isKey && new Set(values.map(String)).size === items.length;
  });
  if (key !== undefined) return key;
  const detail = `No member of the entries of ${path} differs in all of them. Write the cwp_list by hand, with the members that identify an entry as its key.`;
  throw new RefusedError(error("Path cannot be adopted", detail, ["--path"]));
}

const isNumber = (value: unknown) => typeof value === "number";

async function imported(
  console: Console,
  { form, items, kind, description, secrets }: Shape,
  { constructId, id }: { readonly constructId: string; readonly id: string | undefined },
  signal: AbortSignal,
): Promise<Adopted> {
  const { resource, collection: generic } = genericOf(form);
  const place = `${form === "setting" ? "document" : "entries of"} ${String(description.path)}`;
  const what = kind ?? place;
  // An import leaves them out, so no stack has them.
  const hidden = new Set(items.flatMap((item) => strippedOf(item, secrets).left));
  const refused = placeOf(description)?.readOnly.filter((name) =>
    items.some((item) => memberOf(item, name) !== undefined),
  );
  const importId =
    kind !== undefined
      ? [kind, ...(id === undefined ? [] : [id])].join(":")
      : JSON.stringify({ ...description, ...(id !== undefined && { id }) });
  const collection = { ...generic, what, constructId };
  const subject = { resource, collection, importId };
  return unlessLeftOut(subject, async () => {
    const { state } = await importWhole(console, resource, importId, signal);
    const release = await console.client.resolveRelease(signal);
    return {
      ...subject,
      ...declarablePart({ ...subject, state }, "exclusive", console, release),
      found: items.length,
      unmanaged: [
        ...[...hidden].map((name) => ({ name, reason: "It looks like a secret." })),
        ...(refused ?? []).map((name) => ({ name, reason: "The console refuses it in a write." })),
      ],
    };
  });
}
