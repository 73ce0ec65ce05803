import { isDeepStrictEqual } from "node:util";
import type { ReattachServer } from "../../../src/plugin/serve-reattach";
import { clock } from "../random/steady-providers";
import { SECRET, selected, type App, type Outcome, type Step } from "./app";
import { comparableCodes, embedded, terraform } from "./engines";
import { DEPENDENTS, isForLater, refusalOf, withRefused } from "./refusals";
import { AppWorld } from "./world";

const servers: ReattachServer[] = [];
let worlds: Promise<readonly [AppWorld, AppWorld]> | undefined;

afterAll(() => Promise.all(servers.map((server) => server.close())));

/** Called with the step that both engines have run, or that the executor has refused. */
export type Observe = (step: Step, outcome: Outcome, refusal: string | undefined) => void;

/**
 * Runs steps with both engines, which swap their worlds after each step. Returns the first difference in
 * exit codes or states, or a secret in the text of a plan.
 */
export async function differenceIn(
  steps: readonly Step[],
  observe: Observe = () => undefined,
): Promise<string | undefined> {
  worlds ??= Promise.all([AppWorld.open(servers), AppWorld.open(servers)]);
  const both = await worlds;
  for (const world of both) world.clear();
  let app: App | undefined;
  for (const [index, step] of steps.entries()) {
    app = step.app ?? app;
    if (!app) throw new Error("The first step has no app.");
    for (const world of both) world.write(app);
    clock.failing = new Set(step.failing);
    const [own, theirs] = index % 2 === 0 ? both : [both[1], both[0]];
    const difference = await differenceOf(app, step, own, theirs, observe).catch(
      (crash: unknown) => `it crashes: ${String(crash)}`,
    );
    if (difference !== undefined) {
      const described = { ...step, app: undefined };
      return `Step ${index + 1} of ${steps.length}, ${JSON.stringify(described)}: ${difference}`;
    }
  }
  return undefined;
}

async function differenceOf(
  app: App,
  step: Step,
  own: AppWorld,
  theirs: AppWorld,
  observe: Observe,
): Promise<string | undefined> {
  const before = own.states();
  const leavesDependents = step.command === "destroy" && (await DEPENDENTS.isDue(app, step, own));
  const ours = await embeddedAtLast(own, app, step);
  const refusal = refusalOf(ours);
  if (refusal) {
    observe(step, ours, refusal.summary);
    const isChanged = !isDeepStrictEqual(before, own.states());
    if (isChanged) return `a refusal has changed states: ${refusal.summary}`;
    if (step.command === "validate") {
      const outcome = await terraform(theirs, app, step);
      return differing(app, step, ours, { ...outcome, codes: withRefused(app, outcome.codes) });
    }
    return (await refusal.isDue(app, step, own)) ? undefined : `no reason for: ${refusal.summary}`;
  }
  if (leavesDependents) return "a destroy leaves out a dependent with objects";
  const outcome = await terraform(theirs, app, step);
  observe(step, ours, undefined);
  const difference = differing(app, step, ours, outcome);
  if (difference !== undefined) return difference;
  const [here, there] = [own.states(), theirs.states()];
  if (!isDeepStrictEqual(here, there)) {
    const shown = [here, there].map((states) => JSON.stringify(states, null, 1));
    return `states differ:\n${diff(shown[0] ?? "", shown[1] ?? "")}\n${outcome.errors.join("\n")}`;
  }
  const isWhole = selected(app, step).length === Object.keys(app.stacks).length;
  if (isWhole && step.command !== "destroy" && withoutStored(ours.text).includes(SECRET)) {
    return `a plan prints a secret:\n${ours.text}`;
  }
  return undefined;
}

/** Applies again what depends on numbers of instances that the first apply makes known. */
async function embeddedAtLast(world: AppWorld, app: App, step: Step): Promise<Outcome> {
  const isSound = step.command === "apply" && (step.failing ?? []).length === 0;
  let outcome = await embedded(world, app, step);
  for (let again = 0; again < 4 && isSound && isForLater(outcome); again++) {
    outcome = await embedded(world, app, step);
  }
  return outcome;
}

function differing(app: App, step: Step, ours: Outcome, theirs: Outcome): string | undefined {
  const [one, other] = [ours, theirs].map(({ codes }) =>
    comparableCodes(app, step, codes, theirs.codes),
  );
  if (isDeepStrictEqual(sorted(one), sorted(other))) return undefined;
  const errors = [...ours.errors, ...theirs.errors].join("\n");
  return `exit codes differ: ${JSON.stringify(one)}, Terraform's ${JSON.stringify(other)}\n${errors}`;
}

function sorted(codes: object = {}): object {
  return Object.fromEntries(Object.entries(codes).sort());
}

/**
 * Removes what the states have, which is shown where the configuration no longer refers to the secret, as
 * in Terraform. See the tests of values that cross stacks for where it does.
 */
function withoutStored(text: string): string {
  const lines = text.split("\n").filter((line) => !line.trimStart().startsWith("- "));
  return lines.map((line) => line.replace(/[^=]* -> /, "")).join("\n");
}

/** The lines that only one of two texts has. */
function diff(one: string, other: string): string {
  const [lines, others] = [one.split("\n"), other.split("\n")];
  return [
    ...lines.filter((line) => !others.includes(line)).map((line) => `- ${line}`),
    ...others.filter((line) => !lines.includes(line)).map((line) => `+ ${line}`),
  ].join("\n");
}
