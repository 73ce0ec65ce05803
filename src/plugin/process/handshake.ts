import { isCertificate } from "../../core/io/certificate";
import type { Environment } from "../../core/environment";
import { nodeProblem } from "../../core/io/node-version";

/** The major version of the plugin protocol. */
const PROTOCOL_VERSION = 6;

/** Terraform sets this variable. It is no secret; it keeps users from starting a plugin by hand. */
const COOKIE = {
  name: "TF_PLUGIN_MAGIC_COOKIE",
  value: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
} as const;

export type Handshake =
  | { readonly startedBy: "terraform"; readonly clientCertificate: string }
  /** The program cannot be served; Terraform shows `reason`. */
  | { readonly startedBy: "unfit"; readonly reason: string }
  | { readonly startedBy: "hand" };

/** Reads the request of the program that started this one. */
export function readHandshake(
  environment: Environment,
  nodeVersion = process.versions.node,
): Handshake {
  if (environment[COOKIE.name] !== COOKIE.value) return { startedBy: "hand" };
  const oldNode = nodeProblem(nodeVersion);
  if (oldNode !== undefined) {
    return { startedBy: "unfit", reason: `The provider cannot be served. ${oldNode}` };
  }
  const versions = environment.PLUGIN_PROTOCOL_VERSIONS;
  if (versions !== undefined && !versions.split(",").map(Number).includes(PROTOCOL_VERSION)) {
    return {
      startedBy: "unfit",
      reason: `This provider supports version ${PROTOCOL_VERSION} of the plugin protocol, but the program that started it supports ${versions}. Use Terraform 1.11 or newer.`,
    };
  }
  const clientCertificate = environment.PLUGIN_CLIENT_CERT ?? "";
  if (!isCertificate(clientCertificate)) {
    return {
      startedBy: "unfit",
      reason:
        "The program that started this provider sent no client certificate, so its calls cannot be authenticated. Use Terraform 1.11 or newer.",
    };
  }
  return { startedBy: "terraform", clientCertificate };
}

/** The line that Terraform expects on standard output, where no other output is allowed. */
export function handshakeLine(
  { Network, String }: ServerAddress,
  serverCertificate: string,
): string {
  return `1|${PROTOCOL_VERSION}|${Network}|${String}|grpc|${serverCertificate}\n`;
}

/** An address in the words of Terraform: a path, or `HOST:PORT`. */
export interface ServerAddress {
  readonly Network: "tcp" | "unix";
  readonly String: string;
}

/** Returns a member of TF_REATTACH_PROVIDERS, by which Terraform finds a running provider. */
export function reattachment(address: ServerAddress) {
  return {
    Protocol: "grpc",
    ProtocolVersion: PROTOCOL_VERSION,
    Pid: process.pid,
    // Terraform does not stop the process.
    Test: true,
    Addr: address,
  };
}
