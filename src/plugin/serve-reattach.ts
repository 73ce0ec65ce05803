import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import type { Environment } from "../provider/definitions/provider-definition";
import type { Log } from "../provider/log";
import type { Provider } from "../provider/provider";
import * as calls from "./calls";
import type { FixedAnswers } from "./fixed-answers";
import { reattachment } from "./process/handshake";
import { makeSocketPath } from "./process/socket-folder";
import { PluginServer } from "./server";

export type ReattachServer = Awaited<ReturnType<typeof serveReattach>>;

interface ReattachOptions {
  /** Completes the configurations; default: that of this process. */
  readonly environment?: Environment;
  /** Relative paths of configurations start here; default: the working directory. */
  readonly directory?: string;
  readonly provider: Provider<unknown>;
  /** Encoded answers that need no provider, such as its schema. */
  readonly answers?: FixedAnswers;
  readonly log: Log;
  /**
   * The port on the loopback interface, where every user of the machine can connect; default: any
   * free one. `socket`: a Unix socket in a new folder that only this user can enter.
   */
  readonly at?: { readonly port: number } | { readonly socket: Environment };
}

/**
 * Serves a provider to any number of Terraform runs on this machine, which use no TLS. Every
 * connection has a separate configuration.
 */
export async function serveReattach({
  provider,
  answers,
  log,
  environment,
  directory,
  at = { port: 0 },
}: ReattachOptions) {
  const plugin = new PluginServer({
    load: () => Promise.resolve({ provider, calls }),
    log,
    ...(answers && { answers }),
    ...(environment && { environment }),
    ...(directory !== undefined && { directory }),
    // One run is done, but others continue.
    onShutdown: () => undefined,
  });
  const listener = createServer((socket) => {
    plugin.accept(socket);
  });
  if ("socket" in at) listener.listen(makeSocketPath(at.socket));
  else listener.listen(at.port, "127.0.0.1");
  await once(listener, "listening");
  return {
    /** The value in TF_REATTACH_PROVIDERS for the provider's source. */
    reattachment: reattachment(networkOf(listener.address())),
    /** Cancels calls in progress and ends all connections. */
    close: async () => {
      listener.close();
      await plugin.close();
    },
  };
}

function networkOf(address: AddressInfo | string | null) {
  return typeof address === "string"
    ? ({ Network: "unix", String: address } as const)
    : ({ Network: "tcp", String: `127.0.0.1:${address?.port ?? 0}` } as const);
}
