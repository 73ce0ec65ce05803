import { join } from "node:path";
import { install, nullInstallations } from "../../../src/terraform-provider/installation";
import { BUNDLE } from "../../support/terraform-project";

/** Installs the replacement for hashicorp/null next to a stack, as `provider install --with-null` does. */
export async function installNull(outDir: string, stack: string): Promise<void> {
  const plugins = join(outDir, "stacks", stack, "terraform.d/plugins");
  for (const one of nullInstallations()) await install(plugins, one, BUNDLE);
}

/** Terraform, with hashicorp/null from the command line itself. */
export const TERRAFORM = "--engine terraform --with-null";
