import { TerraformResource, type TerraformMetaArguments, type TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import { providerFindings, providerOf, type ConsoleProvider } from "./console-provider";
import { propsFindings, type ConstructDefinition, validateAtSynth } from "./validation";
import { SECRETS_OF_BLOCKS, hclAttributes, readProps, type ReadProps } from "./read-props";
import { splitProps } from "./split-props";
import { dependencies, addToSetup, type Stage, type StagedElement } from "./setup-order";
import type { Diagnostic } from "../core/diagnostics";
import type { ObjectValue } from "../core/values";

/** Props of every resource: Terraform's meta-arguments. */
export interface ConsoleResourceProps extends Omit<TerraformMetaArguments, "provider"> {
  /**
   * The console to manage.
   *
   * @default the ConsoleProvider of the stack that has no alias
   */
  readonly provider?: ConsoleProvider | undefined;
}

const CONSOLE_RESOURCE = Symbol.for("cdktf-console/ConsoleResource");
const META_ARGUMENTS = [
  "dependsOn",
  "count",
  "provider",
  "lifecycle",
  "forEach",
  "provisioners",
  "connection",
] as const satisfies (keyof TerraformMetaArguments)[];

/**
 * A resource of the console. It converts props to attributes, validates the values that are known at
 * synth, and depends on the console's setup.
 */
export abstract class ConsoleResource extends TerraformResource implements StagedElement {
  readonly stage: Stage;
  private readonly props: ReadProps;

  constructor(
    scope: Construct,
    id: string,
    definition: ConstructDefinition,
    props?: ConsoleResourceProps,
  ) {
    const { meta, own } = splitProps(props, META_ARGUMENTS);
    super(scope, id, { ...meta, terraformResourceType: definition.type });
    Object.defineProperty(this, CONSOLE_RESOURCE, { value: true });
    this.stage = definition.setup ?? "functional";
    addToSetup(this);
    this.props = readProps(definition.attributes, own, SECRETS_OF_BLOCKS, this);
    const ofProps = propsFindings(definition, this.props);
    validateAtSynth(this, () => [...providerFindings(this), ...ofProps(), ...this.conflicts()]);
  }

  static isConsoleResource(construct: unknown): construct is ConsoleResource {
    return typeof construct === "object" && construct !== null && CONSOLE_RESOURCE in construct;
  }

  /** The configuration as far as it is known at synth. */
  protected get config(): ObjectValue {
    return this.props.config;
  }

  /** The console that the resource belongs to; undefined while the stack has none. */
  get consoleProvider(): ConsoleProvider | undefined {
    return providerOf(this);
  }

  /** The ID under which Terraform knows the object; a token. */
  get id(): string {
    return this.getStringAttribute("id");
  }

  override get terraformMetaArguments() {
    const named = this.namedResources();
    const given = named.length > 0 ? [...(this.dependsOn ?? []), ...named] : this.dependsOn;
    return { ...super.terraformMetaArguments, dependsOn: dependencies(this, given) };
  }

  /** The addresses of resources of the stack that the configuration names without a reference. */
  protected namedResources(): readonly string[] {
    return [];
  }

  /**
   * Adds an `import` block, so that the next apply imports the existing object into the state. Unlike
   * cdktf's method, it does not run Terraform to learn its version, so Terraform need not be installed.
   */
  override importFrom(id: string, provider?: TerraformProvider): void {
    const addValidation = { value: () => undefined, configurable: true };
    Object.defineProperty(this.node, "addValidation", addValidation);
    try {
      super.importFrom(id, provider);
    } finally {
      Reflect.deleteProperty(this.node, "addValidation");
    }
  }

  /** Returns conflicts with other resources of the same provider. */
  protected conflicts(): readonly Diagnostic[] {
    return [];
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...this.props.attributes };
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return hclAttributes(this.props);
  }
}
