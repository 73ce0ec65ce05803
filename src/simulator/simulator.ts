import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_RELEASE, type Release } from "../api/release";
import { readKeyedCertificate } from "./certificates";
import { SimulatedConsole } from "./console";
import type { ConsoleOptions } from "./console-options";
import { SimulatorError } from "./errors";
import { isFaulty } from "./faults";
import { targetProblem } from "./fault-targets";
import { newIdentity, type Identity } from "./new-identity";
import { loadOrCreateAuthority, SimulatorFile, writeAtomically } from "./persistence";
import { serveConsoles } from "./server";

/** Options of `startSimulator`. */
export interface SimulatorOptions extends Pick<
  ConsoleOptions,
  "release" | "clock" | "faults" | "seed" | "policyEnvelope" | "wholeCollections" | "pages" | "any"
> {
  /** Default: 0, any free port. */
  readonly port?: number | undefined;
  /** A loopback name or address. Default: 127.0.0.1. */
  readonly host?: "127.0.0.1" | "::1" | "localhost" | undefined;
  /** Number of consoles. Default: 1. Several have path prefixes: `/tenant-0001` and so on. */
  readonly tenants?: number | undefined;
  /**
   * Number of projects of the console, `project-0001` and so on, besides the first one. Default: 0.
   * Only a single console has them.
   */
  readonly projects?: number | undefined;
  /**
   * Number of loopback addresses that the consoles are spread over, from 127.0.0.1 on. Default: 1.
   * With port 0, each has another port.
   */
  readonly hosts?: number | undefined;
  /** Milliseconds of real time that every request takes longer. Default: 0. */
  readonly latency?: number | undefined;
  /** Admin user of fresh consoles. Default: none. */
  readonly signedUp?: { readonly username: string; readonly password: string } | undefined;
  /** True for a license on fresh consoles. Default: false. */
  readonly licensed?: boolean | undefined;
  /** Folder that keeps the state over restarts. Default: the state is not kept. */
  readonly dataDir?: string | undefined;
  /** File for the authority's certificate. Default: in `dataDir`, or else a temporary file. */
  readonly caFile?: string | undefined;
  /** Authorities of client certificates, as PEM. Default: no client certificate is requested. */
  readonly clientCa?: string | undefined;
  /** True for a simulator that does not keep the process running. Default: false. */
  readonly background?: boolean | undefined;
  /** PEM text with certificate and private key. Default: issued by the simulator's authority. */
  readonly tlsCert?: string | undefined;
}

/** A console with its address. */
export interface ServedConsole {
  /** `console`, or `tenant-0001` and so on. */
  readonly name: string;
  /** The base address, without trailing slash. */
  readonly url: string;
  readonly console: SimulatedConsole;
}

/** Consoles behind one port, or one port of each host. */
export interface Simulator {
  readonly release: Release;
  /** At least one. */
  readonly consoles: readonly [ServedConsole, ...ServedConsole[]];
  /** The projects of the console, besides the first one. */
  readonly projects: readonly SimulatedConsole[];
  /** Certificates that clients have to trust, as PEM: the authority, or those of `tlsCert`. */
  readonly ca: string;
  /** File with `ca`. */
  readonly caFile: string;
  /** Stops serving and removes a temporary `caFile`. */
  close(): Promise<void>;
}

/**
 * Starts consoles behind one HTTPS port of this machine; resolves once they serve. Rejects with a
 * `SimulatorError` for an invalid option, an unreadable file or a port in use.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  validate(options);
  const { port = 0, clientCa } = options;
  const hosts = hostsOf(options);
  const { ca, identity } = await identityOf(options, hosts.slice(1));
  const listening = { port, identity, clientCa, background: options.background };
  const [first, ...others] = consoleNames(options.tenants ?? 1);
  const consoles = [
    await openConsole(first, options),
    ...(await Promise.all(others.map((name) => openConsole(name, options)))),
  ] as const;
  const projects = await Promise.all(
    numbered("project", options.projects ?? 0).map((name) => openConsole(name, options)),
  );
  for (const project of projects) consoles[0].addProject(project);
  const prefixOf = ({ name }: SimulatedConsole) => (others.length === 0 ? "" : `/${name}`);
  const listeners: Listener[] = [];
  const addresses = new Map<SimulatedConsole, string>();
  try {
    for (const [index, host] of hosts.entries()) {
      const own = consoles.filter((_, at) => at % hosts.length === index);
      const byPrefix = new Map(own.map((console) => [prefixOf(console), console]));
      const listener = await serveConsoles({ ...listening, host, consoles: byPrefix });
      listeners.push(listener);
      const origin = `https://${host === "::1" ? "[::1]" : host}:${listener.port}`;
      for (const console of own) addresses.set(console, origin + prefixOf(console));
    }
  } catch (failure) {
    await Promise.all(listeners.map((listener) => listener.close()));
    throw failure;
  }
  const serve = (console: SimulatedConsole): ServedConsole => ({
    name: console.name,
    url: addresses.get(console) ?? "",
    console,
  });
  const { caFile, removeCaFile } = await writeCa(ca, options);
  const [head, ...tail] = consoles;
  return {
    release: head.release,
    consoles: [serve(head), ...tail.map(serve)],
    projects,
    ca,
    caFile,
    async close() {
      for (const console of consoles) console.close();
      await Promise.all(listeners.map((listener) => listener.close()));
      await removeCaFile();
    },
  };
}

type Listener = Awaited<ReturnType<typeof serveConsoles>>;

/** The addresses to serve on. */
function hostsOf({ host = "127.0.0.1", hosts = 1 }: SimulatorOptions): readonly string[] {
  return Array.from({ length: hosts }, (_, index) => (index === 0 ? host : `127.0.0.${index + 1}`));
}

function validate(options: SimulatorOptions): void {
  const { host, port = 0, tenants = 1, projects = 0, hosts = 1, latency = 0 } = options;
  const { clientCa, faults = [] } = options;
  const refuse = (message: string, cause?: unknown) => {
    throw new SimulatorError("bad-option", message, { cause });
  };
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    refuse(`The port must be 0 to 65535, not ${port}.`);
  }
  if (!Number.isInteger(tenants) || tenants < 1 || tenants > 9999) {
    refuse(`The number of tenants must be 1 to 9999, not ${tenants}.`);
  }
  if (!Number.isInteger(projects) || projects < 0 || projects > 9999) {
    refuse(`The number of projects must be 0 to 9999, not ${projects}.`);
  }
  if (projects > 0 && tenants > 1) {
    refuse("Only a single console has projects: set either tenants or projects.");
  }
  if (!Number.isInteger(hosts) || hosts < 1 || hosts > Math.min(tenants, 254)) {
    refuse(`The number of hosts must be 1 to the number of tenants, at most 254, not ${hosts}.`);
  }
  if (hosts > 1 && host !== undefined && host !== "127.0.0.1") {
    refuse(`Several hosts start with 127.0.0.1, not ${host}.`);
  }
  if (!Number.isFinite(latency) || latency < 0) {
    refuse(`The latency must be 0 milliseconds or more, not ${latency}.`);
  }
  const names = consoleNames(tenants);
  const lost = faults.find((fault) => !names.some((name) => isFaulty(fault, name)));
  if (lost) {
    const message = `No console has the name "${lost.tenant ?? ""}" of a fault. The consoles are ${names.length === 1 ? names[0] : `${names[0]} to ${names.at(-1) ?? ""}`}.`;
    throw new SimulatorError("bad-fault", message);
  }
  for (const { target } of faults) {
    const problem = targetProblem(target, options.release ?? DEFAULT_RELEASE, !!options.any);
    if (problem !== undefined) throw new SimulatorError("bad-fault", problem);
  }
  if (host !== undefined && !["127.0.0.1", "::1", "localhost"].includes(host)) {
    refuse(`The simulator serves this machine only: 127.0.0.1, ::1 or localhost, not ${host}.`);
  }
  if (clientCa !== undefined && !clientCa.includes("-----BEGIN CERTIFICATE-----")) {
    refuse(
      "The authority for client certificates (--client-ca, clientCa) has no certificate in PEM. Give its PEM text.",
    );
  }
}

/** A single console has no path prefix; several have one each. */
function consoleNames(tenants: number): [string, ...string[]] {
  if (tenants === 1) return ["console"];
  const [first = "", ...others] = numbered("tenant", tenants);
  return [first, ...others];
}

/** `tenant-0001` and so on. */
function numbered(word: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `${word}-${String(at + 1).padStart(4, "0")}`);
}

async function identityOf(
  { tlsCert, dataDir }: SimulatorOptions,
  addresses: readonly string[],
): Promise<Identity> {
  if (tlsCert !== undefined) {
    const identity = readKeyedCertificate(tlsCert);
    return { ca: identity.certificate, identity };
  }
  if (dataDir === undefined) return newIdentity(addresses);
  const authority = await loadOrCreateAuthority(dataDir);
  return { ca: authority.certificate, identity: await authority.issueServerCertificate(addresses) };
}

async function openConsole(name: string, options: SimulatorOptions): Promise<SimulatedConsole> {
  const { release, clock, seed, policyEnvelope, wholeCollections, pages, any, dataDir } = options;
  const { faults = [], latency = 0, signedUp, licensed = false } = options;
  const file =
    dataDir === undefined
      ? undefined
      : new SimulatorFile(join(dataDir, "consoles", `${name}.json`));
  const data = await file?.load();
  const console = new SimulatedConsole({
    name,
    release,
    clock,
    faults: [
      ...(latency > 0 ? [{ target: "*", delay: latency }] : []),
      ...faults.filter((fault) => isFaulty(fault, name)),
    ],
    seed,
    policyEnvelope,
    wholeCollections,
    pages,
    any,
    data,
    save: file && ((data) => file.save(data)),
  });
  // The keys and the time of the installation are the same in the next run.
  if (data === undefined) await file?.save(console.data);
  if (signedUp && console.data.users.size === 0) {
    await console.addUser(signedUp.username, signedUp.password);
  }
  if (licensed && console.data.license === null) await console.installLicense();
  return console;
}

async function writeCa(
  ca: string,
  { caFile, dataDir }: SimulatorOptions,
): Promise<{ caFile: string; removeCaFile: () => Promise<void> }> {
  const temporary =
    caFile === undefined && dataDir === undefined
      ? await mkdtemp(join(tmpdir(), "cdktf-console-"))
      : undefined;
  const path = caFile ?? join(dataDir ?? temporary ?? "", "ca.pem");
  await writeAtomically(path, ca, 0o644);
  const removeCaFile = async () => {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  };
  return { caFile: path, removeCaFile };
}
