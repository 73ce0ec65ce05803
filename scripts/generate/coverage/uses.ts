import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from "../../../src/api/endpoints";
import type { Endpoint } from "../../../src/api/endpoint";
import { PROBES } from "../../../src/api/release-probe";
import type { UsedEndpoints } from "../../../src/provider/listing";
import { dataSources } from "../../../src/provider/data-sources";
import { resources } from "../../../src/provider/resources";

/** Endpoints that the provider calls for any resource. */
export const PROVIDER_ENDPOINTS: Readonly<Record<string, readonly EndpointName[]>> = {
  'provider (`auth = "token"`)': ["authenticate"],
  'provider (`auth = "client_certificate"`)': ["authenticateClient"],
  'provider (`release = "auto"`)': [...new Set(PROBES.map(({ endpoint }) => endpoint))],
};

/** Endpoints that commands without a stack call. */
export const COMMAND_ENDPOINTS: Readonly<Record<string, readonly EndpointName[]>> = {
  adopt: [
    "getCompliancePolicies",
    "getRegistrySettings",
    "getServerlessAutoDeploy",
    "getServerlessScan",
  ],
  scan: ["getContainers", "startContainerScan"],
  "download serverless": ["downloadServerlessFunctions"],
  "download cloud-discovery": ["downloadCloudDiscovery"],
  "download compliance": ["downloadComplianceStats"],
  upgrade: [
    "getRegistrySettings",
    "getServerlessScan",
    "getHostFirewallPolicies",
    "getFirewallEntities",
    "getContainerFirewallPolicies",
  ],
};

/** Reasons why only the client has an endpoint, beside the deprecations of section 9.2. */
const REASONS: Partial<Readonly<Record<EndpointName, string>>> = {
  addRegistrySpecification: "`cwp_registry_scan` replaces the whole collection in one write",
  addServerlessScanScope: "`cwp_serverless_scan` replaces the whole collection in one write",
};

/** Returns the resources, data sources and commands that call an endpoint. */
export function usesOf(name: EndpointName): readonly string[] {
  const calls = (endpoints: readonly EndpointName[] = []) => endpoints.includes(name);
  const callsFor = (one: UsedEndpoints) => calls(one.endpoints) || calls(one.noteEndpoints);
  const named = (uses: Readonly<Record<string, readonly EndpointName[]>>) =>
    Object.keys(uses).filter((use) => calls(uses[use]));
  return [
    ...resources.filter(callsFor).map(({ type }) => `\`${type}\``),
    ...dataSources.filter(callsFor).map(({ type }) => `data \`${type}\``),
    ...named(COMMAND_ENDPOINTS).map((command) => `command \`${command}\``),
    ...named(PROVIDER_ENDPOINTS),
  ];
}

/** Returns the reason why only the client has an endpoint. */
export function reasonOf(name: EndpointName): string | undefined {
  const { deprecated }: Endpoint = ENDPOINTS[name];
  return deprecated ? "deprecated" : REASONS[name];
}

/** Returns the endpoints with neither a use nor a reason for none, or with both. */
export function unexplained(): readonly EndpointName[] {
  return ENDPOINT_NAMES.filter((name) => {
    const isUsed = usesOf(name).length > 0;
    return isUsed ? REASONS[name] !== undefined : reasonOf(name) === undefined;
  });
}
