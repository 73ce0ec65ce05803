import { TerraformDataSource, type TerraformMetaArguments } from "cdktf";
import type { Construct } from "constructs";
import { providerFindings, providerOf, type ConsoleProvider } from "./console-provider";
import { propsFindings, type ConstructDefinition, validateAtSynth } from "./validation";
import { SECRETS_OF_BLOCKS, hclAttributes, readProps, type ReadProps } from "./read-props";
import { splitProps } from "./split-props";
import { dependencies, addToSetup, type StagedElement } from "./setup-order";

/** Props of every data source: Terraform's meta-arguments. */
export interface ConsoleDataSourceProps extends Omit<
  TerraformMetaArguments,
  "provider" | "connection" | "provisioners"
> {
  /**
   * The console to read from.
   *
   * @default the ConsoleProvider of the stack that has no alias
   */
  readonly provider?: ConsoleProvider | undefined;
}

const META_ARGUMENTS = [
  "dependsOn",
  "count",
  "provider",
  "lifecycle",
  "forEach",
] as const satisfies (keyof TerraformMetaArguments)[];

/**
 * A data source of the console. It depends on the console's setup: while the console is being set up,
 * the data source is read during apply.
 */
export abstract class ConsoleDataSource extends TerraformDataSource implements StagedElement {
  readonly stage = "functional";
  private readonly props: ReadProps;

  constructor(
    scope: Construct,
    id: string,
    definition: ConstructDefinition,
    props?: ConsoleDataSourceProps,
  ) {
    const { meta, own } = splitProps(props, META_ARGUMENTS);
    super(scope, id, { ...meta, terraformResourceType: definition.type });
    addToSetup(this);
    this.props = readProps(definition.attributes, own, SECRETS_OF_BLOCKS, this);
    const ofProps = propsFindings(definition, this.props);
    validateAtSynth(this, () => [...providerFindings(this), ...ofProps()]);
  }

  /** The console to read from; undefined while the stack has none. */
  get consoleProvider(): ConsoleProvider | undefined {
    return providerOf(this);
  }

  override get terraformMetaArguments() {
    return { ...super.terraformMetaArguments, dependsOn: dependencies(this, this.dependsOn) };
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...this.props.attributes };
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return hclAttributes(this.props);
  }
}
