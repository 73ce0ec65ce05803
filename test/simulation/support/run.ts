import { hasErrors, type Diagnostic } from "../../../src/core/diagnostics";
import type { Log } from "../../../src/core/io/log";
import { world, type World } from "../../../src/core/io/world";
import { Rollout } from "../../../src/fleet/rollout/rollout";
import { parseWaves, planWaves } from "../../../src/fleet/rollout/waves";
import { builtInProviders } from "../../../src/provider/built-in";
import { configure } from "../../../src/provider/configuration/configure";
import { cwpProvider } from "../../../src/provider/cwp-provider";
import { hasChanges, Session, type PlanOptions, type StackPlan } from "../../../src/runtime";
import type { AppliedStack } from "../../../src/runtime";
import type { Disk } from "./disk";
import type { Faults } from "./faults";
import { SimulatedFiles } from "./files";
import type { Machine, Process } from "./machine";
import { transportOf } from "./network";
import type { Tenant } from "./tenant";

export const SECRETS = {
  CONSOLE_PASSWORD: "correct-horse-battery",
  CONSOLE_LICENSE_KEY: "license-key-of-high-entropy",
};

export interface RunRequest {
  readonly machine: Machine;
  readonly disk: Disk;
  readonly tenants: ReadonlyMap<string, Tenant>;
  readonly faults: Faults;
  readonly mode?: PlanOptions["mode"];
  /** Plans only. */
  readonly dry?: boolean;
  readonly parallelism?: number;
  readonly allowedFailures?: number;
  /** Like the option of the command line. */
  readonly waves?: string | undefined;
  /** Milliseconds to wait for locks of another run. */
  readonly lockWaitMs?: number;
  /** Milliseconds after which the run is interrupted. */
  readonly stopAfter?: number | undefined;
}

export interface RunResult {
  readonly killed: boolean;
  readonly plans: readonly StackPlan[];
  readonly diagnostics: readonly Diagnostic[];
  readonly applied: readonly AppliedStack[];
  readonly process: Process;
}

/** A process with its world. */
const worlds = new WeakMap<Process, World>();

/** Hands in the world of the process whose code runs. */
export async function inWorlds<T>(machine: Machine, work: () => Promise<T>): Promise<T> {
  const before = { ...world };
  const own = () => (machine.current && worlds.get(machine.current)) ?? before;
  Object.defineProperties(world, {
    clock: { configurable: true, get: () => own().clock },
    random: { configurable: true, get: () => own().random },
    files: { configurable: true, get: () => own().files },
    processes: { configurable: true, get: () => own().processes },
  });
  try {
    return await work();
  } finally {
    for (const [name, value] of Object.entries(before)) {
      Object.defineProperty(world, name, { value, writable: true, enumerable: true });
    }
  }
}

/** Runs the program in a new process. Rejects for an error that it does not handle. */
export async function run(request: RunRequest): Promise<RunResult> {
  const { machine, disk, tenants, faults } = request;
  const process = machine.start();
  worlds.set(process, {
    clock: process.clock,
    random: process.random,
    files: new SimulatedFiles(process, disk, faults).calls,
    processes: process.processes,
  });
  const stop = new AbortController();
  if (request.stopAfter !== undefined) {
    const interrupt = () => {
      machine.note(`${process.pid} is interrupted`);
      stop.abort();
    };
    machine.schedule(request.stopAfter, interrupt, { process });
  }
  const transport = transportOf(process, tenants, faults);
  const definition: typeof cwpProvider = {
    ...cwpProvider,
    configure: (block, environment, log, directory) =>
      configure(block, environment, log, directory, transport),
  };
  const noLog: Log = () => undefined;
  const environment = SECRETS;
  try {
    const result = await execute(request, process, {
      outDir: "/run/cdktf.out",
      variables: { environment, directories: [], given: [] },
      providers: builtInProviders(noLog, definition),
      environment,
      stop: stop.signal,
      ...(request.mode && { mode: request.mode }),
      ...(request.parallelism && { parallelism: request.parallelism }),
      ...(request.lockWaitMs && { lockWaitMs: request.lockWaitMs }),
    });
    return { ...result, killed: !process.alive };
  } catch (cause) {
    if (process.alive) throw cause;
    // Whatever the code of a dead process throws.
    return { killed: true, plans: [], diagnostics: [], applied: [], process };
  } finally {
    if (process.alive) process.end();
    machine.forget(process);
  }
}

async function execute(
  request: RunRequest,
  process: Process,
  options: PlanOptions,
): Promise<RunResult> {
  const session = await Session.plan({
    ...options,
    operation: request.dry ? "plan" : "apply",
  });
  const diagnostics = [...session.diagnostics];
  let applied: readonly AppliedStack[] = [];
  const { plans } = session;
  process.check();
  if (!request.dry) {
    for (const { stack, changes } of plans) {
      const shown = changes.filter(({ action }) => action !== "no-op" && action !== "read");
      const tenant = request.tenants.get(stack);
      tenant?.plans.set(process, new Map(shown.map(({ address, action }) => [address, action])));
    }
  }
  if (!request.dry && session.applicable) {
    const names = plans.map(({ stack }) => stack);
    const stacks = request.mode === "destroy" ? names.reverse() : names;
    const parsed = request.waves === undefined ? undefined : parseWaves(request.waves);
    const awaited = session.awaited();
    const changed = new Set(plans.filter(hasChanges).map(({ stack }) => stack));
    const rollout = new Rollout({
      waves:
        parsed && "waves" in parsed
          ? planWaves({ stacks, changed, awaited, waves: parsed.waves })
          : [stacks],
      allowedFailures: request.allowedFailures ?? Number.POSITIVE_INFINITY,
      failureMode: "strict",
      awaited,
      excluded: session.excluded.length,
      proceed: () => Promise.resolve(true),
      stop: options.stop ?? new AbortController().signal,
    });
    const result = await session.apply(rollout.pace);
    applied = result.stacks;
    diagnostics.push(...result.diagnostics, ...applied.flatMap((stack) => stack.diagnostics));
  }
  diagnostics.push(...(await session.close()));
  return { killed: false, plans, diagnostics, applied, process };
}

export function failed({ applied }: RunResult): readonly AppliedStack[] {
  return applied.filter(({ complete, diagnostics }) => !complete || hasErrors(diagnostics));
}
