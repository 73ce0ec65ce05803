import { hasChange } from "../../api/release";
import { z } from "zod";
import { isDocument, type Document } from "../documents";
import { csvResponse, jsonResponse } from "../messages";
import {
  collectionResponse,
  DONE,
  withBody,
  type Handler,
  type Handlers,
  type RouteContext,
} from "../route";
import type { Firewall } from "../console-state";

const nothing: Handler = () => jsonResponse(200, []);
const done: Handler = () => DONE;
const audits: Handler = () => csvResponse(["time", "source", "target", "rule", "effect"], []);

/** Endpoints of section 9.2. They answer in every release and have no effect. */
export const deprecatedRoutes = {
  getHostFirewallPolicies: readFirewall("host"),
  putHostFirewallPolicies: writeFirewall("host"),
  getFirewallEntities: readFirewall("entities"),
  putFirewallEntities: writeFirewall("entities"),
  getContainerFirewallPolicies: readFirewall("container"),
  putContainerFirewallPolicies: writeFirewall("container"),
  getHostFirewallAudits: nothing,
  downloadHostFirewallAudits: audits,
  getContainerFirewallAudits: nothing,
  downloadContainerFirewallAudits: audits,

  learnServiceProfile: done,
  learnServiceProfiles: done,
  getServiceProfileNames: nothing,
  downloadServiceProfiles: () => csvResponse(["name", "host", "state", "lastModified"], []),
  getServiceProfiles: nothing,
  getHostProfileRule: nothing,
  getCapabilities: nothing,

  postHighAvailabilityMember: done,
  postHighAvailability: done,
  getHighAvailability: nothing,

  exportHostRadar: nothing,
  exportContainerRadar: nothing,
  getContainerRadarFilters: nothing,
  deleteHostRadar: done,
  deleteContainerRadar: done,
  deleteAccessAudits: done,
} satisfies Handlers;

/** The types in the envelope. The specification does not name them. */
const POLICY_TYPES: Readonly<Record<Firewall, string>> = {
  host: "hostNetworkFirewall",
  entities: "networkFirewallEntities",
  container: "containerNetworkFirewall",
};

/** Reads the rules. An upgrade from 20.04 deletes them. */
function readFirewall(firewall: Firewall): Handler {
  return ({ release, state, policyEnvelope }) => {
    const toBody = (rules: readonly Document[]) =>
      policyEnvelope ? { rules, policyType: POLICY_TYPES[firewall] } : rules;
    return hasChange(release, "noFirewallRules")
      ? jsonResponse(200, toBody([]))
      : collectionResponse(state.data.firewallRules[firewall], toBody);
  };
}

/**
 * Replaces the rules: a bare list, an object with `rules`, or no body; the form is not specified.
 */
function writeFirewall(firewall: Firewall): Handler {
  const replace = ({ release, state }: RouteContext, rules: readonly Document[] | null) => {
    if (!hasChange(release, "noFirewallRules")) {
      const { firewallRules } = state.data;
      state.update({ firewallRules: { ...firewallRules, [firewall]: rules ?? [] } });
    }
    return DONE;
  };
  const bare = z.array(z.custom<Document>(isDocument, "expected an object")).nullable();
  const withRules = withBody(bare, replace, (body) =>
    isDocument(body) ? (body.rules ?? null) : body,
  );
  return (context) => (context.request.body ? withRules(context) : replace(context, null));
}
