import { collectionEndpoints } from "./collections";
import {
  type DefendedTerm,
  type Endpoint,
  type NamedEndpoint,
  type Route,
  changedIn,
  endpoint,
  type ContentType,
  type Method,
  get,
} from "./endpoint";
import { compareReleases, hasChange, RELEASES, type Release } from "./release";

/** Policies for connectivity tests, scan results and statistics (sections 4.2, 4.5, 9.3). */
export const compliance = {
  getContainers: get("4.2", "/api/v1/containers", { pages: true }),
  /** A GET with an effect: each request starts a scan. */
  startContainerScan: endpoint({
    spec: "4.2",
    routes: [{ method: "GET", path: "/api/v1/containers/scan", replaySafe: false }],
  }),
  getRuntimePolicies: get("4.2", "/api/v1/policies/runtime/container"),
  getPolicies: get("4.2", "/api/v1/policies"),
  getImages: get("4.2", "/api/v1/images", { pages: true }),
  getComplianceStats: get("4.5", "/api/v1/stats/compliance", {
    replaced: changedIn(
      "9.3.1",
      "the data of today is removed, and rates, a trend and a list of all checks take its place",
    ),
  }),
  downloadComplianceStats: endpoint({
    spec: "9.3",
    answer: "text/csv",
    routes: [{ method: "GET", path: "/api/v1/stats/compliance/download", since: "next" }],
  }),
  /** Implied by 9.3.4, which names the path only. */
  getCustomRules: endpoint({
    spec: "9.3",
    routes: [
      { method: "GET", path: "/api/v1/policies/runtime/custom-rules" },
      { method: "GET", path: "/api/v1/custom-rules", section: "9.3.4" },
    ],
  }),
  getContainerLabels: get("4.5", "/api/v1/containers/labels", {
    deprecated: changedIn("9.2", "the specification names no reason"),
  }),
};

/** Auto-deploy statuses, serverless functions and cloud discovery (sections 4.4, 4.5). */
export const cloud = {
  /** In 20.04 the path spells `autoprotect` in one word, unlike the path of the settings. */
  getServerlessAutoDeployStatus: endpoint({
    spec: "4.4",
    defended: ["member"],
    routes: [
      { method: "GET", path: "/api/v1/statuses/serverless-autoprotect" },
      {
        method: "GET",
        path: "/api/v1/statuses/serverless-auto-deploy",
        section: "9.1.3",
      },
    ],
  }),
  getHostAutoDeployStatus: get("4.4", "/api/v1/statuses/host-auto-deploy", {
    defended: ["member"],
  }),
  getServerlessFunctions: get("4.5", "/api/v1/serverless", {
    defended: ["query", "member"],
    pages: true,
  }),
  downloadServerlessFunctions: get("4.5", "/api/v1/serverless/download", {
    answer: "text/csv",
    defended: ["query", "column"],
  }),
  getServerlessFunctionNames: get("4.5", "/api/v1/serverless/names", {
    defended: ["query"],
    pages: true,
  }),
  getCloudDiscovery: get("4.5", "/api/v1/cloud/discovery", { defended: ["member"] }),
  downloadCloudDiscovery: get("4.5", "/api/v1/cloud/discovery/download", {
    answer: "text/csv",
    defended: ["column"],
  }),
};

/** GET in 20.04, POST from 20.09 on. The call only generates a file, so it may be replayed. */
function defenderFile(answer: ContentType, path: string): Endpoint {
  return endpoint({
    spec: "4.3",
    answer,
    routes: [
      { method: "GET", path },
      { method: "POST", path, section: "9.1.1", replaySafe: true },
    ],
  });
}

/** Files that install a defender (section 4.3). */
const defenders = {
  downloadLinuxScript: defenderFile("text/plain", "/api/v1/scripts/defender.sh"),
  downloadWindowsScript: defenderFile("text/plain", "/api/v1/scripts/defender.ps1"),
  downloadHelmChart: defenderFile(
    "application/x-gzip",
    "/api/v1/defenders/helm/{product}-defender-helm.tar.gz",
  ),
  downloadDaemonSet: defenderFile("text/yaml", "/api/v1/defenders/daemonset.yaml"),
};

function deprecatedBecause(why: string) {
  return (method: Method, path: string, answer: ContentType = "application/json"): Endpoint =>
    endpoint({
      spec: "9.2",
      answer,
      deprecated: changedIn("9.2", why),
      routes: [{ method, path }],
    });
}

const firewall = deprecatedBecause("network firewall policies are no longer enforced");
const hostRuntime = deprecatedBecause("host models are removed");
const availability = deprecatedBecause("high availability is removed");
const other = deprecatedBecause("the specification names no reason");

/** Endpoints that 20.09 deprecates (section 9.2). All releases still answer them. */
export const deprecated = {
  getHostFirewallPolicies: firewall("GET", "/api/v1/policies/firewall/network/host"),
  putHostFirewallPolicies: firewall("PUT", "/api/v1/policies/firewall/network/host"),
  getFirewallEntities: firewall("GET", "/api/v1/policies/firewall/network/entities"),
  putFirewallEntities: firewall("PUT", "/api/v1/policies/firewall/network/entities"),
  getContainerFirewallPolicies: firewall("GET", "/api/v1/policies/firewall/network/container"),
  putContainerFirewallPolicies: firewall("PUT", "/api/v1/policies/firewall/network/container"),
  getHostFirewallAudits: firewall("GET", "/api/v1/audits/firewall/network/host"),
  downloadHostFirewallAudits: firewall(
    "GET",
    "/api/v1/audits/firewall/network/host/download",
    "text/csv",
  ),
  getContainerFirewallAudits: firewall("GET", "/api/v1/audits/firewall/network/container"),
  downloadContainerFirewallAudits: firewall(
    "GET",
    "/api/v1/audits/firewall/network/container/download",
    "text/csv",
  ),

  learnServiceProfile: hostRuntime("POST", "/api/v1/profiles/service/{id}/learn"),
  learnServiceProfiles: hostRuntime("POST", "/api/v1/profiles/service/learn"),
  getServiceProfileNames: hostRuntime("GET", "/api/v1/profiles/service/names"),
  downloadServiceProfiles: hostRuntime("GET", "/api/v1/profiles/service/download", "text/csv"),
  getServiceProfiles: hostRuntime("GET", "/api/v1/profiles/service"),
  getHostProfileRule: hostRuntime("GET", "/api/v1/profiles/host/{id}/rule"),
  getCapabilities: hostRuntime("GET", "/api/v1/static/capabilities"),

  postHighAvailabilityMember: availability("POST", "/api/v1/high-availability/{id}"),
  postHighAvailability: availability("POST", "/api/v1/high-availability"),
  getHighAvailability: availability("GET", "/api/v1/high-availability"),

  exportHostRadar: other("GET", "/api/v1/radar/host/export"),
  exportContainerRadar: other("GET", "/api/v1/radar/container/export"),
  getContainerRadarFilters: other("GET", "/api/v1/radar/container/filters"),
  deleteHostRadar: other("DELETE", "/api/v1/radar/host"),
  deleteContainerRadar: other("DELETE", "/api/v1/radar/container"),
  deleteAccessAudits: other("DELETE", "/api/v1/audits/access"),
};

/** A POST that works without a license; by default without authorization, too. */
function setupPost(
  path: string,
  replaySafe: boolean,
  authorization: Endpoint["authorization"] = "none",
): Endpoint {
  return endpoint({
    spec: "4.1",
    authorization,
    functional: false,
    routes: [{ method: "POST", path, replaySafe }],
  });
}

/** First-time setup and authentication (section 4.1), most of which work without a license. */
export const setup = {
  /** Not in the specification; live consoles answer it once they serve. */
  ping: endpoint({
    spec: null,
    authorization: "none",
    functional: false,
    answer: "text/plain",
    routes: [{ method: "GET", path: "/api/v1/_ping" }],
  }),
  /** A replay after a successful sign-up would be refused as if another admin existed. */
  signUp: setupPost("/api/v1/signup", false),
  /** A replay issues a second token and has no other effect. */
  authenticate: setupPost("/api/v1/authenticate", true),
  authenticateClient: setupPost("/api/v1/authenticate-client", true),
  /** Installing the same key twice has the effect of installing it once. */
  installLicense: setupPost("/api/v1/settings/license", true, "required"),
};

/** Every endpoint of sections 4.1 to 4.5, 9.2 and 9.3, the two that they imply, and `_ping`. */
export const ENDPOINTS = {
  ...setup,
  ...collectionEndpoints,
  ...compliance,
  ...defenders,
  ...cloud,
  ...deprecated,
} as const satisfies Readonly<Record<string, Endpoint>>;

type Span = Pick<Route, "since" | "until">;

/** Name of an endpoint, the same in every release. */
export type EndpointName = keyof typeof ENDPOINTS;
/** All names, in the table's order. */
export const ENDPOINT_NAMES = Object.keys(ENDPOINTS) as readonly EndpointName[];

export function isTableName(name: string): name is EndpointName {
  return Object.hasOwn(ENDPOINTS, name);
}

/** The name of an endpoint of the table, or an endpoint that the table need not have. */
export type EndpointTarget = EndpointName | NamedEndpoint;

/** An endpoint as one release has it. */
export interface ResolvedEndpoint<Name extends string = string>
  extends Omit<Endpoint, "routes" | "deprecated">, Route {
  readonly name: Name;
  readonly release: Release;
  /** Set if the release has deprecated the endpoint. */
  readonly deprecated?: NonNullable<Endpoint["deprecated"]>;
  /** The route of earlier releases. */
  readonly renamedFrom?: Route;
}

/** Returns the endpoint as the release has it; undefined if it does not. */
export function endpointFor<Name extends string = EndpointName>(
  target: EndpointName | NamedEndpoint<Name>,
  release: Release,
): ResolvedEndpoint<EndpointName | Name> | undefined {
  const name = typeof target === "string" ? target : target.name;
  const { routes, deprecated: deprecation, ...rest }: Endpoint = endpointOf(target);
  const position = routes.findIndex((route) => includes(route, release));
  const route = routes[position];
  if (route === undefined) return undefined;
  const renamedFrom = routes[position - 1];
  const isDeprecated = deprecation && compareReleases(release, deprecation.in) >= 0;
  return {
    name,
    release,
    ...rest,
    ...route,
    ...(isDeprecated && { deprecated: deprecation }),
    ...(renamedFrom && { renamedFrom }),
  };
}

function endpointOf(target: EndpointTarget): Endpoint {
  return typeof target === "string" ? ENDPOINTS[target] : target;
}

/** Returns the releases that have the endpoint, oldest first. */
export function releasesOf(target: EndpointTarget): readonly Release[] {
  const { routes } = endpointOf(target);
  return RELEASES.filter((release) => routes.some((route) => includes(route, release)));
}

/** True if a call differs between releases. */
export function variesByRelease(target: EndpointTarget): boolean {
  const { routes, defended } = endpointOf(target);
  return routes.length > 1 || releasesOf(target).length < RELEASES.length || defended !== undefined;
}

/** Returns every endpoint of a release. */
export function routesOf(release: Release): readonly ResolvedEndpoint<EndpointName>[] {
  return ENDPOINT_NAMES.flatMap((name) => endpointFor(name, release) ?? []);
}

/** Returns `protected` or `defended`, depending on the release (9.3.6). */
export function defendedTerm(release: Release): DefendedTerm {
  return hasChange(release, "defendedTerm") ? "defended" : "protected";
}

function includes({ since, until }: Span, release: Release): boolean {
  return compareReleases(since, release) <= 0 && compareReleases(release, until) <= 0;
}

/** A call of an endpoint that the console's release has deprecated. */
export interface Deprecation {
  readonly endpoint: ResolvedEndpoint["name"];
  readonly method: string;
  readonly path: string;
  /** The release that deprecated it. */
  readonly since: Release;
  readonly why: string;
  /** One sentence with endpoint, release, reason and the specification's section. */
  readonly message: string;
}

/** Returns undefined if the release has not deprecated the endpoint. */
export function deprecationOf(endpoint: ResolvedEndpoint): Deprecation | undefined {
  const { name, method, path, deprecated } = endpoint;
  if (!deprecated) return undefined;
  const { in: since, section, why } = deprecated;
  const message = `${method} ${path} is deprecated since release ${since} (section ${section}): ${why}.`;
  return { endpoint: name, method, path, since, why, message };
}
