import { TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { Labels } from "../labels";
import { setOrigin } from "../origin";
import { destroyContent } from "./destroy-content";
import type { Problem } from "./raw-rows";
import { Tenant } from "./tenant";
import { readTenants, TenantFileError } from "./tenant-file";

/** A tenant with its stack. */
export interface TenantStack {
  readonly tenant: Tenant;
  readonly stack: TerraformStack;
}

/** Adds the content of a tenant's stack, such as a ConsoleTenant. */
export type BuildTenant = (stack: TerraformStack, tenant: Tenant) => void;

/**
 * The stacks of many tenants, one for each row of a file.
 *
 * @example
 * TenantFleet.fromFile(app, "tenants.csv", (stack, tenant) => {
 *   new ConsoleTenant(stack, "tenant", { base, overrides: tenant.overrides });
 * });
 */
export class TenantFleet {
  private constructor(
    /** In the order of the file. */
    readonly stacks: readonly TenantStack[],
  ) {}

  /**
   * Creates a stack for each row of a file, with the name and the labels of the row. The order of the
   * rows has no influence on the stacks.
   *
   * A row with `removed: true` keeps its stack and its state: `build` is called as for the others, and
   * then all but the providers is removed, so that the next plan destroys it. Delete the row after
   * that apply.
   *
   * @param scope the app
   * @param file path of a .yaml, .yml, .json or .csv file; a relative one starts at the working folder
   * @param build called once for each row
   * @throws TenantFileError that lists all errors of the file with their lines, and those that `build`
   * throws
   */
  static fromFile(scope: Construct, file: string, build: BuildTenant): TenantFleet {
    const stacks: TenantStack[] = [];
    const failures: { readonly failure: unknown; readonly line: number }[] = [];
    for (const placed of readTenants(file)) {
      try {
        const tenant = new Tenant(placed);
        stacks.push({ tenant, stack: stackOf(scope, tenant, build) });
      } catch (failure) {
        failures.push({ failure, line: placed.line });
      }
    }
    const [first] = failures;
    if (!first) return new TenantFleet(stacks);
    throw new TenantFileError(file, grouped(failures), { cause: first.failure });
  }
}

function stackOf(scope: Construct, tenant: Tenant, build: BuildTenant): TerraformStack {
  const stack = new TerraformStack(scope, tenant.name);
  setOrigin(stack, tenant.origin);
  if (Object.keys(tenant.labels).length > 0) Labels.of(stack).add(tenant.labels);
  build(stack, tenant);
  if (tenant.removed) destroyContent(stack);
  return stack;
}

/** A mistake in `build` fails in every row: it is one problem, at the first of them. */
function grouped(
  failures: readonly { readonly failure: unknown; readonly line: number }[],
): readonly Problem[] {
  const lines = new Map<string, number[]>();
  for (const { failure, line } of failures) {
    const message = failure instanceof Error ? failure.message : String(failure);
    lines.set(message, [...(lines.get(message) ?? []), line]);
  }
  return [...lines].map(([message, [line, ...others]]) => ({
    line,
    message: others.length === 0 ? message : `${message} (and in ${others.length} more rows)`,
  }));
}
