import { hasErrors } from "../../../src/provider/diagnostics";
import { Session } from "../../../src/runtime";
import { renderPlanJson } from "../../../src/review/json/plan-json";
import { TestTerminal } from "../../cli/test-terminal";
import {
  comparable,
  comparableDiagnostics,
  type Engine,
  type Planned,
  type Request,
} from "./engine";
import { ENVIRONMENT } from "./stacks";
import type { World } from "./world";

/** The executor of this package, in process. */
export const embedded: Engine = { plan, command };

async function plan(world: World, request: Request): Promise<Planned> {
  const environment = { PATH: process.env.PATH, ...ENVIRONMENT };
  const session = await Session.plan({
    outDir: world.outDir,
    variables: { environment, directories: [world.stackFolder], given: [] },
    providers: world.seat.providers(() => undefined),
    environment,
    ...request,
  });
  const [document] = session.documents();
  return {
    ...(document &&
      !hasErrors(session.diagnostics) &&
      comparable(renderPlanJson(document), world, request)),
    diagnostics: comparableDiagnostics(session.diagnostics, world),
    async apply() {
      const { stacks, diagnostics } = await session.apply();
      return comparableDiagnostics(
        [...diagnostics, ...stacks.flatMap((stack) => stack.diagnostics)],
        world,
      );
    },
    async close() {
      expect(await session.close()).toEqual([]);
    },
  };
}

/** By the command line, which wants the stack's name for an import. */
async function command(world: World, words: string): Promise<void> {
  const terminal = new TestTerminal({ directory: world.folder, environment: ENVIRONMENT });
  const argv = words.replace(/^import /, "import prod ").split(" ");
  const code = await terminal.run(...argv, "--out-dir", world.outDir);
  if (code !== 0) throw new Error(`${words}: ${terminal.out}${terminal.err}`);
}
