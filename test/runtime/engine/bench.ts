import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nullProvider } from "../../../src/core/providers/null-provider";
import { terraformProvider } from "../../../src/core/providers/terraform-provider";
import { Provider } from "../../../src/core/provider";
import { Session, type EngineEvent, type PlanOptions } from "../../../src/runtime";
import type { StackPlan } from "../../../src/core/documents/stack-plan";
import { readState } from "../../../src/formats/state-file/read";
import type { State } from "../../../src/core/documents/state";
import { memoryProvider, World } from "./memory-provider";
import { nonEmptyBlocks } from "../../support/non-empty-blocks";

/** The blocks of a cdk.tf.json. */
export type StackJson = Record<string, unknown>;

const REQUIRED = {
  memory: { source: "test/memory" },
  null: { source: "null" },
};

/** A folder with synthesized stacks, and the world that they are applied to. */
export class Bench {
  readonly world = new World();
  readonly worlds = new Map([["default", this.world]]);
  readonly events: EngineEvent[] = [];
  environment: Record<string, string | undefined> = { PATH: process.env.PATH };

  private constructor(readonly outDir: string) {}

  static async open(): Promise<Bench> {
    return new Bench(await mkdtemp(join(tmpdir(), "engine-")));
  }

  async close(): Promise<void> {
    await rm(this.outDir, { recursive: true, force: true });
  }

  /** Writes what a synth would; a stack is named by its key. */
  async synth(
    stacks: Record<string, StackJson>,
    dependencies: Record<string, readonly string[]> = {},
  ): Promise<void> {
    const entries = Object.keys(stacks).map((name) => [
      name,
      {
        name,
        constructPath: name,
        synthesizedStackPath: `stacks/${name}/cdk.tf.json`,
        workingDirectory: `stacks/${name}`,
        annotations: [],
        dependencies: dependencies[name] ?? [],
      },
    ]);
    await mkdir(this.outDir, { recursive: true });
    const manifest = { version: "0.21.0", stacks: Object.fromEntries(entries) as unknown };
    await writeFile(join(this.outDir, "manifest.json"), JSON.stringify(manifest));
    for (const [name, json] of Object.entries(stacks)) {
      const directory = join(this.outDir, "stacks", name);
      await mkdir(directory, { recursive: true });
      const terraform = {
        required_providers: REQUIRED,
        backend: { local: { path: this.statePath(name) } },
        ...(json.terraform as object | undefined),
      };
      await writeFile(
        join(directory, "cdk.tf.json"),
        JSON.stringify({ ...nonEmptyBlocks(json), terraform }),
      );
    }
  }

  statePath(stack: string): string {
    return join(this.outDir, `terraform.${stack}.tfstate`);
  }

  get providers(): ReadonlyMap<string, Provider<unknown>> {
    return new Map<string, Provider<unknown>>([
      ["test/memory", memoryProvider(this.worlds)],
      ["hashicorp/null", new Provider(nullProvider)],
      [terraformProvider.source, new Provider(terraformProvider)],
    ]);
  }

  async plan(options: Partial<PlanOptions> = {}): Promise<Session> {
    return Session.plan({
      outDir: this.outDir,
      variables: { environment: this.environment, directories: [], given: [] },
      providers: this.providers,
      environment: this.environment,
      observe: (event) => this.events.push(event),
      ...options,
    });
  }

  /** Plans and closes. */
  async planOnly(options: Partial<PlanOptions> = {}) {
    const session = await this.plan(options);
    await session.close();
    return { session, plan: summary(session.plans), problems: problems(session.diagnostics) };
  }

  /** Plans, applies and closes. Throws where the plan has errors. */
  async apply(options: Partial<PlanOptions> = {}) {
    const session = await this.plan(options);
    try {
      if (!session.applicable) throw new Error(problems(session.diagnostics).join("\n"));
      const { stacks, interrupted } = await session.apply();
      return {
        plan: summary(session.plans),
        stacks,
        interrupted,
        problems: stacks.flatMap(({ diagnostics }) => problems(diagnostics)),
      };
    } finally {
      await session.close();
    }
  }

  async state(stack = "main"): Promise<State> {
    const { state, diagnostics } = readState(await readFile(this.statePath(stack)), stack);
    if (!state) throw new Error(problems(diagnostics).join("\n"));
    return state;
  }
}

/** `address action` of everything that changes. */
export function summary(plans: readonly StackPlan[]): readonly string[] {
  return plans.flatMap(({ changes, outputs }) => [
    ...changes
      .filter(({ action }) => action !== "no-op")
      .map(({ address, action, reason, deposed }) =>
        [address, deposed && "deposed", action, reason].filter(Boolean).join(" "),
      ),
    ...outputs
      .filter(({ action }) => action !== "no-op")
      .map(({ name, action }) => `output.${name} ${action}`),
  ]);
}

/** `address: summary` of errors and warnings. */
export function problems(diagnostics: Session["diagnostics"]): readonly string[] {
  return diagnostics.map(({ address, summary: text }) => (address ? `${address}: ${text}` : text));
}
