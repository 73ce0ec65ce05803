import { TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { Labels } from "../labels";
import { setOrigin } from "../origin";
import { destroyContent } from "./destroy-content";
import type { RowProblem } from "./raw-rows";
import { Tenant } from "./tenant";
import { excludeTenant, markTenant } from "./exclude-tenant";
import { readTenants, sentenceOf, TenantFileError } from "./tenant-file";

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
   * A row with errors, or one that `build` refuses, has a stack that each run excludes, with
   * the line of the row. The others go on.
   *
   * @param scope the app
   * @param file path of a .yaml, .yml, .json or .csv file; a relative one starts at the working folder
   * @param build called once for each row
   * @throws TenantFileError that lists all errors of the file with their lines, and those that `build`
   * throws, if they are not those of some rows: if all rows fail, rows have no name or the name of
   * another, or `build` throws a TypeError or a ReferenceError
   */
  static fromFile(scope: Construct, file: string, build: BuildTenant): TenantFleet {
    const { placed, faulty } = readTenants(file);
    const stacks: TenantStack[] = [];
    const failures: Failure[] = [];
    for (const one of placed) {
      const tenant = new Tenant(one);
      const stack = new TerraformStack(scope, tenant.name);
      try {
        fill(stack, tenant, build);
        stacks.push({ tenant, stack });
      } catch (failure) {
        failures.push({ failure, line: one.line, stack });
      }
    }
    const [first] = failures;
    if (first && (stacks.length === 0 || failures.some(isOfProgram))) {
      const problems = [...grouped(failures), ...faulty.flatMap((row) => row.problems)];
      throw new TenantFileError(file, problems, { cause: first.failure });
    }
    for (const { failure, line, stack } of failures) {
      excludeTenant(stack, [sentenceOf(file, { line, message: messageOf(failure) })]);
    }
    for (const { name, labels, problems } of faulty) {
      const stack = new TerraformStack(scope, name);
      label(stack, labels);
      excludeTenant(
        stack,
        problems.map((problem) => sentenceOf(file, problem)),
      );
    }
    return new TenantFleet(stacks);
  }
}

interface Failure {
  readonly failure: unknown;
  readonly line: number;
  readonly stack: TerraformStack;
}

/** Reports whether a program failed by itself: it refuses a row with another error. */
function isOfProgram({ failure }: Failure): boolean {
  return failure instanceof TypeError || failure instanceof ReferenceError;
}

function label(stack: TerraformStack, labels: Tenant["labels"]): void {
  if (Object.keys(labels).length > 0) Labels.of(stack).add(labels);
}

function fill(stack: TerraformStack, tenant: Tenant, build: BuildTenant): void {
  setOrigin(stack, tenant.origin);
  markTenant(stack);
  label(stack, tenant.labels);
  build(stack, tenant);
  if (tenant.removed) destroyContent(stack);
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

/** A mistake in `build` fails in every row: it is one problem, at the first of them. */
function grouped(failures: readonly Failure[]): readonly RowProblem[] {
  const lines = new Map<string, number[]>();
  for (const { failure, line } of failures) {
    const message = messageOf(failure);
    lines.set(message, [...(lines.get(message) ?? []), line]);
  }
  return [...lines].map(([message, [line, ...others]]) => ({
    line,
    message: others.length === 0 ? message : `${message} (and in ${others.length} more rows)`,
  }));
}
