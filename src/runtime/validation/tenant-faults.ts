import { z } from "zod";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { joined } from "../../core/printed";
import type { StackConfig } from "../../language";
import type { StackFaults } from "../graph/stack-order";

/** The notes of the app in the stack of one of many tenants. */
const noted = z.object({
  "//": z.object({ tenant: z.boolean().optional(), errors: z.array(z.string()).optional() }),
});

/** Separates the errors of single tenants, which exclude their stacks, from those that stop the run. */
export function tenantFaults(
  configs: readonly StackConfig[],
  found: StackFaults,
): { readonly faults: StackFaults; readonly diagnostics: readonly Diagnostic[] } {
  const faults = new Map<string, readonly Diagnostic[]>();
  const others: Diagnostic[] = [];
  for (const { name, json } of configs) {
    const ofStack = found.get(name) ?? [];
    const { tenant = false, errors } = noted.safeParse(json).data?.["//"] ?? {};
    if (errors) faults.set(name, [invalidRow(name, errors)]);
    else if (tenant && hasErrors(ofStack)) faults.set(name, ofStack);
    else others.push(...ofStack);
  }
  if (faults.size < configs.length) return { faults, diagnostics: others };
  // No tenant is left: the program is wrong, or the only selected tenant.
  return { faults: new Map(), diagnostics: [...faults.values()].flat() };
}

function invalidRow(stack: string, errors: readonly string[]): Diagnostic {
  return error(
    "Invalid row of a tenant",
    joined([`The row of stack "${stack}" has errors:`, ...errors], "\n"),
  );
}
