import { collectionEndpoints } from "../../src/api/collections";
import {
  ENDPOINT_NAMES,
  ENDPOINTS,
  endpointFor,
  type EndpointName,
  releasesOf,
  routesOf,
} from "../../src/api/endpoints";
import type { Endpoint } from "../../src/api/endpoint";
import { compareReleases, releaseBefore, type Release, RELEASES } from "../../src/api/release";

function call(name: EndpointName, release: Release): string | undefined {
  const endpoint = endpointFor(name, release);
  return endpoint && `${endpoint.method} ${endpoint.path}`;
}

describe("the spelling of every endpoint", () => {
  // Method and path in 20.12, which users and consoles depend on.
  const current: [string, string | undefined][] = [
    ["ping", "GET /api/v1/_ping"],
    ["signUp", "POST /api/v1/signup"],
    ["authenticate", "POST /api/v1/authenticate"],
    ["authenticateClient", "POST /api/v1/authenticate-client"],
    ["installLicense", "POST /api/v1/settings/license"],
    ["getCompliancePolicies", "GET /api/v1/policies/compliance/container"],
    ["putCompliancePolicies", "PUT /api/v1/policies/compliance/container"],
    ["getContainers", "GET /api/v1/containers"],
    ["startContainerScan", "GET /api/v1/containers/scan"],
    ["getRuntimePolicies", "GET /api/v1/policies/runtime/container"],
    ["getPolicies", "GET /api/v1/policies"],
    ["getImages", "GET /api/v1/images"],
    ["getComplianceStats", "GET /api/v1/stats/compliance"],
    ["downloadComplianceStats", undefined],
    ["getCustomRules", "GET /api/v1/policies/runtime/custom-rules"],
    ["getContainerLabels", "GET /api/v1/containers/labels"],
    ["downloadLinuxScript", "POST /api/v1/scripts/defender.sh"],
    ["downloadWindowsScript", "POST /api/v1/scripts/defender.ps1"],
    ["downloadHelmChart", "POST /api/v1/defenders/helm/{product}-defender-helm.tar.gz"],
    ["downloadDaemonSet", "POST /api/v1/defenders/daemonset.yaml"],
    ["getRegistrySettings", "GET /api/v1/settings/registry"],
    ["putRegistrySettings", "PUT /api/v1/settings/registry"],
    ["addRegistrySpecification", "POST /api/v1/settings/registry"],
    ["getServerlessScan", "GET /api/v1/settings/serverless-scan"],
    ["replaceServerlessScan", "POST /api/v1/settings/serverless-scan"],
    ["addServerlessScanScope", undefined],
    ["getServerlessAutoDeploy", "GET /api/v1/settings/serverless-auto-deploy"],
    ["replaceServerlessAutoDeploy", "POST /api/v1/settings/serverless-auto-deploy"],
    ["getServerlessAutoDeployStatus", "GET /api/v1/statuses/serverless-auto-deploy"],
    ["getHostAutoDeployStatus", "GET /api/v1/statuses/host-auto-deploy"],
    ["getServerlessFunctions", "GET /api/v1/serverless"],
    ["downloadServerlessFunctions", "GET /api/v1/serverless/download"],
    ["getServerlessFunctionNames", "GET /api/v1/serverless/names"],
    ["getCloudDiscovery", "GET /api/v1/cloud/discovery"],
    ["downloadCloudDiscovery", "GET /api/v1/cloud/discovery/download"],
    ["getHostFirewallPolicies", "GET /api/v1/policies/firewall/network/host"],
    ["putHostFirewallPolicies", "PUT /api/v1/policies/firewall/network/host"],
    ["getFirewallEntities", "GET /api/v1/policies/firewall/network/entities"],
    ["putFirewallEntities", "PUT /api/v1/policies/firewall/network/entities"],
    ["getContainerFirewallPolicies", "GET /api/v1/policies/firewall/network/container"],
    ["putContainerFirewallPolicies", "PUT /api/v1/policies/firewall/network/container"],
    ["getHostFirewallAudits", "GET /api/v1/audits/firewall/network/host"],
    ["downloadHostFirewallAudits", "GET /api/v1/audits/firewall/network/host/download"],
    ["getContainerFirewallAudits", "GET /api/v1/audits/firewall/network/container"],
    ["downloadContainerFirewallAudits", "GET /api/v1/audits/firewall/network/container/download"],
    ["learnServiceProfile", "POST /api/v1/profiles/service/{id}/learn"],
    ["learnServiceProfiles", "POST /api/v1/profiles/service/learn"],
    ["getServiceProfileNames", "GET /api/v1/profiles/service/names"],
    ["downloadServiceProfiles", "GET /api/v1/profiles/service/download"],
    ["getServiceProfiles", "GET /api/v1/profiles/service"],
    ["getHostProfileRule", "GET /api/v1/profiles/host/{id}/rule"],
    ["getCapabilities", "GET /api/v1/static/capabilities"],
    ["postHighAvailabilityMember", "POST /api/v1/high-availability/{id}"],
    ["postHighAvailability", "POST /api/v1/high-availability"],
    ["getHighAvailability", "GET /api/v1/high-availability"],
    ["exportHostRadar", "GET /api/v1/radar/host/export"],
    ["exportContainerRadar", "GET /api/v1/radar/container/export"],
    ["getContainerRadarFilters", "GET /api/v1/radar/container/filters"],
    ["deleteHostRadar", "DELETE /api/v1/radar/host"],
    ["deleteContainerRadar", "DELETE /api/v1/radar/container"],
    ["deleteAccessAudits", "DELETE /api/v1/audits/access"],
  ];

  const expected = Object.fromEntries(current);
  // A new row in the table of collections defines its own calls.
  const isAdded = (name: EndpointName) =>
    Object.hasOwn(collectionEndpoints, name) && !Object.hasOwn(expected, name);
  const names = ENDPOINT_NAMES.filter((name) => !isAdded(name));

  test("in 20.12", () => {
    expect(names.map((name) => [name, call(name, "20.12")]).sort()).toEqual([...current].sort());
  });

  /** The differences of a release from 20.12; those after it differ from the one before them. */
  const elsewhere: Partial<Record<Release, Record<string, string | undefined>>> = {
    "20.04": {
      downloadLinuxScript: "GET /api/v1/scripts/defender.sh",
      downloadWindowsScript: "GET /api/v1/scripts/defender.ps1",
      downloadHelmChart: "GET /api/v1/defenders/helm/{product}-defender-helm.tar.gz",
      downloadDaemonSet: "GET /api/v1/defenders/daemonset.yaml",
      getServerlessAutoDeploy: "GET /api/v1/settings/serverless-auto-protect",
      replaceServerlessAutoDeploy: "POST /api/v1/settings/serverless-auto-protect",
      getServerlessAutoDeployStatus: "GET /api/v1/statuses/serverless-autoprotect",
    },
    next: {
      downloadComplianceStats: "GET /api/v1/stats/compliance/download",
      getCustomRules: "GET /api/v1/custom-rules",
      replaceServerlessScan: "PUT /api/v1/settings/serverless-scan",
      addServerlessScanScope: "POST /api/v1/settings/serverless-scan",
    },
  };

  test.each(RELEASES)("in %s, where it differs from 20.12", (release) => {
    const isLater = compareReleases(release, "20.12") > 0;
    const sources = isLater
      ? RELEASES.filter((one) => compareReleases(one, "20.12") > 0).slice(
          0,
          RELEASES.indexOf(release) - RELEASES.indexOf("20.12"),
        )
      : [release];
    const changed = names.filter((name) => call(name, release) !== expected[name]);
    expect(Object.fromEntries(changed.map((name) => [name, call(name, release)]))).toEqual(
      Object.assign({}, ...sources.map((one) => elsewhere[one] ?? {})),
    );
  });
});

test.each(RELEASES)("%s has each method and path once", (release) => {
  const calls = routesOf(release).map(({ method, path }) => `${method} ${path}`);
  expect(calls).toEqual([...new Set(calls)]);
});

test("the routes of an endpoint have no gaps", () => {
  for (const { routes } of Object.values<Endpoint>(ENDPOINTS)) {
    routes.slice(1).forEach((route, index) => {
      expect(RELEASES.indexOf(route.since)).toBe(RELEASES.indexOf(routes[index]!.until) + 1);
    });
  }
});

test("only setup needs no license, and only authentication no authorization", () => {
  const named = (matches: (endpoint: Endpoint) => boolean) =>
    ENDPOINT_NAMES.filter((name) => matches(ENDPOINTS[name]));
  expect(named(({ functional }) => !functional)).toEqual([
    "ping",
    "signUp",
    "authenticate",
    "authenticateClient",
    "installLicense",
  ]);
  expect(named(({ authorization }) => authorization === "none")).toEqual([
    "ping",
    "signUp",
    "authenticate",
    "authenticateClient",
  ]);
  expect(named(({ spec }) => spec === null)).toEqual(["ping"]);
});

test.each(RELEASES)("lists the calls that may not be replayed in %s", (release) => {
  const unsafe = routesOf(release).filter(({ replaySafe }) => !replaySafe);
  expect(unsafe.map(({ name }) => name)).toEqual([
    "signUp",
    "addRegistrySpecification",
    ...(release === "next" ? ["addServerlessScanScope"] : []),
    "startContainerScan",
    "learnServiceProfile",
    "learnServiceProfiles",
    "postHighAvailabilityMember",
    "postHighAvailability",
  ]);
});

test("an endpoint has a release and a reason of its deprecation", () => {
  expect(endpointFor("getHighAvailability", "20.04")?.deprecated).toBeUndefined();
  expect(endpointFor("getHighAvailability", "20.12")?.deprecated).toEqual({
    in: "20.09",
    section: "9.2",
    why: "high availability is removed",
  });
  const deprecated = routesOf("20.09").filter((endpoint) => endpoint.deprecated);
  expect(deprecated).toHaveLength(27);
});

test("an endpoint has its previous route", () => {
  expect(endpointFor("getCustomRules", "20.12")?.renamedFrom).toBeUndefined();
  expect(endpointFor("getCustomRules", "next")?.renamedFrom).toMatchObject({
    path: "/api/v1/policies/runtime/custom-rules",
    until: releaseBefore("next"),
  });
});

test("an endpoint has a list of releases", () => {
  expect(endpointFor("addServerlessScanScope", "20.12")).toBeUndefined();
  expect(releasesOf("addServerlessScanScope")).toEqual(["next"]);
  expect(releasesOf("signUp")).toEqual(RELEASES);
});

test("orders releases by age", () => {
  expect((["next", "20.12", "20.04", "20.09"] as const).toSorted(compareReleases)).toEqual([
    "20.04",
    "20.09",
    "20.12",
    "next",
  ]);
  expect(RELEASES.toReversed().toSorted(compareReleases)).toEqual(RELEASES);
});

test.each([
  ["downloadLinuxScript", "text/plain"],
  ["downloadHelmChart", "application/x-gzip"],
  ["downloadDaemonSet", "text/yaml"],
  ["downloadCloudDiscovery", "text/csv"],
  ["getCompliancePolicies", "application/json"],
] as const)("%s answers %s", (name, type) => {
  expect(ENDPOINTS[name].answer).toBe(type);
});
