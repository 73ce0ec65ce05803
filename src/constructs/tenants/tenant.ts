import { memberOf } from "../../core/member-of";
import { Secret } from "../secret";
import type { TenantOverrides } from "./console-tenant";
import { wholeList } from "./merge";
import type { PlacedRow } from "./tenant-file";

/** A tenant of a file: a row of it. */
export class Tenant {
  /** Name of the tenant's stack. */
  readonly name: string;
  /** Address of the tenant's console. */
  readonly url: string;
  /** Project of that console; undefined for the first one. */
  readonly project: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** The row's own values, for the function that builds the stacks; all are strings in CSV. */
  readonly values: Readonly<Record<string, unknown>>;
  /** True for a tenant that leaves: all but its provider and its state is destroyed. */
  readonly removed: boolean;
  /** Place of the row, as in `tenants.yaml:12`. */
  readonly origin: string;
  /**
   * The row as overrides of a ConsoleTenant: its console, its secrets `password`, `token` and
   * `license`, and its settings.
   */
  readonly overrides: TenantOverrides;

  private readonly secrets: Readonly<Record<string, string>>;

  constructor({ row, origin, policies }: PlacedRow) {
    const { name, url, labels = {}, values = {}, secrets = {}, removed = false } = row;
    this.name = name;
    this.url = url;
    this.project = row.project;
    this.labels = labels;
    this.values = values;
    this.removed = removed;
    this.origin = origin;
    this.secrets = secrets;
    const secretOf = (secret: string, member: string) =>
      Object.hasOwn(secrets, secret) && { [member]: this.secret(secret) };
    const given = (row.settings ?? {}) as TenantOverrides;
    const whole = policies && { policies: { ...given.policies, policies: wholeList(policies) } };
    const settings = { ...given, ...whole } as TenantOverrides;
    const license = { ...settings.license, ...secretOf("license", "key") };
    this.overrides = {
      ...settings,
      console: {
        ...settings.console,
        baseUrl: url,
        ...(row.project !== undefined && { project: row.project }),
        ...(row.consoleId !== undefined && { consoleId: row.consoleId }),
        ...(row.previousUrls !== undefined && { previousBaseUrls: addressesIn(row.previousUrls) }),
        ...secretOf("password", "password"),
        ...secretOf("token", "token"),
      },
      ...(Object.keys(license).length > 0 && { license }),
    };
  }

  /**
   * Returns a secret of the row: the value of the variable that the row names.
   *
   * @throws if the row names no variable for it
   */
  secret(name: string): Secret {
    const variable = Object.hasOwn(this.secrets, name) ? memberOf(this.secrets, name) : undefined;
    if (variable === undefined) {
      throw new Error(`The row names no variable for the secret ${JSON.stringify(name)}.`);
    }
    return Secret.fromEnv(variable);
  }
}

function addressesIn(given: string | readonly string[]): readonly string[] {
  return typeof given === "string" ? given.split(/[\s,;]+/).filter(Boolean) : given;
}
