import { ServerCredentials } from "@grpc/grpc-js";
import { createServer, type AddressInfo } from "node:net";
import type { Log } from "../provider/log";
import type { Provider } from "../provider/provider";
import { reattachment, type Reattachment } from "./process/handshake";
import { PluginServer } from "./server";

export interface ReattachServer {
  /** The value in TF_REATTACH_PROVIDERS for the provider's source. */
  readonly reattachment: Reattachment;
  /** Cancels calls in progress and ends all connections. */
  close(): Promise<void>;
}

export interface ReattachOptions {
  readonly provider: Provider<unknown>;
  readonly log: Log;
  /** Default: any free port. */
  readonly port?: number;
}

/**
 * Serves a provider to any number of Terraform runs on this machine over the loopback interface,
 * where Terraform uses no TLS. Every connection has a separate configuration.
 */
export async function serveReattach(options: ReattachOptions): Promise<ReattachServer> {
  const plugin = new PluginServer({
    provider: () => Promise.resolve(options.provider),
    credentials: ServerCredentials.createInsecure(),
    log: options.log,
    // One run is done, but others continue.
    onShutdown: () => undefined,
  });
  const listener = createServer((socket) => {
    plugin.accept(socket);
  });
  await new Promise<void>((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = listener.address() as AddressInfo;
  return {
    reattachment: reattachment(`127.0.0.1:${port}`),
    close: async () => {
      listener.close();
      await plugin.close();
    },
  };
}
