import { TerraformProvider, TerraformStack } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { findingsOf } from "./findings";
import type { ConsoleProviderProps } from "./generated/console-provider";
import { hclAttributes, readProps, type ReadProps } from "./read-props";
import { synthesizeSecret } from "./secret";
import { Roll } from "./roll";
import { validateAtSynth } from "./validation";
import { configurationAttributes } from "../provider/configuration/configuration-attributes";
import { error, type Diagnostic } from "../provider/diagnostics";
import { PROVIDER_NAME, PROVIDER_SOURCE, PROVIDER_VERSION } from "../provider/identity";

const CONSOLE_PROVIDER = Symbol.for("cdktf-console/ConsoleProvider");
const PROVIDERS = new Roll<ConsoleProvider>("ConsoleProviders");

/** What write-only attributes, ephemeral variables and the provider itself need. */
const REQUIRED_TERRAFORM = ">= 1.11";

/** Props of which one shows that the provider block brings its own credentials. */
const CREDENTIALS = ["password", "token", "client_certificate", "client_certificate_file"];

/**
 * A console: where it is and how to authenticate. What the props leave out comes from the
 * environment (`CONSOLE_URL`, `CONSOLE_USERNAME`, `CONSOLE_PASSWORD`, …) of whoever plans and
 * applies.
 *
 * A stack has one console without alias, the default one, and any number with an alias. With
 * several, each sets its own credentials.
 */
export class ConsoleProvider extends TerraformProvider {
  static readonly tfResourceType = PROVIDER_NAME;

  private readonly props: ReadProps;
  private givenAlias: string | undefined;

  constructor(scope: Construct, id: string, props: ConsoleProviderProps = {}) {
    super(scope, id, {
      terraformResourceType: ConsoleProvider.tfResourceType,
      terraformProviderSource: PROVIDER_SOURCE,
      terraformGeneratorMetadata: {
        providerName: ConsoleProvider.tfResourceType,
        providerVersion: PROVIDER_VERSION,
      },
    });
    Object.defineProperty(this, CONSOLE_PROVIDER, { value: true });
    PROVIDERS.enrol(this);
    const { alias, ...own } = props;
    this.givenAlias = alias;
    this.props = readProps(configurationAttributes, own, {
      accepts: () => true,
      demands: ({ sensitive }) => sensitive === true,
      synthesize: (secret) => synthesizeSecret(secret, this),
    });
    validateAtSynth(this, () => [
      ...findingsOf({ attributes: configurationAttributes }, this.props),
      ...this.findingsAmongOthers(),
    ]);
  }

  static isConsoleProvider(construct: unknown): construct is ConsoleProvider {
    return typeof construct === "object" && construct !== null && CONSOLE_PROVIDER in construct;
  }

  override get alias(): string | undefined {
    return this.givenAlias;
  }

  override set alias(alias: string | undefined) {
    this.givenAlias = alias;
  }

  override toTerraform(): unknown {
    const synthesized = super.toTerraform() as Fragment;
    const terraform = { ...synthesized.terraform, required_version: REQUIRED_TERRAFORM };
    return { ...synthesized, terraform };
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...this.props.attributes };
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return hclAttributes(this.props);
  }

  private findingsAmongOthers(): Diagnostic[] {
    const others = providersOf(TerraformStack.of(this)).filter((other) => other !== this);
    if (others.length === 0) return [];
    const namesake = others.find(({ alias }) => alias === this.alias);
    const { config } = this.props;
    return [
      ...(namesake
        ? [
            error(
              this.alias === undefined ? "Two default consoles" : "Alias is used twice",
              `${namesake.node.path} has ${this.alias === undefined ? "no alias either" : "the same alias"}. Give each ConsoleProvider of a stack its own alias; one may have none.`,
              ["alias"],
            ),
          ]
        : []),
      ...(CREDENTIALS.every((name) => config[name] === null)
        ? [
            error(
              "Console without credentials of its own",
              "The stack has several consoles, and those of the environment would go to each. Set password, token or clientCertificateFile.",
            ),
          ]
        : []),
    ];
  }
}

/** What cdktf synthesizes for a provider, which it types as `any`. */
interface Fragment {
  readonly terraform: object;
}

interface HasProvider extends IConstruct {
  readonly provider?: TerraformProvider | undefined;
}

/** The console of a resource or a data source: the one it names, else the default of its stack. */
export function providerOf(element: HasProvider): ConsoleProvider | undefined {
  const { provider } = element;
  if (provider) return ConsoleProvider.isConsoleProvider(provider) ? provider : undefined;
  return providersOf(TerraformStack.of(element)).find(({ alias }) => alias === undefined);
}

/** What is wrong with the choice of a console. */
export function providerFindings(element: HasProvider): Diagnostic[] {
  const stack = TerraformStack.of(element);
  const { provider } = element;
  if (provider && !ConsoleProvider.isConsoleProvider(provider)) {
    return [error("Wrong provider", "This must be a ConsoleProvider.", ["provider"])];
  }
  if (provider && TerraformStack.of(provider) !== stack) {
    return [
      error(
        "Provider of another stack",
        `${provider.node.path} belongs to another stack. Add a ConsoleProvider to "${stack.node.id}".`,
        ["provider"],
      ),
    ];
  }
  if (providerOf(element)) return [];
  return [
    providersOf(stack).length === 0
      ? error(
          "No console",
          `Stack "${stack.node.id}" has no ConsoleProvider. Add one: new ConsoleProvider(stack, "console", { baseUrl: "https://…:8083" }).`,
        )
      : error(
          "No default console",
          `Every ConsoleProvider of stack "${stack.node.id}" has an alias. Say which one in the provider prop.`,
          ["provider"],
        ),
  ];
}

function providersOf(stack: TerraformStack): ConsoleProvider[] {
  return PROVIDERS.in(stack);
}
