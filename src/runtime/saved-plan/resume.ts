import { error, hasErrors, type Diagnostic } from "../../provider/diagnostics";
import { isWhollyKnown } from "../../provider/values";
import { parseStack } from "../config/stack";
import { errorAt } from "../config/located";
import type { StackContext } from "../graph/stack-context";
import { unmark } from "../expressions/evaluated";
import { loadConfigs, statePath, type Loaded, type LoadOptions } from "../validation/load";
import type { StackPlan } from "../documents/stack-plan";
import type { StackRun } from "../plan/run";
import { checkLineage } from "../state/read";
import { compareDigests, comparePlans } from "./compare";
import type { SavedPlan } from "./saved-plan";
import { basisOf, digestsOf } from "./save";
import { fits } from "./seal";

/** Loads the stack of a saved plan as it was planned. Ephemeral variables are given again. */
export async function loadSaved(
  { stack, configuration, variables }: SavedPlan,
  options: Omit<LoadOptions, "outDir" | "stacks">,
): Promise<{ loaded?: Loaded; diagnostics: readonly Diagnostic[] }> {
  const { config, diagnostics } = await parseStack(configuration, stack);
  if (!config) return { diagnostics };
  const read = await loadConfigs(
    { assembly: { version: "", stacks: [] }, selected: [stack], configs: [config] },
    { ...options, variables: { ...options.variables, settled: variables.settled } },
  );
  const context = read.loaded?.contexts.get(stack.name);
  if (!context) return read;
  const changed = await checkSealed(context, variables.sealed);
  const found = [...read.diagnostics, ...changed];
  if (!hasErrors(changed)) return { ...read, diagnostics: found };
  await context.connections.close();
  return { diagnostics: found };
}

/** Checks that the state is the one of the plan. */
export function checkBasis({ basis }: SavedPlan, { context, stored }: StackRun) {
  const present = basisOf(stored);
  const location = statePath(context.config);
  const foreign = checkLineage(
    { lineage: basis.lineage, location: "the saved plan" },
    { lineage: present.lineage, location },
  );
  if (hasErrors(foreign) || present.sha256 === basis.sha256) return foreign;
  const serials =
    present.serial === basis.serial
      ? `Both have the serial ${basis.serial}, but not the same content.`
      : `It was made from serial ${basis.serial}; the state has serial ${present.serial} now.`;
  return [
    error(
      "Saved plan is stale",
      `The given plan file can no longer be applied because the state was changed by another operation after the plan was created. ${serials} Plan again.`,
    ),
  ];
}

/** Checks that the new plan is the saved one. */
export function checkPlan(saved: SavedPlan, run: StackRun, plan: StackPlan): readonly Diagnostic[] {
  const differences = comparePlans(saved.document.plan, plan);
  return hasErrors(differences) ? differences : compareDigests(saved.digests, digestsOf(run));
}

async function checkSealed(
  { config, variables }: StackContext,
  sealed: SavedPlan["variables"]["sealed"],
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  // One after the other: each needs 128 MiB of memory.
  for (const [name, seal] of Object.entries(sealed)) {
    const variable = config.variables.get(name);
    const { value } = unmark(variables.get(name) ?? null);
    if (!variable || (isWhollyKnown(value) && (await fits(value, seal)))) continue;
    found.push(
      errorAt(
        variable.where,
        "Ephemeral variable has another value",
        `The value of var.${name} is not the one that the plan was made with. Give that value, or plan again.`,
      ),
    );
  }
  return found;
}
