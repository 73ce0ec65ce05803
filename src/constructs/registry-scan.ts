import type { Construct } from "constructs";
import { ConsoleCollection } from "./console-collection";
import type { RegistryScanProps } from "./props/registry-scan";
import { registryScan } from "../provider/resources/registry-scan";

/** Which registries the console scans (specification, section 2.5). */
export class RegistryScan extends ConsoleCollection {
  static readonly tfResourceType = "cwp_registry_scan";

  constructor(scope: Construct, id: string, props: RegistryScanProps) {
    super(scope, id, registryScan, props);
  }
}
