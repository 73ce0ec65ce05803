import { basename } from "node:path";
import { apply, destroy, plan, rollback, statePush } from "../../../src/cli/actions/stacks";
import type { RunOptions } from "../../../src/cli/stacks/run-options";
import type { Output, Terminal } from "../../../src/cli/terminal/terminal";
import { world, type World } from "../../../src/core/io/world";
import { configure } from "../../../src/provider/configuration/configure";
import { cwpProvider } from "../../../src/provider/cwp-provider";
import { stateServers } from "../../../src/backends/http-request";
import type { Disk } from "./disk";
import type { Faults } from "./faults";
import { SimulatedFiles } from "./files";
import { FOLDER, type Machine, type Process } from "./machine";
import { transportOf } from "./network";
import { RunOutput } from "./run-output";
import type { StateServer } from "./state-server";
import type { Tenant } from "./tenant";

export const SECRETS = {
  CONSOLE_PASSWORD: "correct-horse-battery",
  CONSOLE_LICENSE_KEY: "license-key-of-high-entropy",
};

export type Command = "plan" | "apply" | "destroy" | "rollback" | "state push";

export interface RunRequest {
  readonly machine: Machine;
  readonly disk: Disk;
  readonly states: StateServer;
  /** The tenant of each stack. */
  readonly tenants: ReadonlyMap<string, Tenant>;
  readonly faults: Faults;
  readonly command: Command;
  /** The record to roll back, or the state to push. */
  readonly file?: string | undefined;
  readonly options?: Partial<RunOptions> & { readonly stack?: string };
  /** Milliseconds after which the run is interrupted. */
  readonly stopAfter?: number | undefined;
}

export interface RunResult {
  readonly killed: boolean;
  readonly output: RunOutput;
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

/** Runs a command in a new process. Rejects for an error that it does not handle. */
export async function run(request: RunRequest): Promise<RunResult> {
  const { machine, disk, states, tenants, faults, command, file = "" } = request;
  const process = machine.start();
  worlds.set(process, {
    clock: process.clock,
    random: process.random,
    files: new SimulatedFiles(process, disk, faults).calls,
    processes: process.processes,
  });
  stateServers().exchange = (...given) => states.exchange({ process, faults }, ...given);
  const output = new RunOutput([...tenants.keys()]);
  const show = (line: string) => {
    if (!process.alive) return;
    const wasPlanned = output.isPlanned;
    output.add(line);
    if (command === "plan" || wasPlanned || !output.isPlanned) return;
    for (const tenant of new Set(tenants.values())) tenant.expect(process, output.changes);
  };
  const options: RunOptions & { readonly stack?: string } = {
    engine: "embedded",
    refresh: "true",
    lockTimeout: 0,
    autoApprove: true,
    json: true,
    outDir: "cdktf.out",
    provider: {
      ...cwpProvider,
      configure: (block, environment, log, directory) => {
        const consoles = [...new Set(tenants.values())];
        const transport = transportOf({ process, faults }, consoles, basename(directory));
        return configure(block, { environment, log, directory, transport });
      },
    },
    ...request.options,
  };
  const terminal = terminalOf(request, process, show);
  try {
    if (command === "plan") await plan(terminal, [], options);
    else if (command === "apply") await apply(terminal, [], options);
    else if (command === "destroy") await destroy(terminal, [], options);
    else if (command === "rollback") await rollback(terminal, file, [], options);
    else await statePush(terminal, file, options);
    return { killed: !process.alive, output, process };
  } catch (cause) {
    if (process.alive) throw cause;
    // Whatever the code of a dead process throws.
    return { killed: true, output, process };
  } finally {
    if (process.alive) process.end();
    machine.forget(process);
  }
}

function terminalOf(
  { machine, stopAfter }: RunRequest,
  process: Process,
  show: (line: string) => void,
): Terminal {
  const output = (write: (text: string) => void): Output => ({
    write,
    writeBytes: () => Promise.resolve(),
    isTerminal: false,
    columns: undefined,
  });
  return {
    stdout: output((text) => {
      for (const line of text.split("\n")) if (line.startsWith("{")) show(line);
    }),
    stderr: output((text) => {
      machine.note(text);
    }),
    directory: FOLDER,
    environment: SECRETS,
    inheritable: false,
    interactive: false,
    ask: () => Promise.resolve(undefined),
    input: () => Promise.resolve(""),
    onInterrupt: (listener) => {
      if (stopAfter === undefined) return () => undefined;
      const interrupt = () => {
        machine.note(`${process.pid} is interrupted`);
        listener("SIGINT");
      };
      return machine.schedule(stopAfter, interrupt, { process });
    },
    onFailure: () => () => undefined,
  };
}
