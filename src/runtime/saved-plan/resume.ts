import type { Environment } from "../../provider/definitions/provider-definition";
import { error, hasErrors, formatPath, type Diagnostic } from "../../provider/diagnostics";
import {
  isWhollyKnown,
  isListValue,
  isObjectValue,
  memberOf,
  valuesEqual,
  type AttributePath,
  type Value,
} from "../../provider/values";
import { parseStack } from "../config/stack";
import { errorAt } from "../config/located";
import type { StackConfig } from "../config/stack-config";
import { selectedWorkspace } from "../config/workspace";
import { unmark } from "../expressions/evaluated";
import { loadConfigs, type Loaded, type LoadOptions } from "../validation/load";
import type { StackPlan, Action, OutputChange, ResourceChange } from "../documents/stack-plan";
import type { StackRun } from "../plan/run";
import { checkLineage } from "../state/read";
import { basisOf, digestsOf, type SavedPlan, type SavedPlans } from "./save";
import { brokenSeals, type Seal } from "./seal";

/**
 * Loads the stacks of saved plans as they were planned. Ephemeral variables are given again. Errors
 * that keep single stacks from being applied are in the faults.
 */
export async function loadSaved(
  { plans, seals }: SavedPlans,
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
  for (const found of [loaded.faults, await checkSeals(loaded, seals)]) {
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
      `The plan was made in the workspace "${workspace}", and the workspace "${selected.workspace}" is selected. Select "${workspace}", with TF_WORKSPACE or "terraform workspace select", or plan again.`,
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
  const differences = comparePlans(saved.document.plan, plan);
  return hasErrors(differences) ? differences : compareDigests(saved.digests, digestsOf(run));
}

async function checkSeals(
  { contexts }: Loaded,
  seals: readonly Seal[],
): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
  const broken = await brokenSeals(seals, (stack, name) => {
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
  return faults;
}

/** A difference from the saved plan, with its reasons. */
interface Difference {
  /** An address, or `output NAME`. */
  readonly subject: string;
  readonly reasons: readonly string[];
}

/** Compares a new plan with the saved one. Differences are an error. */
function comparePlans(saved: StackPlan, present: StackPlan): readonly Diagnostic[] {
  const resources = pairs(
    saved.changes.filter(isCompared),
    present.changes.filter(isCompared),
    keyOf,
  );
  const drift = saved.mode === "refresh-only" ? pairs(saved.drift, present.drift, keyOf) : [];
  const outputs = pairs(saved.outputs, present.outputs, ({ name }) => name);
  return refused([
    ...[...resources, ...drift].map(([before, now]) => ({
      subject: before?.address ?? now?.address ?? "",
      reasons: compareChanges(before, now),
    })),
    ...outputs.map(([before, now]) => ({
      subject: `output ${before?.name ?? now?.name ?? ""}`,
      reasons: sameOutput(before, now) ? [] : ["would not get the value that was planned"],
    })),
  ]);
}

/** Compares the private state of providers with that of the saved plan. */
function compareDigests(
  saved: Readonly<Record<string, string>>,
  present: Readonly<Record<string, string>>,
): readonly Diagnostic[] {
  return refused(
    Object.keys(saved).map((subject) => ({
      subject,
      reasons:
        saved[subject] === present[subject]
          ? []
          : ["other objects of its collection were changed since the plan was made"],
    })),
  );
}

/** Excludes data sources that were read: the plan has their results. */
function isCompared({ mode, action }: ResourceChange): boolean {
  return mode === "managed" || action === "read";
}

function compareChanges(
  saved: ResourceChange | undefined,
  present: ResourceChange | undefined,
): readonly string[] {
  if (!saved || !present) {
    const action = (saved ?? present)?.action ?? "no-op";
    if (action === "no-op") return [];
    return [saved ? "is no longer planned" : `is ${WORDS[action]}, which was not planned`];
  }
  if (saved.endpoint !== present.endpoint) {
    const [planned, now] = [saved, present].map(({ endpoint = "an unknown console" }) => endpoint);
    return [`the plan is for ${planned ?? ""}`, `and this is ${now ?? ""}`];
  }
  if (saved.action !== present.action) {
    return [`was ${WORDS[saved.action]}, and is ${WORDS[present.action]} now`];
  }
  const before = differingPaths(saved.before, present.before).map(
    (path) => `${named(path)} was changed since the plan was made`,
  );
  if (before.length > 0) return before;
  const after = differingPaths(saved.after, present.after).map(
    (path) => `${named(path)} would get another value than planned`,
  );
  if (after.length > 0) return after;
  const same =
    saved.reason === present.reason &&
    saved.previousAddress === present.previousAddress &&
    saved.importing?.id === present.importing?.id &&
    JSON.stringify(saved.replacePaths) === JSON.stringify(present.replacePaths);
  return same ? [] : ["is changed for another reason than the plan showed"];
}

function sameOutput(saved: OutputChange | undefined, present: OutputChange | undefined): boolean {
  return (
    saved?.action === present?.action &&
    saved?.sensitive === present?.sensitive &&
    valuesEqual(saved?.before ?? null, present?.before ?? null) &&
    valuesEqual(saved?.after ?? null, present?.after ?? null)
  );
}

/** Returns the outermost differing paths below lists and objects of the same shape. */
function differingPaths(a: Value, b: Value, path: AttributePath = []): readonly AttributePath[] {
  if (valuesEqual(a, b)) return [];
  if (isListValue(a) && isListValue(b) && a.length === b.length) {
    return a.flatMap((item, index) => differingPaths(item, b[index] ?? null, [...path, index]));
  }
  if (isObjectValue(a) && isObjectValue(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return keys.flatMap((key) =>
      differingPaths(memberOf(a, key) ?? null, memberOf(b, key) ?? null, [...path, key]),
    );
  }
  return [path];
}

function named(path: AttributePath): string {
  return path.length === 0 ? "it" : formatPath(path);
}

const WORDS: Readonly<Record<Action, string>> = {
  "no-op": "to stay as it is",
  create: "to be created",
  read: "to be read",
  update: "to be updated",
  delete: "to be destroyed",
  "delete-then-create": "to be replaced",
  "create-then-delete": "to be replaced, the new one first",
  forget: "to be forgotten",
};

function keyOf({ address, deposed = "" }: ResourceChange): string {
  return JSON.stringify([address, deposed]);
}

function pairs<T>(
  saved: readonly T[],
  present: readonly T[],
  key: (one: T) => string,
): readonly (readonly [T | undefined, T | undefined])[] {
  const before = new Map(saved.map((one) => [key(one), one]));
  const now = new Map(present.map((one) => [key(one), one]));
  return [...new Set([...before.keys(), ...now.keys()])].map((each) => [
    before.get(each),
    now.get(each),
  ]);
}

/** The number of differences to show. */
const SHOWN = 10;

function refused(differences: readonly Difference[]): readonly Diagnostic[] {
  const found = differences.filter(({ reasons }) => reasons.length > 0);
  if (found.length === 0) return [];
  const lines = found
    .slice(0, SHOWN)
    .flatMap(({ subject, reasons }) => [
      `  - ${subject}`,
      ...reasons.slice(0, SHOWN).map((reason) => `      ${reason}`),
      ...(reasons.length > SHOWN ? [`      and ${reasons.length - SHOWN} more`] : []),
    ]);
  if (found.length > SHOWN) lines.push(`  - and ${found.length - SHOWN} more`);
  return [
    error(
      "Saved plan can no longer be applied",
      `The plan has changed since it was saved:\n${lines.join("\n")}\n\nNothing was changed. Plan again, and review that plan.`,
    ),
  ];
}
