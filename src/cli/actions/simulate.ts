import { resolve } from "node:path";
import { readTextFile } from "../../core/io/read-file";
import type { Release } from "../../api/release";
import { error } from "../../core/diagnostics";
import { printed } from "../../core/printed";
import { fileFault } from "../../core/io/file-fault";
import {
  parseFault,
  SimulatorError,
  startSimulator,
  type Simulator,
  type SimulatorOptions,
} from "../../simulator";
import { ExitCode } from "../exit-code";
import { consoleEnvironment, servingText } from "../simulate/console-environment";
import { runToEnd } from "../simulate/run-command";
import { writeTenants } from "../simulate/tenants-file";
import { interrupted } from "../terminal/interruption";
import { openScreen, type CommonOptions, type Screen } from "../terminal/screen";
import type { Terminal } from "../terminal/terminal";

export interface SimulateOptions extends CommonOptions {
  readonly release?: Release;
  /** Default: 8083, or any free port for a command. */
  readonly port?: number;
  readonly tenants?: number;
  readonly projects?: number;
  readonly hosts?: number;
  /** Milliseconds. */
  readonly latency?: number;
  /** `USER:PASS` */
  readonly signedUp?: string;
  readonly licensed?: boolean;
  readonly policyEnvelope?: boolean;
  readonly pageSize?: number;
  /** Answer collections of policies whole. */
  readonly wholeCollections?: boolean;
  /** False with `--no-total-count`. */
  readonly totalCount?: boolean;
  readonly any?: boolean;
  readonly fault?: readonly string[];
  readonly data?: string;
  readonly clientCa?: string;
  readonly tlsCert?: string;
}

/** Serves embedded consoles until an interrupt, or while `command` runs. */
export async function simulate(
  terminal: Terminal,
  command: readonly string[],
  options: SimulateOptions,
): Promise<number> {
  const screen = openScreen(terminal, options);
  const end = command.length === 0 ? interrupted(terminal) : undefined;
  try {
    const settings = await simulatorOptions(screen, options, command.length > 0);
    const simulator = await startSimulator(settings);
    screen.log({
      level: "info",
      module: "simulator",
      message: `serving ${simulator.consoles.length} console(s) of release ${simulator.release}`,
    });
    try {
      const listed =
        options.tenants === undefined && simulator.projects.length === 0
          ? { environment: {} }
          : writeTenants(terminal, simulator);
      if ("problem" in listed) return screen.fail(listed.problem);
      const environment = { ...consoleEnvironment(simulator, settings), ...listed.environment };
      if (end === undefined) return await serveCommand(screen, command, environment);
      announce(screen, simulator, environment);
      await end;
      return ExitCode.DONE;
    } finally {
      await simulator.close();
    }
  } catch (failure) {
    if (!(failure instanceof SimulatorError)) throw failure;
    const { code, message } = failure;
    return screen.fail(error(SUMMARIES[code], `${message}${ADVICE[code] ?? ""}`));
  }
}

function announce(
  screen: Screen,
  simulator: Simulator,
  environment: Readonly<Record<string, string>>,
): void {
  if (screen.terminal.stdout.isTerminal) {
    screen.print(servingText(simulator, environment));
    return;
  }
  const { caFile, release } = simulator;
  for (const { name, url } of simulator.consoles) {
    screen.printDocument(`${JSON.stringify({ name, url, caFile, release })}\n`);
  }
}

/** Runs a command that finds the first console in its environment, and all of them in `TENANTS_FILE`. */
async function serveCommand(
  screen: Screen,
  command: readonly string[],
  { TF_WORKSPACE = "", ...environment }: Readonly<Record<string, string>>,
): Promise<number> {
  const workspace = screen.terminal.environment.TF_WORKSPACE ?? TF_WORKSPACE;
  const ended = await runToEnd(screen.terminal, command, {
    ...environment,
    TF_WORKSPACE: workspace,
  });
  if ("code" in ended) return ended.code;
  return screen.fail(
    error(
      "The command cannot be started",
      `${command.join(" ")}: ${ended.problem}. Correct the command behind --.`,
    ),
  );
}

const SUMMARIES: Readonly<Record<SimulatorError["code"], string>> = {
  "port-in-use": "The port is in use",
  "bad-option": "Invalid option",
  "bad-port": "The port cannot be used",
  "bad-fault": "Invalid fault",
  "bad-certificate": "Invalid certificate",
  "bad-data": "Invalid data",
};

const ADVICE: Partial<typeof SUMMARIES> = {
  "port-in-use":
    " Stop the process that listens there, or choose another port with --port (0 = any free port).",
  "bad-port": " Choose another port with --port (0 = any free port).",
  "bad-certificate": " Correct the file of --tls-cert or --client-ca.",
};

const DEFAULT_PORT = 8083;

function undescribed(path: string) {
  return printed`Neither the specification nor the catalogue has ${path}: its bodies are stored.\n`;
}

async function simulatorOptions(
  screen: Screen,
  options: SimulateOptions,
  hasCommand: boolean,
): Promise<SimulatorOptions> {
  const { directory } = screen.terminal;
  const {
    port = hasCommand ? 0 : DEFAULT_PORT,
    tenants,
    projects,
    hosts,
    latency,
    licensed,
    policyEnvelope,
    data,
  } = options;
  const at = (path: string) => resolve(directory, path);
  const [clientCa, tlsCert] = await Promise.all([
    options.clientCa === undefined ? undefined : readPem("--client-ca", at(options.clientCa)),
    options.tlsCert === undefined ? undefined : readPem("--tls-cert", at(options.tlsCert)),
  ]);
  return {
    port,
    tenants,
    projects,
    hosts,
    latency,
    licensed,
    policyEnvelope,
    wholeCollections: options.wholeCollections,
    ...(options.pageSize !== undefined && {
      pages: { size: options.pageSize, hasTotal: options.totalCount },
    }),
    ...(options.any && {
      any: (path: string) => {
        screen.note(undescribed(path));
      },
    }),
    clientCa,
    tlsCert,
    release: options.release,
    signedUp: readUser(options.signedUp),
    faults: options.fault?.map(parseFault),
    dataDir: data === undefined ? undefined : at(data),
  };
}

function readUser(text: string | undefined): SimulatorOptions["signedUp"] {
  if (text === undefined) return undefined;
  const [, username = "", password = ""] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (username !== "" && password !== "") return { username, password };
  throw new SimulatorError(
    "bad-option",
    "--signed-up must be USER:PASS, with both parts set, as in admin:a-long-password.",
  );
}

async function readPem(option: string, path: string): Promise<string> {
  try {
    return await readTextFile(path);
  } catch (cause) {
    const message = `${option} cannot be read: ${path}: ${fileFault(cause, path)}`;
    throw new SimulatorError("bad-certificate", message, { cause });
  }
}
