import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasErrors, type Diagnostic } from "../../../src/core/diagnostics";
import { PLAIN } from "../../../src/formats/text/style";
import { renderPlan } from "../../../src/formats/text/plan-text";
import { isApplyable, Session, validate } from "../../../src/runtime";
import { formatSavedPlans, readSavedPlans } from "../../../src/runtime/saved-plan/format";
import { before, selected, type App, type Codes, type Outcome, type Step } from "./app";
import { appProviders } from "./providers";
import type { AppWorld } from "./world";

/** Runs a step with the executor. */
export async function embedded(world: AppWorld, app: App, step: Step): Promise<Outcome> {
  const stacks = selected(app, step);
  const { command, targets, refresh } = step;
  if (command === "validate") return validateEach(world, stacks);
  const session = await Session.plan({
    ...options(),
    outDir: world.outDir,
    stacks,
    operation: command,
    mode: command === "destroy" ? "destroy" : "normal",
    ...(targets && { targets }),
    ...(refresh !== undefined && { refresh }),
  });
  const outcome = outcomeOf(session, stacks);
  if (command === "plan" || !session.applicable) {
    await session.close();
    return outcome;
  }
  if (!step.inFile) return applied(session, outcome);
  const file = join(world.folder, "saved.plan");
  const written = { workingDirectory: world.folder, program: "test" };
  writeFileSync(file, formatSavedPlans(await session.save(), written));
  await session.close();
  const providers = appProviders(() => undefined);
  const { saved } = await readSavedPlans(readFileSync(file), file, providers, world.folder);
  if (!saved) throw new Error("The saved plan cannot be read.");
  const resumed = await Session.resume(saved, options());
  const again = outcomeOf(resumed, stacks);
  const refused = again.errors.filter((one) => !outcome.errors.includes(one));
  if (refused.length > 0) throw new Error(`The saved plan is refused: ${refused.join(", ")}`);
  return applied(resumed, outcome);
}

async function validateEach(world: AppWorld, stacks: readonly string[]): Promise<Outcome> {
  const codes: Record<string, number> = {};
  const errors: string[] = [];
  for (const stack of stacks) {
    const found = await validate({ ...options(), outDir: world.outDir, stacks: [stack] });
    codes[stack] = hasErrors(found) ? 1 : 0;
    errors.push(...summariesOf(found));
  }
  return { codes, errors, text: "" };
}

function options() {
  const environment = { PATH: process.env.PATH };
  return {
    variables: { environment, directories: [], given: [] },
    providers: appProviders(() => undefined),
    environment,
  };
}

function outcomeOf(session: Session, stacks: readonly string[]): Outcome {
  const codes: Record<string, number> = {};
  const isRefused = hasErrors(session.problems);
  for (const stack of stacks) if (isRefused) codes[stack] = 1;
  for (const { stack } of session.excluded) codes[stack] = 1;
  for (const plan of session.plans) codes[plan.stack] = isApplyable(plan) ? 2 : 0;
  const kept = session.plans.map((plan) => ({
    ...plan,
    changes: plan.changes.filter(({ action }) => action !== "delete"),
    outputs: plan.outputs.filter(({ action }) => action !== "delete"),
  }));
  const layout = { style: PLAIN, width: 80, attributes: true };
  const text = kept.map((plan) => renderPlan(plan, layout).toString()).join("\n");
  return { codes, errors: summariesOf(session.diagnostics), text };
}

async function applied(session: Session, planned: Outcome): Promise<Outcome> {
  const codes: Record<string, number> = { ...planned.codes };
  const { stacks, diagnostics } = await session.apply();
  const closing = await session.close();
  for (const { stack, complete } of stacks) codes[stack] = complete ? 0 : 1;
  const found = [...diagnostics, ...closing, ...stacks.flatMap((one) => one.diagnostics)];
  return { codes, errors: [...planned.errors, ...summariesOf(found)], text: planned.text };
}

function summariesOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.flatMap(({ severity, summary }) => (severity === "error" ? [summary] : []));
}

/** Runs a step with Terraform, stack by stack: it skips what needs a stack that failed. */
export async function terraform(world: AppWorld, app: App, step: Step): Promise<Outcome> {
  const stacks = selected(app, step);
  const { command, targets = [], refresh = true, inFile = false } = step;
  const isDestroy = command === "destroy";
  const codes: Record<string, number> = {};
  const errors: string[] = [];
  const flags = [...targets.map((one) => `-target=${one}`), ...(refresh ? [] : ["-refresh=false"])];
  const run = async (stack: string, words: readonly string[]) => {
    const { code, out, err } = await world.project(stack).run(words.join(" "));
    if (code === 1) errors.push(`${stack}: ${out}${err}`);
    return code ?? 1;
  };
  const apply = async (stack: string): Promise<number> => {
    if (!inFile) return run(stack, [command, "-auto-approve", ...flags]);
    const planned = await run(stack, ["plan", "-out=plan.bin", ...flags]);
    return planned === 0 ? run(stack, ["apply", "plan.bin"]) : planned;
  };
  for (const stack of isDestroy ? [...stacks].reverse() : stacks) {
    if (command === "validate") codes[stack] = await run(stack, ["validate"]);
    else if (command === "plan") {
      codes[stack] = await run(stack, ["plan", "-detailed-exitcode", ...flags]);
    } else {
      const needs = isDestroy
        ? stacks.filter((other) => before(app, other).includes(stack))
        : before(app, stack);
      codes[stack] = needs.some((one) => codes[one] === 1) ? 1 : await apply(stack);
    }
  }
  return { codes, errors, text: "" };
}

/**
 * Leaves out the plans of stacks that depend on changes: the executor plans with the planned outputs of
 * others, and Terraform with the stored ones. Also those with a check that reads a state itself, which
 * each plan of Terraform would store again: docs/guides/engines.md. From a destroy it omits what imports
 * by an output of a stack that is destroyed already, which Terraform refuses, and the stacks before it.
 */
export function comparableCodes(app: App, { command }: Step, codes: Codes, theirs: Codes): Codes {
  if (command === "destroy") {
    const refused = Object.keys(theirs).filter(
      (stack) => theirs[stack] === 1 && importsByOutput(app, stack),
    );
    const kept = new Set(refused);
    for (const stack of kept) for (const one of before(app, stack)) kept.add(one);
    return Object.fromEntries(Object.entries(codes).filter(([stack]) => !kept.has(stack)));
  }
  if (command !== "plan") return codes;
  const changed = new Set(Object.keys(theirs).filter((stack) => theirs[stack] !== 0));
  const reads = (stack: string) =>
    /"data":[^]*"own":/.test(JSON.stringify(app.stacks[stack]?.check ?? {}));
  for (const stack of Object.keys(app.stacks)) {
    if (before(app, stack).some((one) => changed.has(one))) changed.add(stack);
  }
  return Object.fromEntries(
    Object.entries(codes).filter(
      ([stack, code]) =>
        !before(app, stack).some((one) => changed.has(one)) && (code === 1 || !reads(stack)),
    ),
  );
}

function importsByOutput(app: App, stack: string): boolean {
  return JSON.stringify(app.stacks[stack]?.import ?? []).includes("terraform_remote_state");
}
