import type { StackJson } from "../../cli/stack-files";
import type { Synthesized } from "../../e2e/support/synthesized";
import { differences } from "./differences";
import { embedded } from "./embedded";
import { summaryOf, type Engine, type Planned, type Request, type Told } from "./engine";
import { openSeats, type Seat } from "./seat";
import { terraform } from "./terraform";
import { World, type WorldOptions } from "./world";

/** What is done to a world before it is planned, and how. */
export interface Turn {
  /** Default: that of the step before. */
  readonly stack?: StackJson | Synthesized;
  /** What somebody does to the console by hand. */
  readonly before?: (world: World) => Promise<unknown> | undefined;
  /** Commands of Terraform's that change the state, run by each engine after that. */
  readonly commands?: readonly string[];
  readonly request?: Request;
}

/** A turn, what is planned then, and what comes of the apply. */
export interface Step extends Turn {
  /** What happens, for the test's name. */
  readonly does: string;
  /** What both plan, in Terraform's order: see `summaryOf`. Undefined: there is no plan. */
  readonly plans?: readonly string[];
  /** Parts of the errors that both tell, of the plan or of the apply. Default: there are none. */
  readonly errors?: readonly string[];
  /** What is true of both worlds after it. */
  readonly after?: (world: World) => void;
}

/**
 * A case: the same steps in two worlds, each with an engine at work. The engines change places
 * after every step, so that each goes on from what the other left. After each step plan, console
 * and state are the same in both; in the end each finds nothing to do in the other's world.
 */
export function conforms(
  promise: string,
  steps: readonly Step[],
  options: WorldOptions = {},
): void {
  describe(promise, () => {
    let worlds: readonly [World, World];
    let turn = 0;

    beforeAll(async () => {
      const [one, other] = await openSeats();
      worlds = await Promise.all([World.open(one, options), World.open(other, options)]);
    });
    afterAll(() => Promise.all(worlds.map((world) => world.close())));

    for (const step of steps) {
      test(step.does, () => take(step, worlds, enginesOf(turn++)));
    }
    if (steps.at(-1)?.errors) return;
    test("leaves nothing to do for the other engine", async () => {
      await take({ does: "nothing", plans: [] }, worlds, enginesOf(turn++));
    });
  });
}

/**
 * The same for steps that are made at random: nothing is said of what they plan, but where the last
 * one went well there is nothing left to do.
 */
export async function conformsIn(
  [first, second]: readonly [Seat, Seat],
  steps: readonly Turn[],
): Promise<void> {
  const worlds = await Promise.all([World.open(first, {}), World.open(second, {})]);
  let count = 0;
  let turn: Turn = {};
  try {
    for (turn of steps) await act(turn, worlds, enginesOf(count++));
    const last = await act((turn = {}), worlds, enginesOf(count++));
    if (last.errors.length > 0) return;
    expect((await act({}, worlds, enginesOf(count))).planned).toEqual([]);
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`Turn ${count}: ${JSON.stringify(turn)}: ${message}`, { cause: error });
  } finally {
    await Promise.all(worlds.map((world) => world.close()));
  }
}

function enginesOf(turn: number): readonly [Engine, Engine] {
  return turn % 2 === 0 ? [embedded, terraform] : [terraform, embedded];
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

/** What both engines did. */
interface Acted {
  /** Undefined: there is no plan. */
  readonly planned: readonly string[] | undefined;
  /** Of the plan and of the apply. */
  readonly errors: readonly string[];
}

const NOTHING: Acted = { planned: undefined, errors: ["Terraform refuses to plan"] };

/**
 * Whether Terraform finds no order for the changes: some that it plans as cycles have one here, such
 * as those of an object that is now to be replaced the new one first, while what it needed goes.
 */
function hasCycle({ diagnostics }: Planned): boolean {
  return diagnostics.some(({ text }) => text.startsWith("error Cycle: "));
}

/**
 * Whether the configuration cannot be planned. Terraform begins a destroy with a plan that nobody
 * sees; where that is refused it destroys nothing, and we do.
 */
async function isRefused(world: World): Promise<boolean> {
  const planned = await embedded.plan(world, {});
  await planned.close();
  return planned.json === undefined;
}

/** Plans in both worlds and, where there is something to do, applies; fails where they differ. */
async function act(
  { stack, before, commands = [], request = {} }: Turn,
  worlds: readonly [World, World],
  engines: readonly [Engine, Engine],
): Promise<Acted> {
  await Promise.all(
    worlds.map(async (world, index) => {
      if (stack) world.write(stack);
      await before?.(world);
      for (const command of commands) await engineAt(engines, index).command(world, command);
    }),
  );
  if (request.mode === "destroy" && (await isRefused(worlds[0]))) return NOTHING;
  const both = worlds.map((world, index) => engineAt(engines, index).plan(world, request));
  const [one, other] = (await Promise.all(both)) as [Planned, Planned];
  try {
    if ([one, other].some(hasCycle)) return NOTHING;
    const told = [one, other].map(({ diagnostics }) => comparedOf(diagnostics, request)) as Pair;
    compareDiagnostics(...told);
    const planned = one.json && summaryOf(one.json);
    expect(planned).toEqual(other.json && summaryOf(other.json));
    expect(differences(one.json, other.json)).toEqual([]);
    const errors = [...onlyErrors(one.diagnostics)];
    if (one.applyable || other.applyable) {
      const applied = await Promise.all([one.apply(), other.apply()]);
      compareDiagnostics(onlyErrors(applied[0]), onlyErrors(applied[1]));
      compareWorlds(worlds);
      errors.push(...onlyErrors(applied[0]));
    } else compareWorlds(worlds);
    return { planned, errors: errors.map(({ text }) => text) };
  } finally {
    await Promise.all([one.close(), other.close()]);
  }
}

type Pair = [readonly Told[], readonly Told[]];

/** Where it only looks Terraform asks all the same what will stay when something ends. */
function comparedOf(told: readonly Told[], { mode }: Request): readonly Told[] {
  const compared = withoutReleases(told);
  if (mode !== "refresh-only") return compared;
  return compared.filter(({ text }) => !text.startsWith("warning The console keeps its "));
}

/**
 * What a configuration means for later releases Terraform asks of what it plans or reads, and we of
 * the whole configuration: nothing in a destroy, and later where a data source waits.
 */
function withoutReleases(told: readonly Told[]): readonly Told[] {
  return told.filter(({ text }) => !/^warning .* release .*\(section [\d.]+\): /.test(text));
}

/** Terraform plans again when it applies, and so repeats what it warned of. */
function onlyErrors(told: readonly Told[]): readonly Told[] {
  return told.filter(({ text }) => text.startsWith("error"));
}

/** Ours name a block where Terraform shows the source. */
function compareDiagnostics(one: readonly Told[], other: readonly Told[]): void {
  const texts = (told: readonly Told[]) => told.map(({ text }) => text);
  expect(texts(one)).toEqual(texts(other));
  for (const [index, { address }] of one.entries()) {
    const theirs = other[index]?.address;
    if (address !== undefined && theirs !== undefined) expect(address).toBe(theirs);
  }
}

function compareWorlds([one, other]: readonly [World, World]): void {
  expect(one.state()).toBe(other.state());
  expect(one.contents()).toEqual(other.contents());
  expect(one.writes()).toEqual(other.writes());
}

function engineAt(engines: readonly [Engine, Engine], index: number): Engine {
  return index === 0 ? engines[0] : engines[1];
}
