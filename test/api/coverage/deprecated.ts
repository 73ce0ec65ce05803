import type { RequestOptions } from "../../../src/api";
import { deprecated } from "../../../src/api/endpoints";
import { CSV, type Proof, type Proofs } from "./proof";

type Name = keyof typeof deprecated;

/** Section 9.2: answered in all releases, from 20.09 on with a warning that gives the reason. */
function proof(name: Name, options: RequestOptions, answer: RegExp): Proof {
  return {
    method: `requestWithWarning("${name}")`,
    async prove(client, release) {
      const { response, warning } = await client.requestWithWarning(name, options);
      expect(response.text()).toMatch(answer);
      if (release === "20.04") expect(warning).toBeUndefined();
      else {
        const why = deprecated[name].deprecated?.why ?? "";
        expect(warning?.message).toContain("deprecated since release 20.09 (section 9.2)");
        expect(warning?.message).toContain(why);
      }
    },
  };
}

const NOTHING = /^\[\]$/;
const DONE = /^$/;

const read = (name: Name) => proof(name, { params: { id: "some-id" } }, NOTHING);
const download = (name: Name) => proof(name, {}, CSV);
const write = (name: Name) => proof(name, { params: { id: "some-id" }, body: [] }, DONE);

export const deprecatedProofs: Proofs<Name> = {
  getHostFirewallPolicies: read("getHostFirewallPolicies"),
  putHostFirewallPolicies: write("putHostFirewallPolicies"),
  getFirewallEntities: read("getFirewallEntities"),
  putFirewallEntities: write("putFirewallEntities"),
  getContainerFirewallPolicies: read("getContainerFirewallPolicies"),
  putContainerFirewallPolicies: write("putContainerFirewallPolicies"),
  getHostFirewallAudits: read("getHostFirewallAudits"),
  downloadHostFirewallAudits: download("downloadHostFirewallAudits"),
  getContainerFirewallAudits: read("getContainerFirewallAudits"),
  downloadContainerFirewallAudits: download("downloadContainerFirewallAudits"),
  learnServiceProfile: write("learnServiceProfile"),
  learnServiceProfiles: write("learnServiceProfiles"),
  getServiceProfileNames: read("getServiceProfileNames"),
  downloadServiceProfiles: download("downloadServiceProfiles"),
  getServiceProfiles: read("getServiceProfiles"),
  getHostProfileRule: read("getHostProfileRule"),
  getCapabilities: read("getCapabilities"),
  postHighAvailabilityMember: write("postHighAvailabilityMember"),
  postHighAvailability: write("postHighAvailability"),
  getHighAvailability: read("getHighAvailability"),
  exportHostRadar: read("exportHostRadar"),
  exportContainerRadar: read("exportContainerRadar"),
  getContainerRadarFilters: read("getContainerRadarFilters"),
  deleteHostRadar: write("deleteHostRadar"),
  deleteContainerRadar: write("deleteContainerRadar"),
  deleteAccessAudits: write("deleteAccessAudits"),
};
