import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasErrors } from "../../../src/core/diagnostics";
import { Session, type EngineEvent } from "../../../src/runtime";
import type { PlanDocument } from "../../../src/core/documents/plan-document";
import { formatSavedPlans, readSavedPlans } from "../../../src/runtime/saved-plan/format";
import type { SavedPlans } from "../../../src/runtime/saved-plan/save";
import { renderPlanJson } from "../../../src/formats/json/plan-json";
import { TestTerminal } from "../../cli/test-terminal";
import {
  comparable,
  comparableDiagnostics,
  type Engine,
  type Planned,
  type Request,
} from "./engine";
import { Happenings, orderInSteps } from "./order";
import { ENVIRONMENT } from "./stacks";
import type { World } from "./world";

/** The executor of this package, in process. */
export const embedded: Engine = { plan, command };

/** The same, which applies a plan that it wrote to a file: `plan --out`, `show --json`, `apply FILE`. */
export const embeddedWithFiles: Engine = { plan: planToFile, command };

async function plan(world: World, request: Request): Promise<Planned> {
  const deposed = world.deposed();
  const happenings = new Happenings(deposed);
  const session = await openPlan(world, request, happenings);
  const [document] = session.documents();
  return {
    ...(!hasErrors(session.diagnostics) && jsonOf(document, world, request)),
    diagnostics: comparableDiagnostics(session.diagnostics, world),
    apply: () => apply(session, world),
    order: () => Promise.resolve(orderInSteps(session.steps(), (key) => deposed.get(key))),
    happenings: happenings.list,
    close: () => close(session),
  };
}

async function planToFile(world: World, request: Request): Promise<Planned> {
  const deposed = world.deposed();
  const happenings = new Happenings(deposed);
  const session = await openPlan(world, request);
  const file = join(world.folder, "embedded.plan");
  const isRefused = hasErrors(session.diagnostics);
  if (!isRefused) {
    const options = { workingDirectory: world.folder, program: "test" };
    writeFileSync(file, formatSavedPlans(await session.save(), options));
  }
  await close(session);
  const saved = isRefused ? undefined : await readPlan(file, world);
  let resumed: Session | undefined;
  return {
    ...jsonOf(saved?.plans[0]?.document, world, request),
    diagnostics: comparableDiagnostics(session.diagnostics, world),
    async apply() {
      const options = optionsIn(world, happenings);
      resumed = await Session.resume(
        saved ?? { plans: [], seals: [], providers: { salt: "", seals: [] } },
        options,
      );
      return resumed.applicable
        ? apply(resumed, world)
        : comparableDiagnostics(resumed.diagnostics, world);
    },
    order: () => Promise.resolve(orderInSteps(session.steps(), (key) => deposed.get(key))),
    happenings: happenings.list,
    close: () => (resumed ? close(resumed) : Promise.resolve()),
  };
}

async function readPlan(file: string, { seat, folder }: World): Promise<SavedPlans | undefined> {
  const providers = seat.providers(() => undefined);
  const { saved, diagnostics } = await readSavedPlans(readFileSync(file), file, providers, folder);
  expect(diagnostics).toEqual([]);
  return saved;
}

function openPlan(world: World, request: Request, happenings?: Happenings): Promise<Session> {
  return Session.plan({ outDir: world.outDir, ...optionsIn(world, happenings), ...request });
}

function optionsIn(world: World, happenings?: Happenings) {
  const environment = { PATH: process.env.PATH, ...ENVIRONMENT };
  return {
    variables: { environment, directories: [world.stackFolder], given: [] },
    providers: world.seat.providers(() => undefined),
    environment,
    ...(happenings && {
      observe: (event: EngineEvent) => {
        happenings.add(event);
      },
    }),
  };
}

function jsonOf(
  document: PlanDocument | undefined,
  world: World,
  request: Request,
): Partial<Planned> {
  return document ? comparable(renderPlanJson(document), world, request) : {};
}

async function apply(session: Session, world: World): ReturnType<Planned["apply"]> {
  const { stacks, diagnostics } = await session.apply();
  return comparableDiagnostics(
    [...diagnostics, ...stacks.flatMap((stack) => stack.diagnostics)],
    world,
  );
}

async function close(session: Session): Promise<void> {
  expect(await session.close()).toEqual([]);
}

/** By the command line, which wants the stack's name for an import. */
async function command(world: World, words: string): Promise<void> {
  const terminal = new TestTerminal({ directory: world.folder, environment: ENVIRONMENT });
  const argv = words.replace(/^import /, "import prod ").split(" ");
  const code = await terminal.run(...argv, "--out-dir", world.outDir);
  if (code !== 0) throw new Error(`${words}: ${terminal.out}${terminal.err}`);
}
