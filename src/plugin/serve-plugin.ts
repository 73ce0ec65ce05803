import { createServer } from "node:net";
import { printable } from "../core/printed";
import type { Environment } from "../core/environment";
import { jsonLog, LOG_LEVELS, type LogThreshold } from "../core/io/log";
import { selfSign } from "./process/certificate";
import { handshakeLine, readHandshake } from "./process/handshake";
import { listen } from "./process/listen";
import { PluginServer, type LoadedProvider } from "./server";

export interface PluginOptions {
  /** The local name of the provider, for its log. */
  readonly name: string;
  /** The output of the program if it is started by hand. */
  readonly introduction: string;
  /** Called at the first call that needs the provider. */
  readonly load: () => Promise<LoadedProvider>;
  /** Encoded answers by path that need no provider, such as its schema. */
  readonly answers?: ReadonlyMap<string, Uint8Array>;
  readonly environment: Environment;
  /** A port to listen on. Default: a Unix socket. */
  readonly port?: number;
}

/**
 * Serves a provider to the Terraform that started this process, and ends the process when Terraform
 * is done or gone. Key and certificate are in memory only. Clients without Terraform's certificate
 * are refused.
 */
export async function servePlugin(options: PluginOptions): Promise<void> {
  const { environment } = options;
  const handshake = readHandshake(environment);
  if (handshake.startedBy === "hand") {
    process.stderr.write(`${options.introduction}\n`);
    process.exitCode = 1;
    return;
  }
  if (handshake.startedBy === "unfit") {
    refuse(handshake.reason);
    return;
  }
  try {
    await serve(options, handshake.clientCertificate);
  } catch (failure) {
    const why = failure instanceof Error ? failure.message : String(failure);
    refuse(`The provider cannot be served: ${why}.`);
  }
}

async function serve(options: PluginOptions, clientCertificate: string): Promise<void> {
  const { key, certificate, encoded } = selfSign();
  const plugin = new PluginServer({
    load: options.load,
    ...(options.answers && { answers: options.answers }),
    tls: { key, certificate, clientCertificate },
    log: jsonLog(thresholdOf(options.environment, options.name), (line) =>
      process.stderr.write(line),
    ),
    onShutdown: end,
  });
  const lookForParent = watchParent(end);
  const listener = createServer((socket) => {
    socket.once("close", lookForParent);
    plugin.accept(socket);
  });
  const address = await listen(listener, options.environment, options.port);
  // An interrupt is for Terraform, which then asks the provider to stop.
  process.on("SIGINT", () => undefined);
  process.once("SIGTERM", end);
  process.once("SIGHUP", end);
  process.stdout.write(handshakeLine(address, encoded));

  function end(): void {
    listener.close();
    void plugin.close().then(() => process.exit());
  }
}

/** Writes a reason in place of the handshake, which Terraform shows. */
function refuse(reason: string): void {
  const line = `${printable(reason)}\n`;
  process.stderr.write(line);
  process.stdout.write(line);
  process.exitCode = 1;
}

const PARENT_INTERVAL_MS = 1000;

/**
 * Calls back, once, when the parent process is gone: a Terraform that was killed sends no request
 * to stop. Returns a function that checks at once.
 */
function watchParent(onGone: () => void): () => void {
  const parent = process.ppid;
  const timer = setInterval(check, PARENT_INTERVAL_MS);
  timer.unref();
  function check(): void {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }
  return check;
}

/** The level without TF_LOG. Terraform discards the log then, but other programs may not. */
const DEFAULT_THRESHOLD = "warn";

/**
 * Returns the level of a provider's log, which Terraform adds to its own: that of
 * TF_LOG_PROVIDER_CWP (by the provider's name), TF_LOG_PROVIDER or TF_LOG.
 */
export function thresholdOf(environment: Environment, provider: string): LogThreshold {
  const text =
    environment[`TF_LOG_PROVIDER_${provider.toUpperCase()}`] ??
    environment.TF_LOG_PROVIDER ??
    environment.TF_LOG ??
    "";
  const level = text.toLowerCase();
  // Terraform logs everything with any other value, such as `json`.
  if (level === "") return DEFAULT_THRESHOLD;
  return LOG_LEVELS.find((one) => one === level) ?? "trace";
}
