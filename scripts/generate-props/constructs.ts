import { configurationAttributes } from "../../src/provider/configuration";
import { bootstrap } from "../../src/provider/resources/bootstrap";
import { compliancePolicySet } from "../../src/provider/resources/compliance-policy-set";
import { license } from "../../src/provider/resources/license";
import { registryScan } from "../../src/provider/resources/registry-scan";
import { serverlessAutoDeploy } from "../../src/provider/resources/serverless-auto-deploy";
import { serverlessScan } from "../../src/provider/resources/serverless-scan";
import type { Attributes } from "../../src/provider/schema/attribute";

/** A construct whose props are generated. */
export interface GeneratedConstruct {
  /** The class: `License`. */
  readonly name: string;
  readonly description: string;
  readonly attributes: Attributes;
  readonly kind: "provider" | "resource";
}

function resource(
  name: string,
  { description, attributes }: { description: string; attributes: Attributes },
): GeneratedConstruct {
  return { name, description, attributes, kind: "resource" };
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
];
