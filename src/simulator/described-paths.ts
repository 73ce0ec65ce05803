import { createHmac } from "node:crypto";
import type { CatalogueKind } from "../api/catalogue/catalogue";
import { API, kindsOfRelease } from "../api/catalogue/described-place";
import type { Release } from "../api/release";
import { parseJson, stringifyJson } from "../core/json/lossless-json";
import { memberOf } from "../core/member-of";
import { isDocument, type Document } from "./documents";
import { errorResponse, jsonResponse, type SimulatedResponse } from "./messages";
import { DONE, type RouteContext } from "./route";

/*
 * Paths that the catalogue describes, and with `--any` all others: what is written to them is stored,
 * lists and documents as a whole, objects by their keys.
 */

/** A stored list or document, and the item of it that a path names. */
export interface DescribedPath {
  /** Below `/api/v1/`, as the oldest release has it. */
  readonly path: string;
  readonly kind?: CatalogueKind;
  readonly item?: string;
  /** The path names the elements of a member of the item. */
  readonly isParts?: true;
}

/** Finds what a path of a release is in the catalogue. */
export function describedPath(path: string, release: Release): DescribedPath | undefined {
  const below = belowApi(path);
  if (below === undefined) return undefined;
  const kinds = kindsOfRelease(release);
  const kind = kinds.get(below);
  if (kind) return { path: kind.path, kind };
  const [above, item] = splitAtEnd(below);
  const parent = kinds.get(above);
  if (parent?.form === "object" && item !== "") return { path: parent.path, kind: parent, item };
  const [list, owner] = splitAtEnd(above);
  const holder = kinds.get(list);
  return holder?.form === "object" && holder.parts?.path === item
    ? { path: holder.path, kind: holder, item: owner, isParts: true }
    : undefined;
}

function splitAtEnd(path: string): readonly [above: string, end: string] {
  const end = path.lastIndexOf("/");
  return [path.slice(0, Math.max(0, end)), path.slice(end + 1)];
}

/** Returns what any other path is: an item, if what is stored above it is a list. */
export function anyPath(path: string, { data }: RouteContext["state"]): DescribedPath | undefined {
  const below = belowApi(path);
  if (below === undefined) return undefined;
  const end = below.lastIndexOf("/");
  const list = below.slice(0, Math.max(0, end));
  return Array.isArray(memberOf(data.documents, list)) && !Object.hasOwn(data.documents, below)
    ? { path: list, item: below.slice(end + 1) }
    : { path: below };
}

function belowApi(path: string): string | undefined {
  try {
    return path.startsWith(API) ? decodeURIComponent(path.slice(API.length)) : undefined;
  } catch {
    return undefined; // It is no path of anything.
  }
}

/**
 * Reads or writes what a path names.
 *
 * @param initial What the console answers before the first write; undefined if it has no answer.
 */
export function answerDescribed(
  { path, kind, item, isParts }: DescribedPath,
  context: RouteContext,
  initial: unknown,
): SimulatedResponse {
  const { request, state } = context;
  const stored = memberOf(state.data.documents, path) ?? initial ?? emptyOf(kind);
  const store = (document: unknown) => {
    state.update({ documents: { ...state.data.documents, [path]: document } });
    return DONE;
  };
  const items = Array.isArray(stored) ? stored.filter(isDocument) : [];
  // Nothing says which member of an undescribed object is its ID.
  const isItem = (one: Document) =>
    kind
      ? idOf(one, kind) === item
      : Object.values(one)
          .map(String)
          .includes(item ?? "");
  if (isParts && kind?.form === "object" && kind.parts) {
    const { member } = kind.parts;
    const owner = items.find(isItem);
    const body = bodyOf(context);
    if (!owner) return errorResponse(404, "no such item");
    if ("problem" in body) return errorResponse(400, body.problem);
    const elements = partsOf(owner, member).filter((one) => !isAlike(one, body.sent));
    const isAdded = request.method === "POST";
    if (!isAdded && request.method !== "DELETE") return errorResponse(405, "method not allowed");
    const changed = { ...owner, [member]: isAdded ? [...elements, body.sent] : elements };
    return store(items.map((one) => (one === owner ? changed : one)));
  }
  switch (request.method) {
    case "GET": {
      const found = item === undefined ? shownOf(stored) : items.filter(isItem).map(shownOf)[0];
      return found === undefined ? errorResponse(404, "no such item") : jsonResponse(200, found);
    }
    case "DELETE":
      if (item === undefined) return store(null);
      if (!items.some(isItem)) return errorResponse(404, "no such item");
      return store(items.filter((one) => !isItem(one)));
    case "PUT":
    case "POST": {
      const body = bodyOf(context);
      if ("problem" in body) return errorResponse(400, body.problem);
      const { sent } = body;
      const isWhole = kind
        ? kind.form !== "object"
        : request.method === "PUT" ||
          Array.isArray(sent) ||
          isDocument(stored) ||
          // Consoles write their settings by POST.
          (path.startsWith("settings/") && stored === null);
      if (item === undefined && isWhole) return store(keptWhole(sent, stored, kind, context));
      const added = Array.isArray(sent) ? sent : [sent];
      if (!added.every(isDocument)) return errorResponse(400, "body: expected an object");
      return store(
        added.reduce<readonly Document[]>((all, one) => {
          const given = { ...one, ...itemId(one, all, kind) };
          const id = idOf(given, kind);
          const isSame = (other: Document) => id !== undefined && idOf(other, kind) === id;
          const known = all.find(kind || item === undefined ? isSame : isItem);
          return withItem(all, known, kind ? keptItem(given, known, kind, context) : given);
        }, items),
      );
    }
    default:
      return errorResponse(405, "method not allowed", { allow: "GET, PUT, POST, DELETE" });
  }
}

function bodyOf({ request }: RouteContext): { sent: unknown } | { problem: string } {
  try {
    return { sent: parseJson(request.body ?? "") };
  } catch (cause) {
    return { problem: `the body is not JSON: ${String(cause)}` };
  }
}

function emptyOf(kind: CatalogueKind | undefined): unknown {
  if (!kind) return null;
  if (kind.form === "setting") return {};
  return kind.form === "list" && kind.member !== undefined ? { [kind.member]: null } : [];
}

/** Stores a list or a document, with the secrets of what was there. */
function keptWhole(
  sent: unknown,
  stored: unknown,
  kind: CatalogueKind | undefined,
  context: RouteContext,
): unknown {
  if (kind?.form === "setting" && isDocument(sent)) {
    return sealed(sent, isDocument(stored) ? stored : {}, kind, context);
  }
  if (kind?.form !== "list") return sent;
  const listIn = (body: unknown): readonly Document[] => {
    const list = isDocument(body) ? memberOf(body, kind.member ?? "") : body;
    return Array.isArray(list) ? list.filter(isDocument) : [];
  };
  const before = new Map(listIn(stored).map((item) => [keyOf(item, kind), item]));
  const items = listIn(sent).map((item) => {
    const known = before.get(keyOf(item, kind)) ?? {};
    return stamped(sealed(item, known, kind, context), known, kind, context);
  });
  return isDocument(sent) && kind.member !== undefined ? { ...sent, [kind.member]: items } : items;
}

function withItem(
  items: readonly Document[],
  known: Document | undefined,
  item: Document,
): readonly Document[] {
  return known ? items.map((one) => (one === known ? item : one)) : [...items, item];
}

/** Returns what is stored of an item that was sent, with the secrets and parts of the known one. */
function keptItem(
  sent: Document,
  known: Document | undefined,
  kind: CatalogueKind,
  context: RouteContext,
): Document {
  const item = withPartsOf(sealed(sent, known ?? {}, kind, context), known, kind);
  return stamped(item, known ?? {}, kind, context);
}

/** An object is written without its parts. */
function withPartsOf(sent: Document, known: Document | undefined, kind: CatalogueKind): Document {
  if (kind.form !== "object" || !kind.parts) return sent;
  const { member } = kind.parts;
  return { ...sent, [member]: partsOf(known ?? {}, member) };
}

function partsOf(item: Document, member: string): readonly unknown[] {
  const parts = memberOf<unknown>(item, member);
  return Array.isArray(parts) ? parts : [];
}

function isAlike(one: unknown, other: unknown): boolean {
  return stringifyJson(one) === stringifyJson(other);
}

/** The ID of an item that has none yet: that of the item with its key, or a number. */
function itemId(
  sent: Document,
  items: readonly Document[],
  kind: CatalogueKind | undefined,
): Document {
  if (kind?.form !== "object" || kind.id === undefined || memberOf(sent, kind.id)) return {};
  const known = items.find((one) => keyOf(one, kind) === keyOf(sent, kind));
  const ids = items.map((one) => Number(idOf(one, kind))).filter(Number.isFinite);
  return { [kind.id]: known ? memberOf(known, kind.id) : Math.max(FIRST_ID - 1, ...ids) + 1 };
}

const FIRST_ID = 9001;

function idOf(item: Document, kind: CatalogueKind | undefined): string | undefined {
  const name = kind?.form === "object" ? (kind.id ?? kind.key[0]) : undefined;
  const id = memberOf(item, name ?? "_id") ?? memberOf(item, "name");
  return id === undefined || typeof id === "string" ? id : stringifyJson(id);
}

function keyOf(item: Document, kind: CatalogueKind): string {
  const key = kind.form === "setting" ? [] : kind.key;
  return JSON.stringify(key.map((name) => memberOf(item, name)));
}

/** Sets the author and the time of new and changed items, where the kind has them. */
function stamped(
  item: Document,
  before: Document,
  { ignore }: CatalogueKind,
  { caller, now }: RouteContext,
): Document {
  const own = { owner: caller, modified: now.toISOString() };
  const marks = Object.entries(own).filter(([name]) => ignore.includes(name));
  const { owner, modified } = before;
  const kept = { ...item, ...(owner !== undefined && { owner, modified }) };
  const isSame = JSON.stringify(kept) === JSON.stringify(before);
  return isSame ? before : { ...item, ...Object.fromEntries(marks) };
}

/** Replaces secrets by what the console shows of them; keeps those that were not sent. */
function sealed(
  item: Document,
  before: Document,
  { secrets }: CatalogueKind,
  { state }: RouteContext,
): Document {
  const seal = (text: string) =>
    createHmac("sha256", state.data.keys.sealing).update(text).digest("base64");
  const sealedAt = (
    inside: Document,
    known: Document,
    [name = "", ...rest]: string[],
  ): Document => {
    const sent = memberOf(inside, name);
    const old = memberOf(known, name);
    if (rest.length > 0) {
      if (!isDocument(sent)) return inside;
      return { ...inside, [name]: sealedAt(sent, isDocument(old) ? old : {}, rest) };
    }
    if (typeof sent === "string") return { ...inside, [name]: { sealed: seal(sent) } };
    const plain = isDocument(sent) ? sent.plain : undefined;
    if (typeof plain === "string") return { ...inside, [name]: { encrypted: seal(plain) } };
    return old === undefined ? inside : { ...inside, [name]: old };
  };
  return secrets.reduce((sent, path) => sealedAt(sent, before, path.split(".")), item);
}

/** A secret that is plain text is not shown. */
function shownOf(document: unknown): unknown {
  if (Array.isArray(document)) return document.map(shownOf);
  if (!isDocument(document)) return document;
  const shown = Object.entries(document).filter(
    ([, value]) => !(isDocument(value) && "sealed" in value),
  );
  return Object.fromEntries(shown.map(([name, value]) => [name, shownOf(value)]));
}
