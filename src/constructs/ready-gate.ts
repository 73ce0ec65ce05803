import { NullProvider } from "@cdktf/provider-null/lib/provider";
import { Resource } from "@cdktf/provider-null/lib/resource";
import { TerraformProvider, TerraformStack, type TerraformResource } from "cdktf";
import type { ConsoleProvider } from "./console-provider";
import { constructsOf, dependencies, addToSetup, type StagedElement } from "./setup-order";

/**
 * A `null_resource` that depends on the bootstrap and on every license of its provider: once it
 * exists, the console is ready. Its only trigger is the bootstrap's ID, so that a rotated license
 * changes neither the gate nor the data sources that depend on it.
 */
export class ReadyGate extends Resource implements StagedElement {
  readonly stage = "gate";

  constructor(private readonly bootstrap: TerraformResource & StagedElement) {
    super(bootstrap, "ready", { triggers: { bootstrap: bootstrap.getStringAttribute("id") } });
    addToSetup(this);
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
  // The search of the tree is skipped once the first gate has added the provider.
  if (stack.node.tryFindChild(id) || constructsOf(stack).some(isDefaultNullProvider)) return;
  new GateProvider(stack, id);
}

/** Is not synthesized if the user adds a default provider. */
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
