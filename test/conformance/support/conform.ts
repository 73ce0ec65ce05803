import { LONG_TESTS } from "../../support/cases";
import type { StackJson } from "../../cli/stack-files";
import type { Synthesized } from "../../e2e/support/synthesized";
import { differences } from "./differences";
import { embedded, embeddedWithFiles } from "./embedded";
import {
  summaryOf,
  type Engine,
  type Planned,
  type Request,
  type ComparedDiagnostic,
} from "./engine";
import { differenceOf, IS_TOFU, type ByDesign } from "./program";
import { comparableEvents, violations } from "./order";
import { openSeats, type Seat } from "./seat";
import { terraform } from "./terraform";
import { World, type WorldOptions } from "./world";

/** The changes to a world before it is planned, and the options of the plan. */
export interface Turn {
  /** Default: the stack of the previous step. */
  readonly stack?: StackJson | Synthesized;
  /** A manual change of the console. */
  readonly before?: (world: World) => Promise<unknown> | undefined;
  /** Terraform commands that change the state, run by each engine afterwards. */
  readonly commands?: readonly string[];
  /** Commands that may fail, with both engines. */
  readonly attempts?: readonly string[];
  readonly request?: Request;
  /** Applies a plan that was written to a file, with both engines. Default: Terraform alone does. */
  readonly inFile?: boolean;
  /** Compares the order of operations, and those that started and ended. Default: false. */
  readonly ordered?: boolean;
  /** Compares no details of diagnostics. Default: false. */
  readonly summariesOnly?: boolean;
}

/** A turn with the expected plan and the expected result of the apply. It fails where programs differ. */
export interface Step extends Turn, ByDesign {
  /** The name of the test. */
  readonly does: string;
  /** The expected plan in Terraform's order: see `summaryOf`. Undefined where planning fails. */
  readonly plans?: readonly string[];
  /** Parts of the errors that both report in the plan or the apply. Default: none. */
  readonly errors?: readonly string[];
  /** Assertions on each world after the step. */
  readonly after?: (world: World) => void;
}

/** They differ in one of the steps. */
export type PromiseOptions = WorldOptions & ByDesign;

/** The promises of the suite so far. */
let promises = 0;

/**
 * Runs the same steps in two worlds, one with each engine, for each second promise of a suite, and
 * for all with LONG_TESTS: test/runtime proves what the executor does. The engines swap worlds after
 * every step, so that each continues from the state of the other. After each step plan, console and
 * state are the same in both worlds; at the end neither engine finds changes in the other's world.
 */
export function conforms(
  promise: string,
  steps: readonly Step[],
  options: PromiseOptions = {},
): void {
  if (promises++ % 2 === 1 && !LONG_TESTS) return;
  describe(promise, () => {
    let worlds: readonly [World, World];
    let turn = 0;

    beforeAll(async () => {
      const [one, other] = await openSeats();
      worlds = await Promise.all([World.open(one, options), World.open(other, options)]);
    });
    afterAll(() => Promise.all(worlds.map((world) => world.close())));

    const difference = differenceOf(options);
    if (difference !== undefined) {
      test(`differs, because ${difference}`, async () => {
        await expect(takeAll(steps, worlds)).rejects.toThrow();
      });
      return;
    }
    for (const step of steps) {
      const ofStep = differenceOf(step);
      if (ofStep !== undefined) {
        test(`${step.does}: differs, because ${ofStep}`, async () => {
          await expect(take(step, worlds, enginesOf(turn++))).rejects.toThrow();
        });
      } else test(step.does, () => take(step, worlds, enginesOf(turn++)));
    }
    if (steps.at(-1)?.errors) return;
    test("leaves no changes for the other engine", async () => {
      await take({ does: "nothing", plans: [] }, worlds, enginesOf(turn++));
    });
  });
}

/**
 * Runs steps in two worlds whose plans are not known in advance, then two plans without a change:
 * where the first one succeeds, the engines agree that the second one has nothing left to do, or
 * what. Calls `observe` with the result of each step. The details of diagnostics may differ.
 */
export async function conformsIn(
  [first, second]: readonly [Seat, Seat],
  steps: readonly Turn[],
  observe: (acted: Acted, step: number) => void = () => undefined,
): Promise<void> {
  const worlds = await Promise.all([World.open(first, {}), World.open(second, {})]);
  let count = 0;
  try {
    for (const turn of [...steps, {}, {}]) {
      const engines = enginesOf(count, turn.inFile);
      const acted = await act({ ...turn, summariesOnly: true }, worlds, engines);
      observe(acted, count);
      if (count++ === steps.length && acted.errors.length > 0) return;
    }
  } catch (error) {
    const { message } = error as Error;
    const received = count % 2 === 0 ? "the executor's" : "Terraform's";
    const where = `Step ${count + 1} of ${steps.length}, received is ${received}`;
    throw new Error(`${where}: ${message}`, { cause: error });
  } finally {
    await Promise.all(worlds.map((world) => world.close()));
  }
}

function enginesOf(turn: number, inFile = false): readonly [Engine, Engine] {
  const executor = inFile ? embeddedWithFiles : embedded;
  return turn % 2 === 0 ? [executor, terraform] : [terraform, executor];
}

async function takeAll(steps: readonly Step[], worlds: readonly [World, World]): Promise<void> {
  for (const [turn, step] of steps.entries()) await take(step, worlds, enginesOf(turn));
}

async function take(
  { plans, errors = [], after, ...turn }: Step,
  worlds: readonly [World, World],
  engines: readonly [Engine, Engine],
): Promise<void> {
  const acted = await act(turn, worlds, engines);
  expect(acted.planned).toEqual(plans);
  const expected = errors.map((text) => expect.stringContaining(text) as unknown);
  expect(acted.errors).toEqual(expected);
  for (const world of worlds) after?.(world);
}

/** The result that both engines have. */
export interface Acted {
  /** Undefined where planning fails. */
  readonly planned: readonly string[] | undefined;
  /** The errors of the plan and of the apply. */
  readonly errors: readonly string[];
  /** The summaries of the errors. */
  readonly summaries: readonly string[];
}

const NOTHING: Acted = {
  planned: undefined,
  errors: ["Terraform refuses to plan"],
  summaries: ["Terraform refuses to plan"],
};

/**
 * True where Terraform reports a cycle. The executor can order some of these plans, such as one that
 * sets create_before_destroy on an object and removes a dependency of it.
 */
function hasCycle({ diagnostics }: Planned): boolean {
  return diagnostics.some(({ text }) => text.startsWith("error Cycle: "));
}

/**
 * True where Terraform cannot read its own state: it moves objects to another type also where the
 * configuration does not declare the new address. The executor refuses such a move.
 */
function cannotRead({ diagnostics }: Planned): boolean {
  return diagnostics.some(({ text }) => text.startsWith("error no schema available for "));
}

/** Plans in both worlds and applies changes; fails where the worlds differ. */
async function act(
  {
    stack,
    before,
    commands = [],
    attempts = [],
    request = {},
    ordered = false,
    summariesOnly = false,
  }: Turn,
  worlds: readonly [World, World],
  engines: readonly [Engine, Engine],
): Promise<Acted> {
  const succeeded = await Promise.all(
    worlds.map(async (world, index) => {
      const engine = engineAt(engines, index);
      if (stack) world.write(stack);
      await before?.(world);
      for (const command of commands) await engine.command(world, command);
      const tried: boolean[] = [];
      for (const command of attempts) tried.push(await succeeds(engine.command(world, command)));
      return tried;
    }),
  );
  expect(succeeded[0]).toEqual(succeeded[1]);
  const both = worlds.map((world, index) => engineAt(engines, index).plan(world, request));
  const [one, other] = (await Promise.all(both)) as [Planned, Planned];
  try {
    if ([one, other].some(hasCycle)) return NOTHING;
    if ([one, other].some(cannotRead)) {
      expect([one.json, other.json]).toEqual([undefined, undefined]);
      return NOTHING;
    }
    const compared = [one, other].map(({ diagnostics }) =>
      comparedOf(diagnostics, request),
    ) as Pair;
    compareDiagnostics(...compared, summariesOnly);
    const planned = one.json && summaryOf(one.json);
    expect(planned).toEqual(other.json && summaryOf(other.json));
    expect(differences(one.json, other.json)).toEqual([]);
    const errors = [...onlyErrors(one.diagnostics)];
    if (one.applyable || other.applyable) {
      // OpenTofu prints no graph of a plan with ephemeral variables.
      const orders =
        ordered && !IS_TOFU ? await Promise.all([one.order(), other.order()]) : undefined;
      const applied = await Promise.all([one.apply(), other.apply()]);
      compareDiagnostics(onlyErrors(applied[0]), onlyErrors(applied[1]), summariesOnly);
      compareWorlds(worlds);
      if (orders) compareOrders(worlds, [one, other], orders);
      errors.push(...onlyErrors(applied[0]));
    } else compareWorlds(worlds);
    return { planned, errors: errors.map(({ text }) => text), summaries: summariesOf(errors) };
  } finally {
    await Promise.all([one.close(), other.close()]);
  }
}

/** Compares the orders and the events of both applies. The events must be in that order. */
function compareOrders(
  worlds: readonly [World, World],
  planned: readonly [Planned, Planned],
  orders: readonly [readonly string[], readonly string[]],
): void {
  const named = (lists: readonly (readonly string[])[]) =>
    lists.map((list, index) => list.map((text) => worlds[index]?.anonymous(text) ?? text).sort());
  const [one, other] = named(orders);
  expect(one).toEqual(other);
  const [happened, there] = named(planned.map(({ happenings }) => comparableEvents(happenings)));
  expect(happened).toEqual(there);
  const violated = planned.map(({ happenings }, at) => violations(orders[at] ?? [], happenings));
  expect(violated).toEqual([[], []]);
}

async function succeeds(command: Promise<void>): Promise<boolean> {
  return command.then(
    () => true,
    () => false,
  );
}

type Pair = [readonly ComparedDiagnostic[], readonly ComparedDiagnostic[]];

/** In a refresh-only plan, Terraform still calls the provider for objects that are removed. */
function comparedOf(
  diagnostics: readonly ComparedDiagnostic[],
  { mode }: Request,
): readonly ComparedDiagnostic[] {
  const compared = withoutReleases(diagnostics);
  if (mode !== "refresh-only") return compared;
  return compared.filter(
    ({ text }) => !/^warning (Console keeps its |License stays installed)/.test(text),
  );
}

/**
 * Leaves out warnings about secrets in plain text, which are only the executor's, and about later
 * releases. Terraform reports them for what it plans or reads: none
 * in a destroy, and later for a deferred data source. The executor validates the whole configuration.
 */
function withoutReleases(
  diagnostics: readonly ComparedDiagnostic[],
): readonly ComparedDiagnostic[] {
  return diagnostics.filter(
    ({ text }) => !/^warning (Secret in plain text: |.* release .*\(section [\d.]+\): )/.test(text),
  );
}

/** Terraform repeats the warnings of the plan when it applies. */
function onlyErrors(diagnostics: readonly ComparedDiagnostic[]): readonly ComparedDiagnostic[] {
  return diagnostics.filter(({ text }) => text.startsWith("error"));
}

/** The executor names a block where Terraform quotes the source. */
function compareDiagnostics(
  one: readonly ComparedDiagnostic[],
  other: readonly ComparedDiagnostic[],
  summariesOnly: boolean,
): void {
  if (summariesOnly && agree(summariesOf(one), summariesOf(other))) return;
  const texts = (
    diagnostics: readonly ComparedDiagnostic[],
    others: readonly ComparedDiagnostic[],
  ) => diagnostics.map(({ text }, index) => withoutHidden(text, others[index]?.text));
  expect(texts(one, other)).toEqual(texts(other, one));
  for (const [index, { address }] of one.entries()) {
    const theirs = other[index]?.address;
    if (address !== undefined && theirs !== undefined) expect(address).toBe(theirs);
  }
}

/** Hides the names that the executor hides in another text: Terraform gives a provider no marks. */
function withoutHidden(text: string, other = ""): string {
  const parts = other.split(HIDDEN).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join('"[^"]*"')}$`, "s").test(text) ? other : text;
}

const HIDDEN = "(sensitive value)";

/**
 * True where summaries are equal, or where both engines refuse for one reason and one of them has
 * found more: Terraform evaluates constant conditions before it plans, and reports nothing else.
 */
function agree(one: readonly string[], other: readonly string[]): boolean {
  const refuses = (summaries: readonly string[]) =>
    summaries.some((text) => text.startsWith("error"));
  if (refuses(one) && refuses(other)) {
    return one.some((text) => text.startsWith("error") && other.includes(text));
  }
  return one.join() === other.join();
}

/** Without repetitions, sorted. The executor warns of options that match nothing in its own words. */
function summariesOf(diagnostics: readonly ComparedDiagnostic[]): readonly string[] {
  const summaries = diagnostics.map(({ summary }) => summary);
  return [...new Set(summaries.filter((summary) => !MATCHES_NOTHING.test(summary)))].sort();
}

const MATCHES_NOTHING = /^warning (\w+ matches nothing|Incompletely-matched|Secret in plain text)/;

function compareWorlds([one, other]: readonly [World, World]): void {
  expect(one.state()).toBe(other.state());
  expect(one.contents()).toEqual(other.contents());
  expect(one.writes()).toEqual(other.writes());
}

function engineAt(engines: readonly [Engine, Engine], index: number): Engine {
  return index === 0 ? engines[0] : engines[1];
}
