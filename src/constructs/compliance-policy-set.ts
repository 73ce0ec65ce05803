import type { IResolvable } from "cdktf";
import type { Construct } from "constructs";
import { ConsoleCollection } from "./console-collection";
import type {
  CompliancePolicySetAttributes,
  CompliancePolicySetProps,
} from "./props/compliance-policy-set";
import { compliancePolicySet } from "../provider/resources/compliance-policy-set";

/**
 * The console's container compliance policies, in order. All of them are one collection, which the
 * API reads and replaces as a whole (specification, section 2.4): `ownership` says what becomes of
 * the policies that are not in the set.
 */
export class CompliancePolicySet
  extends ConsoleCollection
  implements CompliancePolicySetAttributes
{
  static readonly tfResourceType = "cwp_compliance_policy_set";

  constructor(scope: Construct, id: string, props: CompliancePolicySetProps) {
    super(scope, id, compliancePolicySet, props);
  }

  get inPosition(): IResolvable {
    return this.getBooleanAttribute("in_position");
  }

  get contentSha256(): string {
    return this.getStringAttribute("content_sha256");
  }
}
