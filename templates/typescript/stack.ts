import { TerraformStack } from "cdktf";
import {
  CompliancePolicySet,
  ConsoleBootstrap,
  ConsoleProvider,
  License,
  Secret,
} from "cdktf-console";
import type { Construct } from "constructs";

/** One console: user, license and compliance policies. */
export class ProductionStack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);

    // CONSOLE_URL, CONSOLE_CA_FILE and CONSOLE_USERNAME are read from the environment.
    new ConsoleProvider(this, "console", {
      password: Secret.fromEnv("CONSOLE_PASSWORD"), // ephemeral: in no plan and in no state
    });

    // Creates the first user of a new console. Has no effect on a console that has one.
    new ConsoleBootstrap(this, "bootstrap");
    new License(this, "license", { key: Secret.fromEnv("CONSOLE_LICENSE_KEY") });

    // The first policy that matches a workload decides. 599 is "runs as root"; true blocks, false alerts.
    new CompliancePolicySet(this, "policies", {
      policies: [
        {
          name: "No root in production",
          resources: { namespaces: ["prod-*"] },
          checks: { 599: true },
        },
        { name: "Everything else", checks: { 41: false, 51: false } },
      ],
    });
  }
}
