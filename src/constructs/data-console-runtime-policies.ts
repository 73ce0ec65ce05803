import type { Construct } from "constructs";
import { computedOf } from "./computed";
import { ConsoleDataSource } from "./console-data-source";
import type {
  DataConsoleRuntimePoliciesAttributes,
  DataConsoleRuntimePoliciesProps,
} from "./props/data-console-runtime-policies";
import {
  runtimePolicies,
  runtimePoliciesAttributes,
} from "../provider/data-sources/runtime-policies";

/** The runtime policies for containers (specification, section 4.2). */
export class DataConsoleRuntimePolicies
  extends ConsoleDataSource
  implements DataConsoleRuntimePoliciesAttributes
{
  static readonly tfResourceType = "cwp_runtime_policies";

  constructor(scope: Construct, id: string, props: DataConsoleRuntimePoliciesProps = {}) {
    super(scope, id, runtimePolicies, props);
  }

  get rawJson(): DataConsoleRuntimePoliciesAttributes["rawJson"] {
    return computedOf(this, runtimePoliciesAttributes).rawJson;
  }
}
