import { createHmac } from "node:crypto";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { Release } from "../../../src/api/release";
import { differences } from "../support/differences";
import { embedded } from "../support/embedded";
import type { ComparedDiagnostic, Json, Planned } from "../support/engine";
import { openSeats } from "../support/seat";
import { consoleBlock, stackOf } from "../support/stacks";
import { terraform } from "../support/terraform";
import { World } from "../support/world";
import { changedVariants, drifted, originalItems, resourceOf, subjectOf, type Case } from "./cases";
import { violations, type Change } from "./law";

/** Cases that run in one stack, each with its own console. */
const BATCH = 50;

/** The end of a case. */
export type Met = "refused by the plan" | "refused by the apply" | "written" | "nothing to do";

export interface Findings {
  /** A line for each difference between console and plan, or between the engines. */
  readonly problems: readonly string[];
  readonly met: readonly Met[];
}

/** The first has the executor, the second Terraform. */
type Worlds = readonly [World, World];

/** The items of each case. */
type Items = readonly (readonly Json[])[];

/** Two equal worlds after the first apply and the drift, with the second stack. */
interface Prepared {
  readonly worlds: Worlds;
  /** Before the first apply. */
  readonly original: Items;
  /** Writes the first configuration of cases again, and what their consoles had after it. */
  readonly reset: (indexes: ReadonlyMap<number, unknown>) => Promise<void>;
}

/**
 * Runs cases with both engines, in a world each: a first apply, a drift, and the apply of a changed
 * stack. After it, the console of each case has what the plan showed, or is unchanged.
 */
export async function runCases(cases: readonly Case[], release: Release): Promise<Findings> {
  const findings: Findings[] = [];
  const refused: Case[] = [];
  for (const batch of batches(cases)) {
    findings.push(
      await inWorlds(batch, release, async (prepared) => {
        const planned = await embedded.plan(prepared.worlds[0], {});
        await planned.close();
        const failed = errorsByCase(planned.diagnostics);
        refused.push(...batch.filter((_, index) => failed.has(index)));
        // Without these: Terraform makes no plan where one object is refused.
        await prepared.reset(failed);
        return compare(batch, prepared, failed);
      }),
    );
  }
  for (const batch of batches(refused)) {
    findings.push(
      await inWorlds(batch, release, (prepared) => compare(batch, prepared, new Map())),
    );
  }
  return {
    problems: findings.flatMap(({ problems }) => problems),
    met: findings.flatMap(({ met }) => met),
  };
}

function batches(cases: readonly Case[]): readonly (readonly Case[])[] {
  const count = Math.ceil(cases.length / BATCH);
  return Array.from({ length: count }, (_, index) =>
    cases.slice(index * BATCH, (index + 1) * BATCH),
  );
}

/** Opens the worlds of cases, and closes them in the end. */
async function inWorlds(
  cases: readonly Case[],
  release: Release,
  run: (prepared: Prepared) => Promise<Findings>,
): Promise<Findings> {
  const [one, other] = await openSeats();
  const options = { release, tenants: cases.length };
  const worlds = [await World.open(one, options), await World.open(other, options)] as const;
  const load = async (world: World, itemsOfCase: (index: number) => readonly Json[]) => {
    for (const [index, each] of cases.entries()) {
      await world.consoles[index]?.load({ [subjectOf(each).kind]: itemsOfCase(index) });
    }
  };
  const write = (step: (index: number) => 1 | 2) => {
    for (const world of worlds) world.write(stackWith(cases, step, release));
  };
  try {
    const original = itemsOf(worlds[0], cases).map((items, index) => [
      ...originalItems(caseAt(cases, index)),
      ...items,
    ]);
    await load(worlds[0], (index) => original[index] ?? []);
    write(() => 1);
    await applyFirst(worlds[0]);
    copyFileSync(join(one.folder, STATE), join(other.folder, STATE));
    const written = itemsOf(worlds[0], cases);
    for (const world of worlds) {
      await load(world, (index) => drifted(caseAt(cases, index), written[index] ?? []));
      // Learns the random names in the state.
      world.state();
    }
    write(() => 2);
    const reset = async (indexes: ReadonlyMap<number, unknown>) => {
      if (indexes.size === 0) return;
      const now = itemsOf(worlds[0], cases);
      for (const world of worlds) {
        await load(world, (index) => (indexes.has(index) ? written : now)[index] ?? []);
      }
      write((index) => (indexes.has(index) ? 1 : 2));
    };
    return await run({ worlds, original, reset });
  } finally {
    await Promise.all(worlds.map((world) => world.close()));
  }
}

const STATE = "terraform.prod.tfstate";

async function applyFirst(world: World): Promise<void> {
  const planned = await embedded.plan(world, {});
  const diagnostics = [...planned.diagnostics, ...(await planned.apply())];
  await planned.close();
  expect([...errorsByCase(diagnostics).values()].flat()).toEqual([]);
}

/** Applies in both worlds, and compares consoles with plans, and the engines. */
async function compare(
  cases: readonly Case[],
  { worlds, original }: Prepared,
  without: ReadonlyMap<number, unknown>,
): Promise<Findings> {
  const found = worlds.map((world) => itemsOf(world, cases));
  const plans = await Promise.all([embedded.plan(worlds[0], {}), terraform.plan(worlds[1], {})]);
  // OpenTofu's plans do not say it.
  const isApplyable = plans.some(({ applyable }) => applyable);
  const applied = isApplyable ? await Promise.all(plans.map((plan) => plan.apply())) : [];
  await Promise.all(plans.map((plan) => plan.close()));
  const reached = worlds.map((world) => itemsOf(world, cases));
  const changes = plans.map(({ json }) => changesOf(json));
  const errors = plans.map(({ diagnostics }, engine) =>
    errorsByCase([...diagnostics, ...(applied[engine] ?? [])]),
  );
  const indexes = [...cases.keys()].filter((index) => !without.has(index));
  const problems = indexes.flatMap((index) =>
    worlds.flatMap((world, engine) => {
      const one = caseAt(cases, index);
      const change = changes[engine]?.get(index);
      const key = world.consoles[index]?.data.keys.sealing ?? "";
      const wrong = violations({
        subject: subjectOf(one),
        change: change ?? { actions: [], before: null, after: null },
        variants: changedVariants(one),
        isRefused: change === undefined || errors[engine]?.has(index) === true,
        original: original[index] ?? [],
        found: found[engine]?.[index] ?? [],
        reached: reached[engine]?.[index] ?? [],
        seal: (plain) => createHmac("sha256", key).update(plain).digest("base64"),
      });
      return wrong.map((problem) => `${ENGINES[engine] ?? ""}: ${problem}: ${nameOf(one)}`);
    }),
  );
  const isPlanned = plans[0].json !== undefined;
  const failed = new Set(errors.flatMap((each) => [...each.keys()]));
  return {
    problems: [
      ...problems,
      ...disagreements(cases, worlds, plans, errors),
      ...(isPlanned ? await changesLeft(worlds[1], cases, failed) : []),
    ],
    met: indexes.map((index) => {
      if (failed.has(index)) return isPlanned ? "refused by the apply" : "refused by the plan";
      return changes[0]?.get(index)?.actions.join() === "no-op" ? "nothing to do" : "written";
    }),
  };
}

const ENGINES = ["executor", "Terraform"];

function caseAt(cases: readonly Case[], index: number): Case {
  const one = cases[index];
  if (!one) throw new Error(`no case ${index}`);
  return one;
}

function stackWith(cases: readonly Case[], step: (index: number) => 1 | 2, release: Release) {
  const resources: Record<string, Record<string, Json>> = {};
  const add = (type: string, name: string, resource: Json) => {
    resources[type] = { ...resources[type], [name]: resource };
  };
  for (const [index, one] of cases.entries()) {
    const trigger = `null_resource.t${index}`;
    const resource = resourceOf(one, step(index), `${trigger}.id`, release);
    add(subjectOf(one).type, `case${index}`, { provider: `cwp.c${index}`, ...resource });
    if (one.lifecycle.includes("triggered")) {
      add("null_resource", `t${index}`, { triggers: { step: String(step(index)) } });
    }
  }
  const cwp = cases.map((_, index) => consoleBlock(index + 1, { alias: `c${index}`, release }));
  return stackOf(resources, { provider: { cwp } });
}

function itemsOf(world: World, cases: readonly Case[]): Items {
  return cases.map((one, index) => world.consoles[index]?.collection(subjectOf(one).kind) ?? []);
}

function changesOf(json: Json | undefined): ReadonlyMap<number, Change> {
  const changes = (json?.resource_changes ?? []) as readonly {
    readonly address: string;
    readonly change: Change;
  }[];
  return new Map(
    changes.flatMap(({ address, change }) => {
      const index = indexOf(address);
      return index === undefined ? [] : [[index, change] as const];
    }),
  );
}

function errorsByCase(
  diagnostics: readonly ComparedDiagnostic[],
): ReadonlyMap<number, readonly string[]> {
  const errors = new Map<number, string[]>();
  for (const { text, address } of diagnostics) {
    if (!text.startsWith("error")) continue;
    const index = indexOf(address ?? "");
    if (index === undefined) throw new Error(`an error of no case: ${text}`);
    errors.set(index, [...(errors.get(index) ?? []), text]);
  }
  return errors;
}

function indexOf(address: string): number | undefined {
  const [, digits] = /\.case(\d+)/.exec(address) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** The differences between the engines in plans, errors, states and consoles. */
function disagreements(
  cases: readonly Case[],
  [one, other]: Worlds,
  [ours, theirs]: readonly Planned[],
  errors: readonly ReadonlyMap<number, readonly string[]>[],
): readonly string[] {
  const found = [
    ...differences(ours?.json, theirs?.json),
    ...differences(one.contents(), other.contents()),
    ...differences(stateOf(one), stateOf(other)),
    ...cases.flatMap((_, index) => {
      const [a, b] = errors.map((each) => (each.get(index) ?? []).join("; "));
      return a === b ? [] : [`case${index}: ${a ?? ""} | ${b ?? ""}`];
    }),
  ];
  return found.map((difference) => {
    const index = indexOf(difference.replace(" case", ".case")) ?? indexOf(`.${difference}`);
    const where = index === undefined ? "" : `: ${nameOf(caseAt(cases, index))}`;
    return `the engines differ: ${difference}${where}`;
  });
}

/**
 * The state. Terraform plans again before it creates; where that plan is refused, the object to replace
 * stays deposed. The executor makes it the current one again, as both do where the creation fails.
 */
function stateOf(world: World): unknown {
  const state = world.state();
  if (state === undefined) return undefined;
  return JSON.parse(state, (member, value: unknown) => (member === "deposed" ? undefined : value));
}

/** The cases that succeeded and that the next plan would change. */
async function changesLeft(
  world: World,
  cases: readonly Case[],
  failed: ReadonlySet<number>,
): Promise<readonly string[]> {
  const planned = await embedded.plan(world, {});
  await planned.close();
  const { json, diagnostics } = planned;
  const left = [...changesOf(json)].filter(([, { actions }]) => actions.join() !== "no-op");
  return [...errorsByCase(diagnostics).keys(), ...left.map(([index]) => index)]
    .filter((index) => !failed.has(index))
    .map((index) => `the next plan has changes: ${nameOf(caseAt(cases, index))}`);
}

/** The values of a case. */
export function nameOf(one: Case): string {
  return Object.entries(one)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
}
