/**
 * Tests of stacks: an embedded console, and the executor to plan and apply on it. Entry point
 * `cdktf-console/testing`.
 *
 *     expect.extend(matchers);
 *
 *     await using console = await startTestConsole(); // or console.close() at the end
 *     const first = await applyStacks(app, console.environment);
 *     expect(first).toCreate("cwp_license");
 *     expect(await planStacks(app, console.environment)).toPlanNoChanges();
 *     expect(console).toHavePolicyOrder(["No root in production", "Everything else"]);
 */
import type { App } from "cdktf";
import { loadOptionsOf } from "./automation/settings";
import { withSession } from "./automation/with-session";
import type { Environment } from "./core/environment";
import { formatPath, type Diagnostic } from "./core/diagnostics";
import { Session, type StackPlan } from "./runtime";
import { startSimulator, type Console, type SimulatorOptions } from "./simulator";

export { matchers } from "./testing/matchers";
export { countChanges, hasChanges, type ResourceChange, type StackPlan } from "./runtime";
export type { Diagnostic } from "./core/diagnostics";

/**
 * A console that serves on a local port until `close`, or until the end of a block with `await using`.
 * It does not keep the process running: a test that fails before it closes the console ends.
 */
export interface TestConsole extends AsyncDisposable {
  /** Base address, without a trailing slash. */
  readonly url: string;
  /** File of the certificate authority to trust. */
  readonly caFile: string;
  /** Environment for stacks: CONSOLE_URL, CONSOLE_CA_FILE, CONSOLE_USERNAME and test-only secrets. */
  readonly environment: Readonly<Record<string, string>>;
  /** The console itself, to inspect it and to make changes outside of the stacks. */
  readonly console: Console;
  /** Names of the compliance policies, in the order in which the console applies them. */
  policyNames(): readonly string[];
  close(): Promise<void>;
}

/** Starts a new console on a free local port. `options` as for `startSimulator`. */
export async function startTestConsole(options: SimulatorOptions = {}): Promise<TestConsole> {
  const simulator = await startSimulator({ ...options, background: true });
  const [{ url, console }] = simulator.consoles;
  return {
    url,
    caFile: simulator.caFile,
    console,
    environment: {
      CONSOLE_URL: url,
      CONSOLE_CA_FILE: simulator.caFile,
      CONSOLE_USERNAME: options.signedUp?.username ?? "admin",
      CONSOLE_PASSWORD: options.signedUp?.password ?? "test-only-password",
      CONSOLE_LICENSE_KEY: "test-only-license",
    },
    policyNames: () => console.policies().map(({ name }) => String(name)),
    close: () => simulator.close(),
    [Symbol.asyncDispose]: () => simulator.close(),
  };
}

/** Result of a run. */
export interface TestRun {
  /** Plans of the app's stacks, made before anything was applied. */
  readonly plans: readonly StackPlan[];
  /** Warnings. Errors reject. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Synthesizes the app and plans its stacks. Rejects with the error diagnostics as one text. */
export async function planStacks(app: App, environment: Environment): Promise<TestRun> {
  return run(app, environment, () => Promise.resolve([]));
}

/** Synthesizes the app, then plans and applies its stacks. Rejects as `planStacks`. */
export async function applyStacks(app: App, environment: Environment): Promise<TestRun> {
  return run(app, environment, async (session) => {
    const { stacks } = await session.apply();
    return stacks.flatMap(({ diagnostics }) => diagnostics);
  });
}

async function run(
  app: App,
  environment: Environment,
  after: (session: Session) => Promise<readonly Diagnostic[]>,
): Promise<TestRun> {
  app.synth();
  const settings = loadOptionsOf({ outDir: app.outdir, environment });
  return withSession(
    Session.plan(settings),
    async (session) => {
      const planned = refuseErrors(session.diagnostics);
      const diagnostics = [...planned, ...refuseErrors(await after(session))];
      return { plans: session.plans, diagnostics };
    },
    () => undefined,
  );
}

function refuseErrors(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return diagnostics;
  const texts = errors.map(({ address = "", path = [], summary, detail }) =>
    [`${summary}: ${address} ${formatPath(path)}`.trim(), detail].join("\n"),
  );
  throw new Error(texts.join("\n\n"));
}
