import { memberOf } from "../core/member-of";
import { type TerraformProvider, TerraformStack } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { propsFindings, validateAtSynth } from "./validation";
import { ConsoleProviderInputs, type ConsoleProviderProps } from "./generated/console-provider";
import { hclAttributes, readProps, type ReadProps, type SecretRules } from "./read-props";
import { isPlainObject } from "./split-props";
import { requireSameLibrary } from "./library-version";
import { ConstructList } from "./construct-list";
import { configurationAttributes } from "../provider/configuration/configuration-attributes";
import { error, type Diagnostic } from "../core/diagnostics";
import { PROVIDER_NAME, PROVIDER_SOURCE, PROVIDER_VERSION } from "../provider/identity";

const CONSOLE_PROVIDER = Symbol.for("cdktf-console/ConsoleProvider");
const PROVIDERS = new ConstructList<ConsoleProvider>("ConsoleProviders");

/** The first version with write-only attributes and ephemeral variables. */
const REQUIRED_TERRAFORM = ">= 1.11";

/** Attributes that identify a provider block with its own credentials. */
const CREDENTIALS = ["password", "token", "client_certificate", "client_certificate_file"];

/**
 * The address and the credentials of a console. Props that are not set come from the environment of
 * plan and apply (`CONSOLE_URL`, `CONSOLE_USERNAME`, `CONSOLE_PASSWORD`, …).
 *
 * A stack can have one default console without an alias, and any number with an alias. If there are
 * several, each must set its own credentials.
 */
export class ConsoleProvider extends ConsoleProviderInputs {
  static readonly tfResourceType = PROVIDER_NAME;

  protected override readonly given: ConsoleProviderProps;
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
    requireSameLibrary(this);
    Object.defineProperty(this, CONSOLE_PROVIDER, { value: true });
    PROVIDERS.add(this);
    this.given = { ...props };
    const { alias, ...own } = this.given;
    this.givenAlias = alias;
    const rules: SecretRules = {
      accepts: () => true,
      demands: ({ sensitive }) => sensitive === true,
    };
    const read = isPlainObject(props) ? own : props;
    this.props = readProps(configurationAttributes, read, rules, this);
    const ofProps = propsFindings({ attributes: configurationAttributes }, this.props);
    validateAtSynth(this, () => [...ofProps(), ...this.conflictingProviders()]);
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

  private conflictingProviders(): Diagnostic[] {
    const others = providersOf(TerraformStack.of(this)).filter((other) => other !== this);
    if (others.length === 0) return [];
    const namesake = others.find(({ alias }) => alias === this.alias);
    const { config } = this.props;
    return [
      ...(namesake
        ? [
            error(
              this.alias === undefined ? "Duplicate default console" : "Duplicate alias",
              `${namesake.node.path} ${this.alias === undefined ? "also has no alias" : "has the same alias"}. Each ConsoleProvider of a stack needs its own alias; one can have none.`,
              ["alias"],
            ),
          ]
        : []),
      ...(CREDENTIALS.every((name) => memberOf(config, name) === null)
        ? [
            error(
              "Console without its own credentials",
              "The stack has several consoles, and the credentials of the environment would be sent to each of them. Set password, token or clientCertificateFile.",
            ),
          ]
        : []),
    ];
  }
}

/** The synthesized provider, which cdktf types as `any`. */
interface Fragment {
  readonly terraform: object;
}

interface HasProvider extends IConstruct {
  readonly provider?: TerraformProvider | undefined;
}

/** Returns the console of an element: the one in its props, or the default of its stack. */
export function providerOf(element: HasProvider): ConsoleProvider | undefined {
  const { provider } = element;
  if (provider) return ConsoleProvider.isConsoleProvider(provider) ? provider : undefined;
  return providersOf(TerraformStack.of(element)).find(({ alias }) => alias === undefined);
}

/** Returns errors of the provider prop. */
export function providerFindings(element: HasProvider): Diagnostic[] {
  const stack = TerraformStack.of(element);
  const { provider } = element;
  if (provider && !ConsoleProvider.isConsoleProvider(provider)) {
    return [error("Wrong provider", "The provider must be a ConsoleProvider.", ["provider"])];
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
          `Every ConsoleProvider of stack "${stack.node.id}" has an alias. Set the provider prop.`,
          ["provider"],
        ),
  ];
}

function providersOf(stack: TerraformStack): ConsoleProvider[] {
  return PROVIDERS.in(stack);
}
