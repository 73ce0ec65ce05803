import type { Console } from "../console/connection";
import type { Resource } from "../definitions/resource-definition";
import { bootstrap } from "./bootstrap";
import { compliancePolicySet } from "./compliance-policy-set";
import { containerScan } from "./container-scan";
import { defenderArtifact } from "./defender-artifact";
import { license } from "./license";
import { registryScan } from "./registry-scan";
import { serverlessAutoDeploy } from "./serverless-auto-deploy";
import { serverlessScan } from "./serverless-scan";

/** All resources of the console's provider: a new one is a line here. */
export const resources: readonly Resource<Console>[] = [
  bootstrap,
  license,
  compliancePolicySet,
  registryScan,
  serverlessScan,
  serverlessAutoDeploy,
  containerScan,
  defenderArtifact,
];
