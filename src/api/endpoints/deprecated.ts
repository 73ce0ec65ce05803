import { endpoint, type ContentType, type Endpoint, type Method } from "../endpoint";

function deprecatedBecause(why: string) {
  return (method: Method, path: string, answer: ContentType = "application/json"): Endpoint =>
    endpoint({
      spec: "9.2",
      answer,
      deprecated: { in: "20.09", section: "9.2", why },
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
