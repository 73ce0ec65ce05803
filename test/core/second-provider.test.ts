import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Provider } from "../../src/core/provider";
import { serveReattach } from "../../src/plugin/serve-reattach";
import { importObject } from "../../src/runtime";
import { Bench, type StackJson } from "../runtime/engine/bench";
import { describeWithTerraform } from "../support/terraform";
import { TerraformProject } from "../support/terraform-project";
import { notesProvider } from "./notes-provider";

/*
 * The engine's half alone runs another provider, under the embedded executor and, by the plugin, under
 * Terraform.
 */

interface Engine {
  /** A folder for notes. */
  readonly folder: string;
  /** Applies the stack, and returns the number of changed resources. */
  apply(stack: StackJson): Promise<number>;
  import(stack: StackJson, address: string, id: string): Promise<void>;
  forget(): void;
  state(): string;
  close(): Promise<void>;
}

const REQUIRED = { required_providers: { notes: { source: "test/notes" } } };
const PASSWORD = "correct-horse-battery";

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
      const imported = { outDir: bench.outDir, providers, variables, stack: "main", address, id };
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

async function underTerraform(): Promise<Engine> {
  const provider = new Provider<unknown>(notesProvider);
  const served = await serveReattach({ provider, log: () => undefined });
  const source = "registry.terraform.io/test/notes";
  const project = await TerraformProject.open({
    TF_REATTACH_PROVIDERS: JSON.stringify({ [source]: served.reattachment }),
  });
  const state = join(project.directory, "terraform.tfstate");
  const write = async (stack: StackJson) => {
    project.write({ ...stack, terraform: REQUIRED });
    await project.succeed("init");
  };
  return {
    folder: project.directory,
    async apply(stack) {
      await write(stack);
      const out = await project.succeed("apply -auto-approve");
      const counts = /(\d+) added, (\d+) changed, (\d+) destroyed/.exec(out)?.slice(1) ?? [];
      return counts.reduce((sum, count) => sum + Number(count), 0);
    },
    async import(stack, address, id) {
      await write(stack);
      await project.succeed(`import ${address} ${id}`);
    },
    forget: () => {
      rmSync(state);
    },
    state: () => readFileSync(state, "utf8"),
    close: () => served.close(),
  };
}

function livesWith(open: () => Promise<Engine>): void {
  test("plans, applies, finds drift, imports and destroys", async () => {
    const engine = await open();
    const folder = join(engine.folder, "notes");
    mkdirSync(folder);
    const file = (name: string) => join(folder, name);
    const provider = { notes: { folder } };
    const note = { name: "first", text: "one", password: PASSWORD, password_version: "1" };
    const stack = (more: object): StackJson => ({
      provider,
      resource: { notes_note: { n: { ...note, ...more } } },
      data: { notes_folder: { all: { depends_on: ["notes_note.n"] } } },
      output: { names: { value: '${join(",", data.notes_folder.all.names)}' } },
    });

    expect(await engine.apply(stack({}))).toBe(1);
    expect(readFileSync(file("first"), "utf8")).toBe("one");
    expect(readFileSync(file(".first"), "utf8")).toBe(PASSWORD);
    expect(engine.state()).not.toContain(PASSWORD);
    expect(engine.state()).toMatch(/"value": ?"first"/);
    expect(await engine.apply(stack({}))).toBe(0);

    expect(await engine.apply(stack({ text: "two" }))).toBe(1);
    writeFileSync(file("first"), "drifted");
    expect(await engine.apply(stack({ text: "two" }))).toBe(1);
    expect(readFileSync(file("first"), "utf8")).toBe("two");

    engine.forget();
    const imported = stack({ text: "two", password: null, password_version: null });
    await engine.import(imported, "notes_note.n", "first");
    expect(await engine.apply(imported)).toBe(0);

    await engine.apply({ provider });
    expect(existsSync(file("first"))).toBe(false);
    expect(existsSync(file(".first"))).toBe(false);
    await engine.close();
  });
}

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

describeWithTerraform("the second provider under Terraform", () => {
  livesWith(underTerraform);
});
