/**
 * What tests of a stack need: an embedded console, and the executor to plan and apply on it. The
 * entry point `cdktf-console/testing`.
 *
 *     const console = await startTestConsole();
 *     const first = await applyStacks(app, console.environment);
 *     const second = await planStacks(app, console.environment);
 *     expect(second.plans.some(hasChanges)).toBe(false);
 *     expect(console.policyNames()).toEqual(["No root in production", "Everything else"]);
 *     await console.close();
 */
import type { App } from "cdktf";
import { builtInProviders } from "./provider/built-in";
import type { Environment } from "./provider/definitions/provider-definition";
import { formatPath, type Diagnostic } from "./provider/diagnostics";
import { Session, type StackPlan } from "./runtime";
import { startSimulator, type Console, type SimulatorOptions } from "./simulator";

export { countChanges, hasChanges, type ResourceChange, type StackPlan } from "./runtime";
export type { Diagnostic } from "./provider/diagnostics";

/** A console that serves on a port of this machine until `close`. */
export interface TestConsole {
  /** The base address, without a slash at the end. */
  readonly url: string;
  /** The file with the authority to trust. */
  readonly caFile: string;
  /** What stacks read: CONSOLE_URL, CONSOLE_CA_FILE, CONSOLE_USERNAME and secrets of its own. */
  readonly environment: Readonly<Record<string, string>>;
  /** The console itself, to look into and to edit as somebody else would. */
  readonly console: Console;
  /** The compliance policies' names, in the order in which the console applies them. */
  policyNames(): readonly string[];
  close(): Promise<void>;
}

/** A fresh console on a free port of this machine; `options` as for `startSimulator`. */
export async function startTestConsole(options: SimulatorOptions = {}): Promise<TestConsole> {
  const simulator = await startSimulator(options);
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
  };
}

/** What a test looks at after a run. */
export interface TestRun {
  /** Of the app's stacks, as made before anything was applied. */
  readonly plans: readonly StackPlan[];
  /** Warnings only: an error rejects. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Synthesizes the app and plans its stacks. Rejects with all error diagnostics as one text. */
export async function planStacks(app: App, environment: Environment): Promise<TestRun> {
  return run(app, environment, () => Promise.resolve([]));
}

/** The same, then applies the plans. */
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
  const session = await Session.plan({
    outDir: app.outdir,
    variables: { environment, directories: [], given: [] },
    providers: builtInProviders(() => undefined),
    environment,
  });
  try {
    const planned = refuseErrors(session.diagnostics);
    return {
      plans: session.plans,
      diagnostics: [...planned, ...refuseErrors(await after(session))],
    };
  } finally {
    await session.close();
  }
}

function refuseErrors(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return diagnostics;
  const texts = errors.map(({ address = "", path = [], summary, detail }) =>
    [`${summary}: ${address} ${formatPath(path)}`.trim(), detail].join("\n"),
  );
  throw new Error(texts.join("\n\n"));
}
