import type { Construct } from "constructs";
import { ConsoleResource } from "./console-resource";
import type { LicenseAttributes, LicenseProps } from "./props/license";
import { license } from "../provider/resources/license";

/**
 * The console's license (specification, section 2.3). Without one the console answers nothing but
 * its setup. One key may serve any number of consoles.
 */
export class License extends ConsoleResource implements LicenseAttributes {
  static readonly tfResourceType = "cwp_license";

  constructor(scope: Construct, id: string, props: LicenseProps) {
    super(scope, id, license, props, "license");
  }

  get keyFingerprint(): string {
    return this.getStringAttribute("key_fingerprint");
  }
}
