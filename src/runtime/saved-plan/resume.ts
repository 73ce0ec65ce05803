import type { Environment } from "../../core/environment";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { unmark } from "../../core/marks";
import { isWhollyKnown } from "../../core/values";
import { errorAt, parseStack, type StackConfig } from "../../language";
import { selectedWorkspace } from "../../core/workspace";
import { loadConfigs, type Loaded, type LoadOptions } from "../validation/load";
import type { StackPlan } from "../../core/documents/stack-plan";
import { plannedOutputs } from "../plan/document";
import type { StackRun } from "../plan/run";
import { checkLineage } from "../../formats/state-file/read";
import { compareDigests, comparePlans } from "./compare-plans";
import { basisOf, digestsOf, type SavedPlan, type SavedPlans } from "./save";
import { SealedProviders } from "./provider-seals";
import { openSeals, type Seal, type SealKeys } from "./seal";

/**
 * Loads the stacks of saved plans as they were planned. Ephemeral variables are given again. Errors
 * that keep single stacks from being applied are in the faults.
 */
export async function loadSaved(
  { plans, seals, providers }: SavedPlans,
  options: Omit<LoadOptions, "outDir" | "stacks">,
): Promise<{ loaded?: Loaded; diagnostics: readonly Diagnostic[] }> {
  const faults = new Map<string, readonly Diagnostic[]>();
  const configs: StackConfig[] = [];
  for (const { stack, configuration } of plans) {
    const elsewhere = await checkWorkspace(stack, options.variables.environment);
    if (hasErrors(elsewhere)) faults.set(stack.name, elsewhere);
    const { config, diagnostics } = await parseStack(configuration, stack);
    if (!config) return { diagnostics };
    configs.push(config);
  }
  const settled = new Map(plans.map(({ stack, variables }) => [stack.name, variables]));
  const selected = plans.map(({ stack }) => stack);
  const { loaded, diagnostics } = await loadConfigs(
    { assembly: { version: "", stacks: [] }, selected, configs },
    { ...options, variables: { ...options.variables, settled } },
  );
  if (!loaded) return { diagnostics };
  const opened = await checkSeals(loaded, seals);
  guardConnections(loaded, new SealedProviders(providers, opened.keys));
  for (const found of [loaded.faults, opened.faults]) {
    for (const [stack, problems] of found) {
      faults.set(stack, [...(faults.get(stack) ?? []), ...problems]);
    }
  }
  return { loaded: { ...loaded, faults }, diagnostics };
}

/** Checks that the selected workspace is the one of the plan. */
async function checkWorkspace(
  { directory, workspace }: SavedPlan["stack"],
  environment: Environment,
): Promise<readonly Diagnostic[]> {
  const selected = await selectedWorkspace(directory, environment);
  if (selected.workspace === undefined || selected.workspace === workspace) {
    return selected.diagnostics;
  }
  return [
    error(
      "Plan of another workspace",
      `The plan was made in the workspace "${workspace}", and the workspace "${selected.workspace}" is selected. Select "${workspace}", with TF_WORKSPACE or "workspace select", or plan again.`,
    ),
  ];
}

/** Checks that the state is the one of the plan. */
export function checkBasis({ basis }: SavedPlan, { context, stored }: StackRun) {
  const present = basisOf(stored);
  const foreign = checkLineage(
    { lineage: basis.lineage, location: "the saved plan" },
    { lineage: present.lineage, location: `the state of stack "${context.config.name}"` },
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
  const differences = comparePlans(saved.document, { plan, outputs: plannedOutputs(run) });
  return hasErrors(differences) ? differences : compareDigests(saved.digests, digestsOf(run));
}

async function checkSeals(
  { contexts }: Loaded,
  seals: readonly Seal[],
): Promise<{
  readonly faults: ReadonlyMap<string, readonly Diagnostic[]>;
  readonly keys: SealKeys;
}> {
  const { broken, keys } = await openSeals(seals, (stack, name) => {
    const { value } = unmark(contexts.get(stack)?.variables.get(name) ?? null);
    return isWhollyKnown(value) ? value : undefined;
  });
  const faults = new Map<string, Diagnostic[]>();
  for (const [stack, name] of broken.flatMap(({ members }) => members)) {
    const variable = contexts.get(stack)?.config.variables.get(name);
    if (!variable) continue;
    const changed = errorAt(
      variable.where,
      "Ephemeral variable has another value",
      `The value of var.${name} is not the one that the plan was made with. Give that value, or plan again.`,
    );
    faults.set(stack, [...(faults.get(stack) ?? []), changed]);
  }
  return { faults, keys };
}

/** Keeps credentials from destinations that the plans were not made with. */
function guardConnections({ contexts }: Loaded, sealed: SealedProviders): void {
  for (const [stack, { config, connections }] of contexts) {
    connections.guard = async (provider, identity) => {
      const one = { stack, provider, configuration: config.json, identity };
      return (await sealed.fits(one)) ? undefined : unsealed(identity.address);
    };
  }
}

function unsealed(address: string): Diagnostic {
  return error(
    "Credentials are not sealed for this destination",
    `The plan was not saved with these credentials for ${address}, its certificate authorities and its TLS settings, so nothing is sent there. If they were changed on purpose, plan again. Otherwise, somebody altered the plan file.`,
  );
}
