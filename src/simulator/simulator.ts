import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Release } from "../api/release";
import { CertificateAuthority, readKeyedCertificate, type KeyedCertificate } from "./certificates";
import { Console, type ConsoleOptions } from "./console";
import { SimulatorError } from "./errors";
import { loadOrCreateAuthority, StateFile, writeAtomically } from "./persistence";
import { listen } from "./server";

/** Options of `startSimulator`. */
export interface SimulatorOptions extends Pick<
  ConsoleOptions,
  "release" | "clock" | "faults" | "seed" | "policyEnvelope"
> {
  /** Default: 0, any free port. */
  readonly port?: number | undefined;
  /** A loopback name or address. Default: 127.0.0.1. */
  readonly host?: "127.0.0.1" | "::1" | "localhost" | undefined;
  /** Number of consoles. Default: 1. Several have path prefixes: `/tenant-0001` and so on. */
  readonly tenants?: number | undefined;
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
  /** PEM text with certificate and private key. Default: issued by the simulator's authority. */
  readonly tlsCert?: string | undefined;
}

/** A console with its address. */
export interface ServedConsole {
  /** `console`, or `tenant-0001` and so on. */
  readonly name: string;
  /** The base address, without trailing slash. */
  readonly url: string;
  readonly console: Console;
}

/** Consoles behind one port. */
export interface Simulator {
  readonly release: Release;
  /** At least one. */
  readonly consoles: readonly [ServedConsole, ...ServedConsole[]];
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
  const { host = "127.0.0.1", port = 0, clientCa } = options;
  const { ca, identity } = await identityOf(options);
  const [first, ...others] = consoleNames(options.tenants ?? 1);
  const consoles = [
    await openConsole(first, options),
    ...(await Promise.all(others.map((name) => openConsole(name, options)))),
  ] as const;
  const prefixOf = ({ name }: Console) => (others.length === 0 ? "" : `/${name}`);
  const byPrefix = new Map(consoles.map((console) => [prefixOf(console), console]));
  const listener = await listen({ host, port, identity, clientCa, consoles: byPrefix });
  const origin = `https://${host === "::1" ? "[::1]" : host}:${listener.port}`;
  const serve = (console: Console): ServedConsole => ({
    name: console.name,
    url: origin + prefixOf(console),
    console,
  });
  const { caFile, removeCaFile } = await writeCa(ca, options);
  const [head, ...tail] = consoles;
  return {
    release: head.release,
    consoles: [serve(head), ...tail.map(serve)],
    ca,
    caFile,
    async close() {
      for (const console of consoles) console.close();
      await listener.close();
      await removeCaFile();
    },
  };
}

function validate({ host, port = 0, tenants = 1, clientCa }: SimulatorOptions): void {
  const refuse = (message: string, cause?: unknown) => {
    throw new SimulatorError("bad-option", message, { cause });
  };
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    refuse(`The port must be 0 to 65535, not ${port}.`);
  }
  if (!Number.isInteger(tenants) || tenants < 1 || tenants > 9999) {
    refuse(`The number of tenants must be 1 to 9999, not ${tenants}.`);
  }
  if (host !== undefined && !["127.0.0.1", "::1", "localhost"].includes(host)) {
    refuse(`The simulator serves this machine only: 127.0.0.1, ::1 or localhost, not ${host}.`);
  }
  if (clientCa !== undefined && !clientCa.includes("-----BEGIN CERTIFICATE-----")) {
    refuse("The authority for client certificates must be PEM text with a certificate.");
  }
}

/** A single console has no path prefix; several have one each. */
function consoleNames(tenants: number): [string, ...string[]] {
  if (tenants === 1) return ["console"];
  const [first = "", ...others] = Array.from(
    { length: tenants },
    (_, index) => `tenant-${String(index + 1).padStart(4, "0")}`,
  );
  return [first, ...others];
}

async function identityOf({
  tlsCert,
  dataDir,
}: SimulatorOptions): Promise<{ ca: string; identity: KeyedCertificate }> {
  if (tlsCert !== undefined) {
    const identity = readKeyedCertificate(tlsCert);
    return { ca: identity.certificate, identity };
  }
  const authority =
    dataDir === undefined
      ? await CertificateAuthority.create("Simulated console")
      : await loadOrCreateAuthority(dataDir);
  return { ca: authority.certificate, identity: await authority.issueServerCertificate() };
}

async function openConsole(name: string, options: SimulatorOptions): Promise<Console> {
  const { release, clock, faults, seed, policyEnvelope, dataDir } = options;
  const { signedUp, licensed = false } = options;
  const file =
    dataDir === undefined ? undefined : new StateFile(join(dataDir, "consoles", `${name}.json`));
  const console = new Console({
    name,
    release,
    clock,
    faults,
    seed,
    policyEnvelope,
    data: await file?.load(),
    save: file && ((data) => file.save(data)),
  });
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
