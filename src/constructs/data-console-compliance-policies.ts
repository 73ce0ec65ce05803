import type { Construct } from "constructs";
import { computedOf } from "./computed";
import { ConsoleDataSource } from "./console-data-source";
import type {
  DataConsoleCompliancePoliciesAttributes,
  DataConsoleCompliancePoliciesProps,
} from "./props/data-console-compliance-policies";
import {
  compliancePolicies,
  compliancePoliciesAttributes,
} from "../provider/data-sources/compliance-policies";

/** The container compliance policies, as they are (specification, section 2.4). */
export class DataConsoleCompliancePolicies
  extends ConsoleDataSource
  implements DataConsoleCompliancePoliciesAttributes
{
  static readonly tfResourceType = "cwp_compliance_policies";

  constructor(scope: Construct, id: string, props: DataConsoleCompliancePoliciesProps = {}) {
    super(scope, id, compliancePolicies, props);
  }

  get policies(): DataConsoleCompliancePoliciesAttributes["policies"] {
    return computedOf(this, compliancePoliciesAttributes).policies;
  }

  get policiesJson(): DataConsoleCompliancePoliciesAttributes["policiesJson"] {
    return computedOf(this, compliancePoliciesAttributes).policiesJson;
  }
}
