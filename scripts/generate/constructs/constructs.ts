import { configurationAttributes } from "../../../src/provider/configuration/configuration-attributes";
import { autoDeployStatus } from "../../../src/provider/data-sources/auto-deploy-status";
import { cloudDiscovery } from "../../../src/provider/data-sources/cloud-discovery";
import { compliancePolicies } from "../../../src/provider/data-sources/compliance-policies";
import { complianceStats } from "../../../src/provider/data-sources/compliance-stats";
import { connectivity } from "../../../src/provider/data-sources/connectivity";
import { containerLabels } from "../../../src/provider/data-sources/container-labels";
import { containers } from "../../../src/provider/data-sources/containers";
import { customRules } from "../../../src/provider/data-sources/custom-rules";
import { images } from "../../../src/provider/data-sources/images";
import { registrySettings } from "../../../src/provider/data-sources/registry-settings";
import { runtimePolicies } from "../../../src/provider/data-sources/runtime-policies";
import { serverlessFunctions } from "../../../src/provider/data-sources/serverless-functions";
import { bootstrap } from "../../../src/provider/resources/bootstrap";
import { compliancePolicySet } from "../../../src/provider/resources/compliance-policy-set";
import { containerScan } from "../../../src/provider/resources/container-scan";
import { defenderArtifact } from "../../../src/provider/resources/defender-artifact";
import { license } from "../../../src/provider/resources/license";
import { registryScan } from "../../../src/provider/resources/registry-scan";
import { serverlessAutoDeploy } from "../../../src/provider/resources/serverless-auto-deploy";
import { serverlessScan } from "../../../src/provider/resources/serverless-scan";
import type { Attributes } from "../../../src/provider/schema/attribute";

/** A construct whose props are generated. */
export interface GeneratedConstruct {
  /** The class: `License`. */
  readonly name: string;
  readonly description: string;
  readonly attributes: Attributes;
  readonly kind: "provider" | "resource" | "data-source";
}

function resource(
  name: string,
  { description, attributes }: { description: string; attributes: Attributes },
): GeneratedConstruct {
  return { name, description, attributes, kind: "resource" };
}

/** Its class says that it reads: `DataConsoleContainers`. */
function dataSource(
  name: string,
  { description, attributes }: { description: string; attributes: Attributes },
): GeneratedConstruct {
  return { name: `DataConsole${name}`, description, attributes, kind: "data-source" };
}

export const CONSTRUCTS: readonly GeneratedConstruct[] = [
  {
    name: "ConsoleProvider",
    description:
      "Where a console is and how to authenticate. What is left out comes from the environment of whoever plans and applies; then the defaults apply.",
    attributes: configurationAttributes,
    kind: "provider",
  },
  resource("ConsoleBootstrap", bootstrap),
  resource("License", license),
  resource("CompliancePolicySet", compliancePolicySet),
  resource("RegistryScan", registryScan),
  resource("ServerlessScan", serverlessScan),
  resource("ServerlessAutoDeploy", serverlessAutoDeploy),
  resource("ContainerScan", containerScan),
  resource("DefenderArtifact", defenderArtifact),
  dataSource("Connectivity", connectivity),
  dataSource("Containers", containers),
  dataSource("Images", images),
  dataSource("CompliancePolicies", compliancePolicies),
  dataSource("RuntimePolicies", runtimePolicies),
  dataSource("RegistrySettings", registrySettings),
  dataSource("CustomRules", customRules),
  dataSource("ContainerLabels", containerLabels),
  dataSource("ServerlessFunctions", serverlessFunctions),
  dataSource("CloudDiscovery", cloudDiscovery),
  dataSource("ComplianceStats", complianceStats),
  dataSource("AutoDeployStatus", autoDeployStatus),
];
