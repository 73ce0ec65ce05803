import { Construct } from "constructs";
import { ConsoleBootstrap } from "../console-bootstrap";
import { ConsoleProvider } from "../console-provider";
import {
  CompliancePolicySet,
  type CompliancePolicySetProps,
} from "../generated/compliance-policy-set";
import type { ConsoleBootstrapProps } from "../generated/console-bootstrap";
import type { ConsoleProviderProps } from "../generated/console-provider";
import { ContainerScan, type ContainerScanProps } from "../generated/container-scan";
import { License, type LicenseProps } from "../generated/license";
import { RegistryScan, type RegistryScanProps } from "../generated/registry-scan";
import {
  ServerlessAutoDeploy,
  type ServerlessAutoDeployProps,
} from "../generated/serverless-auto-deploy";
import { ServerlessScan, type ServerlessScanProps } from "../generated/serverless-scan";
import { error, type Diagnostic } from "../../core/diagnostics";
import { isPlainObject } from "../split-props";
import { validateAtSynth } from "../validation";
import { merge, type Overrides } from "./merge";

/** Props of an element of a tenant: all but the console, which is the tenant's. */
type Of<Props> = Omit<Props, "provider">;

/** The content of one tenant. An element exists if its member is set, to `{}` if it needs no props. */
export interface TenantSettings {
  /** Address and credentials of the tenant's console. */
  readonly console?: ConsoleProviderProps | undefined;
  /** Waits for a fresh console, and creates its first user. */
  readonly bootstrap?: Of<ConsoleBootstrapProps> | undefined;
  readonly license?: Of<LicenseProps> | undefined;
  readonly policies?: Of<CompliancePolicySetProps> | undefined;
  readonly registryScan?: Of<RegistryScanProps> | undefined;
  readonly serverlessScan?: Of<ServerlessScanProps> | undefined;
  readonly serverlessAutoDeploy?: Of<ServerlessAutoDeployProps> | undefined;
  /** `triggers` defaults to the policies: a change of them starts a scan. */
  readonly containerScan?: Of<ContainerScanProps> | undefined;
}

/** The differences of one tenant, or of a group of tenants, from the base line. */
export type TenantOverrides = Overrides<TenantSettings>;

export interface ConsoleTenantProps {
  /** The base line, which tenants share. */
  readonly base: TenantSettings;
  /**
   * Changes to the base line, which later ones change again.
   *
   * 1. A member that is left out keeps the value of the base line.
   * 2. `null` removes it: `registryScan: null` is a tenant without registry scans.
   * 3. Objects and maps are merged member by member.
   * 4. Policies and auto-deploy specifications are merged by their names. One with a name of the base
   *    line is merged into it, in its position, and with `removed: true` removes it. Others come
   *    before those of the base line, because the first policy that matches decides.
   * 5. All else, such as other lists, replaces the value of the base line.
   *
   * @default none: the tenant is the base line
   */
  readonly overrides?: TenantOverrides | readonly TenantOverrides[] | undefined;
}

/**
 * One tenant with its console: the provider, and the bootstrap, license, policies and scans that the
 * base line and the overrides of the tenant give it.
 *
 * @example
 * const base: TenantSettings = {
 *   console: { username: "admin" },
 *   policies: { policies: [{ name: "No root", checks: { 599: true } }] },
 * };
 * TenantFleet.fromFile(app, "tenants.yaml", (stack, tenant) => {
 *   new ConsoleTenant(stack, "tenant", { base, overrides: tenant.overrides });
 * });
 */
export class ConsoleTenant extends Construct {
  /** The base line with the overrides. */
  readonly settings: TenantSettings;
  readonly console: ConsoleProvider;
  readonly bootstrap: ConsoleBootstrap | undefined;
  readonly license: License | undefined;
  readonly policies: CompliancePolicySet | undefined;
  readonly registryScan: RegistryScan | undefined;
  readonly serverlessScan: ServerlessScan | undefined;
  readonly serverlessAutoDeploy: ServerlessAutoDeploy | undefined;
  readonly containerScan: ContainerScan | undefined;

  constructor(scope: Construct, id: string, props: ConsoleTenantProps) {
    super(scope, id);
    const findings = findingsOf(props);
    validateAtSynth(this, () => findings);
    const { base, overrides = [] } = findings.length === 0 ? props : { base: {} };
    const layers = isList(overrides) ? overrides : [overrides];
    this.settings = layers.reduce<TenantSettings>(
      (settings, layer) => merge(settings, layer),
      base,
    );
    const { settings } = this;
    const provider = new ConsoleProvider(this, "console", settings.console);
    const create = <P extends object, T>(
      type: new (scope: Construct, id: string, props: P & { provider: ConsoleProvider }) => T,
      name: string,
      props: P | undefined,
    ): T | undefined => props && new type(this, name, { ...props, provider });

    this.console = provider;
    this.bootstrap = create(ConsoleBootstrap, "bootstrap", settings.bootstrap);
    this.license = create(License, "license", settings.license);
    this.policies = create(CompliancePolicySet, "policies", settings.policies);
    this.registryScan = create(RegistryScan, "registry-scan", settings.registryScan);
    this.serverlessScan = create(ServerlessScan, "serverless-scan", settings.serverlessScan);
    this.serverlessAutoDeploy = create(
      ServerlessAutoDeploy,
      "serverless-auto-deploy",
      settings.serverlessAutoDeploy,
    );
    this.containerScan = create(
      ContainerScan,
      "container-scan",
      settings.containerScan && this.withTriggers(settings.containerScan),
    );
  }

  private withTriggers(props: Of<ContainerScanProps>): Of<ContainerScanProps> {
    if (props.triggers !== undefined || !this.policies) return props;
    return { ...props, triggers: { policies: this.policies.contentSha256 } };
  }
}

/** Returns the errors of props of any shape, because users may write JavaScript. */
function findingsOf(props: unknown): readonly Diagnostic[] {
  if (props !== undefined && !isPlainObject(props)) {
    return [error("Wrong type", "The props must be an object.")];
  }
  const given = new Map<string, unknown>(Object.entries({ ...props }));
  const base = given.get("base");
  const layers = [given.get("overrides") ?? []].flat();
  if (base === undefined) {
    return [error("Missing required argument", 'The argument "base" is required.', ["base"])];
  }
  return [
    ...(isPlainObject(base) ? [] : [error("Wrong type", "This must be an object.", ["base"])]),
    ...(layers.every(isPlainObject)
      ? []
      : [error("Wrong type", "This must be an object, or a list of them.", ["overrides"])]),
  ];
}

function isList(
  overrides: TenantOverrides | readonly TenantOverrides[],
): overrides is readonly TenantOverrides[] {
  return Array.isArray(overrides);
}
