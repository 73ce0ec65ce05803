import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInProviders } from "../../../src/provider/built-in";
import type { Diagnostic } from "../../../src/core/diagnostics";
import { Session, type PlanOptions, type StackPlan } from "../../../src/runtime";
import { startSimulator, type Simulator, type SimulatorOptions } from "../../../src/simulator";
import { startCli, type Ended, type Running } from "./bundle";
import { place, type Synthesized } from "./synthesized";

/** The result of a plan or an apply in process. */
export interface Outcome {
  /** The planned changes: `ADDRESS ACTION`, `output.NAME ACTION`. */
  readonly changes: readonly string[];
  /** The addresses of drifted objects. */
  readonly drift: readonly string[];
  /** `ADDRESS SUMMARY` and detail of each error. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

export const NOTHING: Outcome = { changes: [], drift: [], errors: [], warnings: [] };

/** A console and the folder of its stacks. */
export class Tenant {
  readonly folder = mkdtempSync(join(tmpdir(), "cdktf-console-e2e-"));
  readonly outDir = join(this.folder, "cdktf.out");
  environment: Record<string, string> = {
    CONSOLE_PASSWORD: "correct-horse-battery",
    CONSOLE_LICENSE_KEY: "license-key-of-high-entropy",
  };

  private constructor(private simulator: Simulator) {}

  static async open(synthesized: Synthesized, options: SimulatorOptions = {}): Promise<Tenant> {
    const tenant = new Tenant(await startSimulator(options));
    tenant.use(synthesized);
    return tenant;
  }

  /** Replaces the stacks. */
  use(synthesized: Synthesized): void {
    rmSync(this.outDir, { recursive: true, force: true });
    place(synthesized, this.folder, { url: this.url, caFile: this.simulator.caFile });
  }

  /** Restarts the console with other options on the same port. */
  async restart(options: SimulatorOptions): Promise<void> {
    const { port } = new globalThis.URL(this.url);
    const { caFile } = this.simulator;
    await this.simulator.close();
    this.simulator = await startSimulator({ ...options, port: Number(port), caFile });
  }

  get url() {
    return this.simulator.consoles[0].url;
  }

  get console() {
    return this.simulator.consoles[0].console;
  }

  get policyNames(): readonly unknown[] {
    return this.console.policies().map(({ name }) => name);
  }

  /** The requests since the last call, as `PUT /api/v1/…`. */
  requests(): readonly string[] {
    return this.console.requests.splice(0).map(({ method, path }) => `${method} ${path}`);
  }

  /** The requests since the last call that may have an effect. */
  writes(): readonly string[] {
    return this.requests().filter(
      (request) =>
        // Only the scan is a GET with an effect.
        !/^GET |^POST \/api\/v1\/authenticate/.test(request) || request.endsWith("/scan"),
    );
  }

  /** Opens a session in process, which must be closed. */
  session(options: Partial<PlanOptions> = {}): Promise<Session> {
    const environment = { PATH: process.env.PATH, ...this.environment };
    return Session.plan({
      outDir: this.outDir,
      variables: { environment, directories: [], given: [] },
      providers: builtInProviders(() => undefined),
      environment,
      ...options,
    });
  }

  async plan(options: Partial<PlanOptions> = {}): Promise<Outcome> {
    const session = await this.session(options);
    return outcome(session.plans, [...session.diagnostics, ...(await session.close())]);
  }

  /** Plans and, if that succeeds, applies. */
  async apply(options: Partial<PlanOptions> = {}): Promise<Outcome> {
    const session = await this.session(options);
    const diagnostics = [...session.diagnostics];
    if (session.applicable) {
      const { stacks } = await session.apply();
      diagnostics.push(...stacks.flatMap((stack) => stack.diagnostics));
    }
    return outcome(session.plans, [...diagnostics, ...(await session.close())]);
  }

  destroy(): Promise<Outcome> {
    return this.apply({ mode: "destroy" });
  }

  /** Starts the command line in the folder, with its stacks. */
  start(command: string): Running {
    return startCli([...command.split(" "), "--out-dir", this.outDir], {
      cwd: this.folder,
      environment: this.environment,
    });
  }

  run(command: string): Promise<Ended> {
    return this.start(command).ended;
  }

  /** The names of the files next to cdktf.out: states, backups, journals, locks. */
  files(): readonly string[] {
    return readdirSync(this.folder)
      .filter((name) => name !== "cdktf.out")
      .sort();
  }

  /** The contents of the files, by name. */
  contents(): Readonly<Record<string, string>> {
    const files = this.files().filter((name) => statSync(join(this.folder, name)).isFile());
    return Object.fromEntries(
      files.map((name) => [name, readFileSync(join(this.folder, name), "utf8")]),
    );
  }

  statePath(stack: string): string {
    return join(this.folder, `terraform.${stack}.tfstate`);
  }

  /** The text of a state; undefined where there is none. */
  state(stack: string): string | undefined {
    const path = this.statePath(stack);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  }

  async close(): Promise<void> {
    await this.simulator.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function outcome(plans: readonly StackPlan[], diagnostics: readonly Diagnostic[]): Outcome {
  const texts = (severity: Diagnostic["severity"]) =>
    diagnostics
      // The lint has its own tests: most sets here have one scope only, of which it warns.
      .filter((diagnostic) => diagnostic.severity === severity && !diagnostic.isFinding)
      .map(({ address = "", summary, detail }) => `${address} ${summary}\n${detail}`.trim());
  return {
    changes: plans.flatMap((plan) => [
      ...plan.changes
        .filter(({ action }) => action !== "no-op")
        .map(({ address, action }) => `${address} ${action}`),
      ...plan.outputs
        .filter(({ action }) => action !== "no-op")
        .map(({ name, action }) => `output.${name} ${action}`),
    ]),
    drift: plans.flatMap(({ drift }) => drift.map(({ address }) => address)),
    errors: texts("error"),
    // The plan does not repeat the warnings of the validation.
    warnings: [...new Set(texts("warning"))],
  };
}
