import { NullProvider } from "@cdktf/provider-null/lib/provider";
import { Resource } from "@cdktf/provider-null/lib/resource";
import { TerraformProvider, TerraformStack, type TerraformResource } from "cdktf";
import type { ConsoleProvider } from "./console-provider";
import { constructsOf, dependencies, takesItsTurn, type StagedElement } from "./setup-order";

/**
 * "The console is ready": a `null_resource` that waits for the bootstrap and for every license of
 * its provider. Its only trigger is the bootstrap's ID: a rotated license leaves the gate alone, and
 * with it the data sources behind it.
 */
export class ReadyGate extends Resource implements StagedElement {
  readonly stage = "gate";

  constructor(private readonly bootstrap: TerraformResource & StagedElement) {
    super(bootstrap, "ready", { triggers: { bootstrap: bootstrap.getStringAttribute("id") } });
    takesItsTurn(this);
    ensureNullProvider(TerraformStack.of(this));
  }

  get consoleProvider(): ConsoleProvider | undefined {
    return this.bootstrap.consoleProvider;
  }

  override get terraformMetaArguments() {
    return { ...super.terraformMetaArguments, dependsOn: dependencies(this, this.dependsOn) };
  }
}

function ensureNullProvider(stack: TerraformStack): void {
  const id = "console-null";
  // With many consoles it is there from the first one's gate on, and nothing has to be looked for.
  if (stack.node.tryFindChild(id) || constructsOf(stack).some(isDefaultNullProvider)) return;
  new GateProvider(stack, id);
}

/** Gives way to a default provider that the user adds, sooner or later. */
class GateProvider extends NullProvider {
  override toTerraform(): unknown {
    return this.isReplaced() ? {} : super.toTerraform();
  }

  override toHclTerraform(): unknown {
    return this.isReplaced() ? {} : super.toHclTerraform();
  }

  private isReplaced(): boolean {
    return constructsOf(TerraformStack.of(this)).some(
      (construct) => construct !== this && isDefaultNullProvider(construct),
    );
  }
}

function isDefaultNullProvider(construct: unknown): boolean {
  return (
    TerraformProvider.isTerraformProvider(construct) &&
    construct.terraformResourceType === NullProvider.tfResourceType &&
    construct.alias === undefined
  );
}
