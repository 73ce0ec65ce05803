import { TerraformBackend, type TerraformStack } from "cdktf";

const EXCLUDED = Symbol.for("cdktf-console/ExcludedTenant");

/**
 * Replaces the content of a tenant's stack by the errors of its row. Each run then excludes the stack:
 * the executor by its list of errors, Terraform by a precondition that fails.
 */
export function excludeTenant(stack: TerraformStack, errors: readonly string[]): void {
  Object.defineProperty(stack, EXCLUDED, { value: true });
  for (const child of stack.node.children) {
    if (!TerraformBackend.isBackend(child)) stack.node.tryRemoveChild(child.node.id);
  }
  stack.addOverride("//.errors", errors);
  // A condition must refer to something.
  stack.addOverride("locals.row_is_valid", false);
  stack.addOverride("output.row", {
    value: "",
    precondition: {
      condition: "${local.row_is_valid}",
      error_message: errors.join("\n").replace(/[$%](?=\{)/g, "$&$&"),
    },
  });
}

/** Marks the stack of a row: an error of it does not stop those of other rows. */
export function markTenant(stack: TerraformStack): void {
  stack.addOverride("//.tenant", true);
}

export function isExcludedTenant(stack: TerraformStack): boolean {
  return EXCLUDED in stack;
}
