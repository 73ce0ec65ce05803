import type { Construct } from "constructs";
import { ConsoleResource } from "./console-resource";
import type { DefenderArtifactAttributes, DefenderArtifactProps } from "./props/defender-artifact";
import { defenderArtifact } from "../provider/resources/defender-artifact";

/**
 * A file that installs a defender, downloaded from the console (specification, section 4.3). The
 * stack keeps its digest only. A file that is gone or was changed is written anew; a destroy
 * removes it, unless somebody changed it.
 */
export class DefenderArtifact extends ConsoleResource implements DefenderArtifactAttributes {
  static readonly tfResourceType = "cwp_defender_artifact";

  constructor(scope: Construct, id: string, props: DefenderArtifactProps) {
    super(scope, id, defenderArtifact, props);
  }

  get sha256(): string {
    return this.getStringAttribute("sha256");
  }

  get size(): number {
    return this.getNumberAttribute("size");
  }
}
