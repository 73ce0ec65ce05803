import { answerDocument } from "./documents";
import { isObject, keyOf, objectsOf, type Json, type JsonObject } from "./json";
import { OBJECTS, writeObject } from "./objects";
import type { Answer, LoggedRequest, SecondConsoleOptions } from "./options";
import { answerList } from "./pages";
import { CHANGED, type Content } from "./world";

const NOT_FOUND: Answer = { status: 404, json: { err: "not found" } };
const PAGE_NOT_FOUND: Answer = {
  status: 404,
  bytes: Buffer.from("<html><body>404 page not found</body></html>"),
  headers: { "content-type": "text/html" },
};

/** Answers an authorized request of a project. */
export function answer(
  request: LoggedRequest,
  content: Content,
  options: SecondConsoleOptions,
): Answer {
  const { method } = request;
  const path = decoded(request.path);
  const isWrite = method !== "GET";
  if (options.missing?.includes(path)) return PAGE_NOT_FOUND;
  const latin1 = isWrite ? undefined : options.latin1?.[path];
  if (latin1 !== undefined) return { status: 200, bytes: Buffer.from(latin1, "latin1") };
  const sent = jsonOf(request.body);
  if (sent === INVALID) return { status: 400, json: { err: "invalid JSON" } };
  if (isWrite && options.repeatsBody?.some((one) => [path, `${method} ${path}`].includes(one))) {
    return { status: 400, json: { err: `invalid request: ${request.body}` } };
  }
  const readOnly = { "settings/certs": ["caExpiration"], ...options.readOnly }[path] ?? [];
  const refused = readOnly.find((name) => isWrite && isObject(sent) && name in sent);
  if (refused !== undefined) return { status: 400, json: { err: `${refused} is read-only` } };
  return (
    answerDocument({ method, path, sent }, content, options) ??
    answerObjects(request, sent, content, options) ??
    answerRest(request, sent, options) ??
    NOT_FOUND
  );
}

/** Answers requests to lists of objects and to one of them. */
function answerObjects(
  { method, path, query }: LoggedRequest,
  sent: Json | undefined,
  content: Content,
  options: SecondConsoleOptions,
): Answer | undefined {
  const raw = options.decodesSlashes ? decoded(path) : path;
  const at = Object.keys(OBJECTS)
    .filter((one) => raw === one || raw.startsWith(`${one}/`))
    .sort((a, b) => b.length - a.length)[0];
  const objects = at === undefined ? undefined : OBJECTS[at];
  if (at === undefined || !objects) return undefined;
  const list = (content.lists[at] ??= []);
  const below = raw === at ? [] : raw.slice(at.length + 1).split("/");
  if (at === "tags" && below[1] === "vuln") {
    return changeTag(list, decoded(below[0] ?? ""), method, sent);
  }
  if (below.length > 1) return undefined;
  const id = below[0] === undefined ? undefined : decoded(below[0]);
  const { shown = (one: JsonObject) => one } = objects;
  if (method === "GET" && id === undefined) {
    const terms = new URLSearchParams(query);
    const search = terms.get("search");
    const rows = list.filter((one) => !search || keyOf(one[objects.key]).includes(search));
    return answerList(at, rows.map(shown), terms, options.pages);
  }
  const isNew = at === "alert-profiles" && method === "POST" && isObject(sent);
  if (isNew && options.profileNeedsId && sent._id === undefined) {
    return { status: 400, json: { err: "profile id is missing" } };
  }
  const bodies = isObject(sent) ? [sent] : objectsOf(sent);
  const put = at === "rbac/roles" && options.rolesByPath ? "item" : objects.put;
  return writeObject({ ...objects, put }, { method, list, id, sent: bodies }, options);
}

function changeTag(
  list: JsonObject[],
  name: string,
  method: string,
  sent: Json | undefined,
): Answer {
  const index = list.findIndex((one) => one.name === name);
  const tag = list[index];
  if (!tag || !isObject(sent)) return NOT_FOUND;
  const text = JSON.stringify(sent);
  const others = objectsOf(tag.vulns).filter((one) => JSON.stringify(one) !== text);
  list[index] = { ...tag, vulns: method === "POST" ? [...others, sent] : others };
  return { status: 200 };
}

/** Answers results, scans, defenders and the serverless settings. */
function answerRest(
  { method, path, query }: LoggedRequest,
  sent: Json | undefined,
  options: SecondConsoleOptions,
): Answer | undefined {
  const { rows = 120, pages, defendedTerm = "protected", defenderNeedsRuntime } = options;
  if (method === "GET" && ["containers", "images", "hosts"].includes(path)) {
    return answerList(path, results(rows), new URLSearchParams(query), pages);
  }
  if (method === "GET" && path === "serverless") {
    const functions = Array.from({ length: rows }, (_, index) => ({
      _id: `f${index}`,
      name: `f${index}`,
      [defendedTerm]: index % 2 === 0,
    }));
    const wanted = new URLSearchParams(query).get(defendedTerm);
    const shown = functions.filter(
      (one) => wanted === null || String(one[defendedTerm]) === wanted,
    );
    return answerList(path, shown, new URLSearchParams(query), pages);
  }
  const isServerless = /^settings\/serverless-(?:scan|auto-deploy)$/.test(path);
  if (method === "GET" && isServerless) return { status: 200, json: [] };
  if (method === "POST" && path === "registry/scan") return { status: 200 };
  if (method !== "POST" || !path.startsWith("defenders/")) return undefined;
  if (defenderNeedsRuntime && !(isObject(sent) && sent.containerRuntime)) {
    return { status: 400, json: { err: "invalid container runtime" } };
  }
  const headers = { "content-type": "application/yaml" };
  return { status: 200, bytes: Buffer.from("kind: DaemonSet\n"), headers };
}

function results(count: number): readonly JsonObject[] {
  return Array.from({ length: count }, (_, index) => ({
    _id: `id${index}`,
    hostname: `h${index}`,
    scanTime: CHANGED.modified,
    info: { id: `id${index}`, name: `c${index}`, imageName: "i", namespace: "n" },
  }));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const INVALID = Symbol("invalid JSON");

function jsonOf(body: string): Json | undefined | typeof INVALID {
  if (body === "") return undefined;
  try {
    return JSON.parse(body) as Json;
  } catch {
    return INVALID;
  }
}
