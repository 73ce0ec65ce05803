import type { Construct } from "constructs";
import { ConsoleResource } from "./console-resource";
import type { ContainerScanAttributes, ContainerScanProps } from "./props/container-scan";
import { containerScan } from "../provider/resources/container-scan";

/**
 * A scan of all containers, waited for (specification, section 4.2): once, and again whenever a
 * trigger changes. This one follows the policies:
 *
 *     const policies = new CompliancePolicySet(this, "policies", { … });
 *     new ContainerScan(this, "scan", { triggers: { policies: policies.contentSha256 } });
 *
 * A destroy forgets it: what was found stays on the console.
 */
export class ContainerScan extends ConsoleResource implements ContainerScanAttributes {
  static readonly tfResourceType = "cwp_container_scan";

  constructor(scope: Construct, id: string, props: ContainerScanProps = {}) {
    super(scope, id, containerScan, props);
  }

  get startedAt(): string {
    return this.getStringAttribute("started_at");
  }

  get completedAt(): string {
    return this.getStringAttribute("completed_at");
  }

  get containerCount(): number {
    return this.getNumberAttribute("container_count");
  }

  get issueCount(): number {
    return this.getNumberAttribute("issue_count");
  }
}
