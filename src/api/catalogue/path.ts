import { COLLECTIONS, type CollectionRow } from "../collections";
import type { Endpoint, Method } from "../endpoint";
import { kindAt } from "./catalogue";
import { API, tableEndpointsAt } from "./described-place";

/** Uses of a path: a list or a document that is replaced, objects, or a read alone. */
export type PathUse = "replace" | "object" | "read";

/** Reasons to refuse a path. */
export interface PathProblem {
  readonly summary: string;
  readonly detail: string;
}

/** Returns why a path below `/api/v1` cannot be used; undefined if it can. */
export function pathProblem(path: string, use: PathUse): PathProblem | undefined {
  return spellingProblem(path) ?? endpointProblem(path, use);
}

const SEGMENTS = /^[\w~-][\w.~-]*(?:\/[\w~-][\w.~-]*)*$/;

function spellingProblem(path: string): PathProblem | undefined {
  const lower = path.toLowerCase();
  const isKnown = kindAt(lower) !== undefined || tableEndpointsAt(lower).length > 0;
  if (isKnown && lower !== path) {
    return { summary: "Invalid path", detail: `Paths are case-sensitive: write ${lower}.` };
  }
  const isBelowApi = /^\/?api(?:\/|$)/i.test(path);
  if (SEGMENTS.test(path) && !isBelowApi) return undefined;
  const detail = /:\/\/|^\/\//.test(path)
    ? "A path has no host: the console is the provider's base_url."
    : /[?#]/.test(path)
      ? "A path has no query and no fragment."
      : path.split("/").includes("..")
        ? 'A path has no "..".'
        : isBelowApi
          ? "Leave /api/v1/ out: paths are below it."
          : 'A path has names of letters, digits and ".", "_", "~", "-", separated by "/", as in settings/registry.';
  return { summary: "Invalid path", detail };
}

/** The last segments of paths that do something: the specification does not list all such endpoints. */
const ACTIONS =
  /^(?:sign-?up|log-?(?:in|out)|authenticate(?:-client)?|renew|(?:re)?scan|trigger|start|stop|restart|(?:re)?learn|evaluate|download|upload|export|import|upgrade)$/i;

/** Settings are documents whatever their name: `settings/scan` has the intervals of scans. */
function isAction(path: string): boolean {
  return !path.startsWith("settings/") && ACTIONS.test(path.slice(path.lastIndexOf("/") + 1));
}

/** Refuses what a resource of its type manages, and endpoints that are no collection. */
function endpointProblem(path: string, use: PathUse): PathProblem | undefined {
  const typed = use === "read" ? undefined : typedResourceAt(path);
  if (typed !== undefined) {
    return {
      summary: "Path of another resource",
      detail: `${typed} manages ${path}: it checks the entries, and a review shows their effect. Use it instead.`,
    };
  }
  if (kindAt(path)) return undefined;
  const endpoints = tableEndpointsAt(path);
  if (endpoints.length === 0 && !isAction(path)) return undefined;
  const isUsable = use === "read" ? endpoints.some(isReadable) : has(endpoints, "PUT");
  if (isUsable) return undefined;
  const detail =
    use === "read"
      ? "It has no read without an effect that answers JSON."
      : "Nothing there can be read and replaced.";
  return { summary: "Path is no collection", detail: `${API}${path} is an endpoint. ${detail}` };
}

/** The type of the resource that manages the collection of a path in some release. */
function typedResourceAt(path: string): string | undefined {
  return Object.values<CollectionRow>(COLLECTIONS).find(({ endpoints }) =>
    Object.values(endpoints).some(({ routes }) => routes.some((one) => one.path === API + path)),
  )?.resource;
}

function has(endpoints: readonly Endpoint[], method: Method): boolean {
  return endpoints.some(({ routes }) => routes.some((route) => route.method === method));
}

function isReadable({ routes, answer, functional }: Endpoint): boolean {
  return (
    functional &&
    answer === "application/json" &&
    routes.some(({ method, replaySafe }) => method === "GET" && replaySafe)
  );
}
