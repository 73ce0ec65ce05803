import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { RELEASES, type Release } from "../../api/release";
import { error } from "../../provider/diagnostics";
import { errorText } from "../../provider/file-problem";
import { parseFault, SimulatorError, startSimulator, type SimulatorOptions } from "../../simulator";
import { ExitCode } from "../exit-code";
import { interrupted } from "../terminal/interruption";
import { openScreen, type CommonOptions } from "../terminal/screen";
import type { Terminal } from "../terminal/terminal";

export interface SimulateOptions extends CommonOptions {
  readonly release?: string;
  readonly port: number;
  readonly tenants?: number;
  readonly hosts?: number;
  /** Milliseconds. */
  readonly latency?: number;
  /** `USER:PASS` */
  readonly signedUp?: string;
  readonly licensed?: boolean;
  readonly policyEnvelope?: boolean;
  readonly fault?: readonly string[];
  readonly data?: string;
  readonly clientCa?: string;
  readonly tlsCert?: string;
}

/** Serves embedded consoles until an interrupt. */
export async function simulate(terminal: Terminal, options: SimulateOptions): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const end = interrupted(terminal);
  try {
    const simulator = await startSimulator(await simulatorOptions(terminal, options));
    for (const { name, url } of simulator.consoles) {
      const { caFile, release } = simulator;
      screen.print(`${JSON.stringify({ name, url, caFile, release })}\n`);
    }
    screen.log({
      level: "info",
      module: "simulator",
      message: `serving ${simulator.consoles.length} console(s) of release ${simulator.release}`,
    });
    await end;
    await simulator.close();
    return ExitCode.DONE;
  } catch (failure) {
    if (!(failure instanceof SimulatorError)) throw failure;
    return screen.fail(error(SUMMARIES[failure.code], failure.message));
  }
}

const SUMMARIES: Readonly<Record<SimulatorError["code"], string>> = {
  "port-in-use": "The port is in use",
  "bad-option": "Invalid option",
  "bad-fault": "Invalid fault",
  "bad-certificate": "Invalid certificate",
  "bad-data": "Invalid data",
};

async function simulatorOptions(
  { directory }: Terminal,
  options: SimulateOptions,
): Promise<SimulatorOptions> {
  const { port, tenants, hosts, latency, licensed, policyEnvelope, data } = options;
  const at = (path: string) => resolve(directory, path);
  const [clientCa, tlsCert] = await Promise.all([
    options.clientCa === undefined ? undefined : readPem("--client-ca", at(options.clientCa)),
    options.tlsCert === undefined ? undefined : readPem("--tls-cert", at(options.tlsCert)),
  ]);
  return {
    port,
    tenants,
    hosts,
    latency,
    licensed,
    policyEnvelope,
    clientCa,
    tlsCert,
    release: readRelease(options.release),
    signedUp: readUser(options.signedUp),
    faults: options.fault?.map(parseFault),
    dataDir: data === undefined ? undefined : at(data),
  };
}

function readRelease(text: string | undefined): Release | undefined {
  if (text === undefined) return undefined;
  const release = RELEASES.find((known) => known === text);
  if (release !== undefined) return release;
  throw new SimulatorError(
    "bad-option",
    `--release must be one of ${RELEASES.join(", ")}, not "${text}".`,
  );
}

function readUser(text: string | undefined): SimulatorOptions["signedUp"] {
  if (text === undefined) return undefined;
  const [, username = "", password = ""] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (username !== "" && password !== "") return { username, password };
  throw new SimulatorError("bad-option", "--signed-up must be USER:PASS, with both parts set.");
}

async function readPem(option: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const message = `${option} cannot be read: ${path}: ${errorText(cause)}.`;
    throw new SimulatorError("bad-certificate", message, { cause });
  }
}
