import { createServer } from "node:net";
import type { Environment } from "../core/environment";
import type { Log } from "../core/io/log";
import type { Provider } from "../core/provider";
import * as calls from "./calls";
import type { FixedAnswers } from "./fixed-answers";
import { reattachment } from "./process/handshake";
import { listen } from "./process/listen";
import { PluginServer } from "./server";

export type ReattachServer = Awaited<ReturnType<typeof serveReattach>>;

interface ReattachOptions {
  /** Completes the configurations; default: that of this process. */
  readonly environment?: Environment;
  /** Added to the errors of configurations. */
  readonly caution?: string;
  /** Relative paths of configurations start here; default: the working directory. */
  readonly directory?: string;
  readonly provider: Provider<unknown>;
  /** Encoded answers that need no provider, such as its schema. */
  readonly answers?: FixedAnswers;
  readonly log: Log;
  /**
   * A port of the loopback interface, where every user of the machine can connect, with the address of
   * a console of his own. Default: a Unix socket in a new folder that only this user can enter.
   */
  readonly port?: number;
}

/**
 * Serves a provider to any number of Terraform runs on this machine, which use no TLS. Every
 * connection has a separate configuration.
 */
export async function serveReattach({
  provider,
  answers,
  log,
  environment = process.env,
  directory,
  caution,
  port,
}: ReattachOptions) {
  const plugin = new PluginServer({
    load: () => Promise.resolve({ provider, calls }),
    log,
    ...(answers && { answers }),
    environment,
    ...(caution !== undefined && { caution }),
    ...(directory !== undefined && { directory }),
    // One run is done, but others continue.
    onShutdown: () => undefined,
  });
  const listener = createServer((socket) => {
    plugin.accept(socket);
  });
  const address = await listen(listener, environment, port);
  return {
    /** The value in TF_REATTACH_PROVIDERS for the provider's source. */
    reattachment: reattachment(address),
    /** Cancels calls in progress and ends all connections. */
    close: async () => {
      listener.close();
      await plugin.close();
    },
  };
}
