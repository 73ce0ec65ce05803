import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Provider } from "../../src/core/provider";
import { importObject } from "../../src/runtime";
import { Bench, type StackJson } from "../runtime/engine/bench";
import { livesWith, REQUIRED, type Engine } from "./notes-engine";
import { notesProvider } from "./notes-provider";

/*
 * The engine's half alone runs another provider under the embedded executor. Terraform runs it in
 * second-provider-terraform.test.ts.
 */

async function embedded(): Promise<Engine> {
  const bench = await Bench.open();
  const providers = new Map([[notesProvider.source, new Provider<unknown>(notesProvider)]]);
  const write = (stack: StackJson) =>
    bench.synth({ main: { ...stack, terraform: { backend: local(bench), ...REQUIRED } } });
  return {
    folder: bench.outDir,
    async apply(stack) {
      await write(stack);
      const { plan } = await bench.apply({ providers });
      return plan.filter((change) => change.startsWith("notes_note")).length;
    },
    async import(stack, address, id) {
      await write(stack);
      const variables = { environment: {}, directories: [], given: [] };
      const imported = {
        outDir: bench.outDir,
        providers,
        variables,
        stacks: ["main"],
        address,
        id,
      };
      expect((await importObject(imported)).diagnostics).toEqual([]);
    },
    forget: () => {
      rmSync(bench.statePath("main"));
    },
    state: () => readFileSync(bench.statePath("main"), "utf8"),
    close: () => bench.close(),
  };
}

const local = (bench: Bench) => ({ local: { path: bench.statePath("main") } });

test("has at most 80 lines, and imports the engine's half only", () => {
  const source = readFileSync(join(__dirname, "notes-provider.ts"), "utf8");
  expect(source.split("\n").length - 1).toBeLessThanOrEqual(80);
  for (const [, from] of source.matchAll(/from "([^"]+)"/g)) {
    expect(from).toMatch(/^node:|^\.\.\/\.\.\/src\/core\//);
  }
});

describe("the second provider under the embedded executor", () => {
  livesWith(embedded);
});
