import { builtInProviders } from "../../../src/provider/built-in";
import { Session } from "../../../src/runtime";
import { renderPlanJson } from "../../../src/runtime/review/plan-json/plan-json";
import { SECRETS } from "../../cli/stack-files";
import { comparable, line, type Engine } from "./engine";

/** The executor of this package, in process. */
export const embedded: Engine = async (world, request) => {
  const environment = { PATH: process.env.PATH, ...SECRETS };
  const session = await Session.plan({
    outDir: world.outDir,
    variables: { environment, directories: [], given: [] },
    providers: builtInProviders(() => undefined),
    environment,
    ...request,
  });
  const [document] = session.documents();
  const lines = (diagnostics: Parameters<typeof line>[0][]) =>
    [...new Set(diagnostics.map((one) => line(one, world)))].sort();
  return {
    json: document && comparable(renderPlanJson(document), world),
    diagnostics: lines([...session.diagnostics]),
    async apply() {
      const { stacks, diagnostics } = await session.apply();
      return lines([...diagnostics, ...stacks.flatMap((stack) => stack.diagnostics)]);
    },
    async close() {
      expect(await session.close()).toEqual([]);
    },
  };
};
