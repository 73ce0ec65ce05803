import { ENDPOINT_NAMES, ENDPOINTS } from "../../api/endpoints";
import type { Endpoint } from "../../api/endpoint";
import { HOLE } from "./variables";

/** Text that is the URL of an endpoint, in some release. */
export interface ConsoleUrl {
  /** As the table has them; several where a variable decides. */
  readonly paths: readonly string[];
  /**
   * `prefixed`: with /api/v1; `based`: with a variable before it that nobody knows; `relative`: the
   * path alone.
   */
  readonly form: "prefixed" | "based" | "relative";
  /** Of one plain word behind the prefix, such as /api/v1/images: other APIs have the like. */
  readonly isCommon: boolean;
  /** Without its question mark; "" where there is none. */
  readonly query: string;
  /** Where the path begins in the text. */
  readonly index: number;
  /** What is before the path: address, variables and prefix. */
  readonly address: string;
}

const PREFIX = "/api/v1/";

interface Pattern {
  readonly path: string;
  readonly segments: readonly string[];
}

const PATTERNS: readonly Pattern[] = [
  ...new Set(
    ENDPOINT_NAMES.flatMap((name) => {
      const { routes }: Endpoint = ENDPOINTS[name];
      return routes.map(({ path }) => path);
    }),
  ),
].map((path) => ({ path, segments: path.slice(PREFIX.length).split("/") }));

const WORDS = new RegExp(
  [...new Set(PATTERNS.flatMap(({ segments }) => segments).flatMap((one) => one.split(/\W/)))]
    .filter((word) => word.length > 2)
    .join("|"),
);

/** Whether the text may be a piece of a path of the API. A quick no for most of what files hold. */
export function mayBePath(text: string): boolean {
  return WORDS.test(text) && !/\S\s+\S/.test(text);
}

// The last one: a variable of the same name elsewhere may hold a prefix too.
const API = new RegExp(`^(.*)(?:^|/|(?<=${HOLE}))api/(?:v1|v?${HOLE})/`, "s");
const BASE = new RegExp(`^((?:https?://[^/]*${HOLE}[^/]*/)?(?:[^/]*${HOLE}(?:/|$)|${HOLE})+)`, "s");

/** Undefined for text that is no URL of a console. */
export function readConsoleUrl(given: string): ConsoleUrl | undefined {
  if (!WORDS.test(given)) return undefined;
  const text = given.trim().replace(/^["']|["',;)\]]+$/g, "");
  const shift = given.indexOf(text);
  if (text === "" || /\s/.test(text)) return undefined;
  const [, target = "", query = ""] = /^([^?#]*)\??(.*)$/s.exec(text) ?? [];
  const prefix = API.exec(target);
  if (prefix) {
    const address = prefix[1] ?? "";
    const found = isAddress(address) ? matchPath(target.slice(prefix[0].length)) : undefined;
    if (!found) return undefined;
    return { ...found, form: "prefixed", query, index: shift + prefix[0].length, address };
  }
  const base = BASE.exec(target);
  const from = base?.[0].length ?? (target.startsWith("/") ? 1 : 0);
  const rest = target.slice(from).replace(/^\/?(?:v1\/)?/, (skipped) => (base ? "" : skipped));
  const found = matchPath(rest) ?? undefined;
  if (!found) return undefined;
  const index = shift + target.length - rest.length;
  return { ...found, form: base ? "based" : "relative", query, index, address: base?.[0] ?? "" };
}

/** Whether a console can be there; a folder cannot. */
function isAddress(address: string): boolean {
  if (address === "") return true;
  if (/^[.~]|^[a-z][\w+-]*:(?!\/\/)/i.test(address) && !/^[\w.-]+:\d/.test(address)) return false;
  const scheme = /^([a-z][\w+.-]*):\/\//i.exec(address)?.[1];
  if (scheme !== undefined) return /^https?$/i.test(scheme) && !isForeign(address);
  if (address.startsWith("/")) return false;
  const [host = ""] = address.split("/");
  const isHost = host.includes(HOLE) || /[.:]/.test(host);
  return (
    isHost &&
    !isForeign(address) &&
    !/\/(?:src|docs?|tests?|public|static|app|lib)(?:\/|$)/.test(address)
  );
}

/** Public services, and programs that hosts are called after. None of them is a console. */
const FOREIGN =
  /^(?:https?:\/\/)?(?:[^/@]*@)?(?:(?:[\w-]+\.)*(?:github|gitlab|docker|quay|bitbucket|googleapis|atlassian|slack|datadoghq|pagerduty|jfrog|sonarcloud)\.(?:com|io|org|net|dev)(?=[:/]|$)|(?:harbor|grafana|prometheus|quay|artifactory|sonarqube|nexus|vault|consul|gitlab|github|jira|kibana|elastic\w*|rancher|argocd?|alertmanager|jenkins)[\w-]*(?=[.:/]|$))/i;

export function isForeign(address: string): boolean {
  // Section 8: the port that a console has by default.
  return FOREIGN.test(address) && !/:8083(?:\/|$)/.test(address);
}

/** Whether a variable is called after another program, as GRAFANA_URL is. */
export function isForeignName(name: string): boolean {
  return /harbor|grafana|prom(?:etheus)?(?![a-z])|quay|artifactory|sonar|nexus|vault|consul|gitlab|github|jira|kibana|elastic|rancher|argo|jenkins|docker|kube|k8s/i.test(
    name,
  );
}

function matchPath(rest: string): Pick<ConsoleUrl, "paths" | "isCommon"> | undefined {
  const segments = rest.split("/").filter((segment) => segment !== "");
  const matching = PATTERNS.filter((pattern) => matches(segments, pattern.segments));
  const literal = matching.filter(({ segments: own }) =>
    own.every((one, index) => one === segments[index]),
  );
  const chosen = literal.length > 0 ? literal : matching;
  if (chosen.length === 0) return undefined;
  const isCommon = chosen.every(({ segments: own }) => own.length === 1 && !own[0]?.includes("-"));
  return { paths: chosen.map(({ path }) => path), isCommon };
}

function isParameter(segment: string): boolean {
  return /^\{\w+\}$/.test(segment);
}

/** With variables in place of segments; two of them must be there as they are, or all. */
function matches(segments: readonly string[], pattern: readonly string[]): boolean {
  if (segments.length !== pattern.length) return false;
  let solid = 0;
  let needed = 0;
  for (const [index, own] of pattern.entries()) {
    const segment = segments[index] ?? "";
    if (isParameter(own)) {
      if (segment === "" || segment === ":") return false;
      continue;
    }
    needed++;
    if (segment === own) solid++;
    else if (own.includes("{")) {
      const [before = "", after = ""] = own.split(/\{\w+\}/);
      const isLonger = segment.length > before.length + after.length;
      const isFile = isLonger && segment.startsWith(before) && segment.endsWith(after);
      if (isFile) solid++;
      else if (segment !== HOLE) return false;
    } else if (!segment.includes(HOLE)) return false;
    else {
      const literal = segment.split(HOLE);
      const like = new RegExp(
        `^${literal.map((one) => one.replace(/[.*+?^$()[\]{}|\\]/g, "\\$&")).join("[^/]*")}$`,
      );
      if (!like.test(own)) return false;
      if (literal.join("").length >= 4) solid++;
    }
  }
  return solid === needed || solid >= 2;
}
