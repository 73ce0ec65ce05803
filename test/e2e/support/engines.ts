import { join } from "node:path";
import { install, nullInstallation } from "../../../src/plugin/installation";
import { BUNDLE } from "../../support/terraform-project";

/** Installs the replacement for hashicorp/null next to a stack, as `provider install --with-null` does. */
export async function installNull(outDir: string, stack: string): Promise<void> {
  await install(join(outDir, "stacks", stack, "terraform.d/plugins"), nullInstallation(), BUNDLE);
}

export const TERRAFORM = "--engine terraform";
