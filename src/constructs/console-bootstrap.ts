import { NullProvider } from "@cdktf/provider-null/lib/provider";
import { Resource } from "@cdktf/provider-null/lib/resource";
import type { Construct } from "constructs";
import {
  ConsoleBootstrap as GeneratedBootstrap,
  type ConsoleBootstrapProps,
} from "./generated/console-bootstrap";
import {
  elementsAt,
  constructsOf,
  dependencies,
  addToSetup,
  type StagedElement,
} from "./setup-order";
import { error, type Diagnostic } from "../core/diagnostics";
import { TerraformProvider, TerraformStack, type TerraformResource } from "cdktf";
import type { ConsoleProvider } from "./console-provider";

/**
 * Waits until a fresh console is ready, creates its first user and verifies the credentials
 * (specification, section 4.1). A console that was signed up before is not changed.
 *
 * Licenses of the same console depend on the bootstrap; all other constructs depend on `ready`.
 */
export class ConsoleBootstrap extends GeneratedBootstrap {
  /**
   * Exists once the console is signed up and licensed. The constructs of this package depend on it
   * automatically; add it to `dependsOn` of others that need the console.
   */
  readonly ready: TerraformResource;

  constructor(scope: Construct, id: string, props: ConsoleBootstrapProps = {}) {
    super(scope, id, props);
    this.ready = new ReadyGate(this);
  }

  protected override conflicts(): readonly Diagnostic[] {
    const other = elementsAt("bootstrap", this).find((bootstrap) => bootstrap !== this);
    return [
      ...(other
        ? [
            error(
              "Duplicate bootstrap",
              `${other.node.path} bootstraps the same console. Remove one of them, or set another console in the provider prop.`,
            ),
          ]
        : []),
      ...(this.count !== undefined || this.forEach !== undefined
        ? [
            error(
              "Bootstrap with count or forEach",
              "A console accepts one sign-up: remove count and forEach. Each console needs its own ConsoleProvider and ConsoleBootstrap.",
            ),
          ]
        : []),
    ];
  }
}

/**
 * A `null_resource` that depends on the bootstrap and on every license of its provider: once it
 * exists, the console is ready. Its only trigger is the bootstrap's ID, so that a rotated license
 * changes neither the gate nor the data sources that depend on it.
 */
class ReadyGate extends Resource implements StagedElement {
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
