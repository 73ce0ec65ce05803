import { credentials } from "@grpc/grpc-js";
import { spawn, type ChildProcess } from "node:child_process";
import { packedPackage } from "../../support/packed-package";
import { PluginClient } from "./client";
import type { ClientCertificate } from "./client-certificate";

const COOKIE = {
  TF_PLUGIN_MAGIC_COOKIE: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
};

/** The environment that Terraform gives a provider. */
export function terraformEnvironment({ certificate }: ClientCertificate) {
  return { ...COOKIE, PLUGIN_PROTOCOL_VERSIONS: "5,6", PLUGIN_CLIENT_CERT: certificate };
}

export interface ProviderProcess {
  readonly child: ChildProcess;
  /** The output so far. */
  readonly printed: () => { readonly out: string; readonly err: string };
  readonly ended: Promise<{
    readonly code: number | null;
    readonly out: string;
    readonly err: string;
  }>;
  /** The first line of standard output; rejects if the process ends without one. */
  readonly line: Promise<string>;
}

/** Starts the provider as Terraform does, by `command` if given: `["sh", "-c", "…"]`. */
export function startProvider(
  environment: Readonly<Record<string, string>>,
  [program = process.execPath, ...args]: readonly string[] = [
    process.execPath,
    packedPackage().provider,
  ],
): ProviderProcess {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const line = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      const [first, rest] = out.split("\n");
      if (first !== undefined && rest !== undefined) resolve(first);
    });
    child.once("close", () => {
      reject(new Error(`ended without a line: ${err}`));
    });
  });
  line.catch(() => undefined);
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.once("close", (code) => {
      resolve({ code, out, err });
    });
  });
  return { child, line, ended, printed: () => ({ out, err }) };
}

/** Reads the handshake line. */
export function readLine(line: string) {
  const [core, protocol, network, address = "", transport, certificate = ""] = line.split("|");
  return { core, protocol, network, address, transport, certificate };
}

/** Connects as Terraform does, with mutual TLS. */
export function connectTo(line: string, client?: ClientCertificate): PluginClient {
  return new PluginClient(...addressOf(line, client));
}

/** The address of a process, and the credentials for it. */
export function addressOf(line: string, client?: ClientCertificate) {
  const { address, certificate } = readLine(line);
  const pem = `-----BEGIN CERTIFICATE-----\n${certificate}${"=".repeat((4 - (certificate.length % 4)) % 4)}\n-----END CERTIFICATE-----\n`;
  const tls = credentials.createSsl(
    Buffer.from(pem),
    client && Buffer.from(client.key),
    client && Buffer.from(client.certificate),
  );
  return [`unix:${address}`, tls] as const;
}
