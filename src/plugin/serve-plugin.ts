import { ServerCredentials } from "@grpc/grpc-js";
import { createServer } from "node:net";
import type { Environment } from "../provider/definitions/provider-definition";
import type { Provider } from "../provider/provider";
import { selfSign } from "./process/certificate";
import { handshakeLine, readHandshake } from "./process/handshake";
import { openLog } from "./process/log";
import { makeSocketFolder } from "./process/socket-folder";
import { PluginServer } from "./server";

export interface PluginOptions {
  /** The provider's local name, for its log. */
  readonly name: string;
  /** What the program says of itself when it is started by hand. */
  readonly introduction: string;
  /** Called when Terraform has been told where to connect to, so that it costs no time before. */
  readonly load: () => Promise<Provider<unknown>>;
  readonly environment: Environment;
}

/**
 * Serves a provider to the Terraform that started this process, and ends the process when that is
 * done or gone. Keys and certificate live in memory; whoever has not the client certificate that
 * Terraform named is refused.
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
  const { socket: path } = makeSocketFolder(options.environment);
  let loaded: Promise<Provider<unknown>> | undefined;
  const plugin = new PluginServer({
    provider: () => (loaded ??= options.load()),
    credentials: ServerCredentials.createSsl(
      Buffer.from(clientCertificate),
      [{ private_key: Buffer.from(key), cert_chain: Buffer.from(certificate) }],
      true,
    ),
    log: openLog(options.environment, options.name),
    onShutdown: end,
  });
  const lookForParent = watchParent(end);
  const listener = createServer((socket) => {
    socket.once("close", lookForParent);
    plugin.accept(socket);
  });
  await new Promise<void>((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(path, resolve);
  });
  // Terraform asks us to stop; an interrupt goes to it, and to us only for being in its group.
  process.on("SIGINT", () => undefined);
  process.once("SIGTERM", end);
  process.once("SIGHUP", end);
  process.stdout.write(handshakeLine(path, encoded));
  loaded ??= options.load();

  function end(): void {
    listener.close();
    void plugin.close().then(() => process.exit());
  }
}

/** In place of the handshake: Terraform shows what it finds there instead. */
function refuse(reason: string): void {
  process.stderr.write(`${reason}\n`);
  process.stdout.write(`${reason}\n`);
  process.exitCode = 1;
}

const PARENT_INTERVAL = 1000;

/**
 * Calls back, once, when the parent process is gone: a Terraform that was killed sends no request
 * to stop. Returns a function that checks at once.
 */
function watchParent(onGone: () => void): () => void {
  const parent = process.ppid;
  const timer = setInterval(check, PARENT_INTERVAL);
  timer.unref();
  function check(): void {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }
  return check;
}
