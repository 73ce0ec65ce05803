import type { Console } from "../console/connection";
import type { DataSource } from "../definitions/data-source-definition";
import { autoDeployStatus } from "./auto-deploy-status";
import { cloudDiscovery } from "./cloud-discovery";
import { compliancePolicies } from "./compliance-policies";
import { complianceStats } from "./compliance-stats";
import { connectivity } from "./connectivity";
import { containerLabels } from "./container-labels";
import { containers } from "./containers";
import { customRules } from "./custom-rules";
import { images } from "./images";
import { registrySettings } from "./registry-settings";
import { runtimePolicies } from "./runtime-policies";
import { serverlessFunctions } from "./serverless-functions";

/** All data sources of the console's provider: a new one is a line here. */
export const dataSources: readonly DataSource<Console>[] = [
  connectivity,
  containers,
  images,
  compliancePolicies,
  runtimePolicies,
  registrySettings,
  customRules,
  containerLabels,
  serverlessFunctions,
  cloudDiscovery,
  complianceStats,
  autoDeployStatus,
];
