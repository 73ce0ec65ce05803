import { ServerCredentials } from "@grpc/grpc-js";
import { createServer, type AddressInfo } from "node:net";
import type { Log } from "../provider/log";
import type { Provider } from "../provider/provider";
import { reattachment, type Reattachment } from "./process/handshake";
import { PluginServer } from "./server";

export interface ReattachServer {
  /** For TF_REATTACH_PROVIDERS, under the provider's source. */
  readonly reattachment: Reattachment;
  /** Cancels what is under way, and ends all connections. */
  close(): Promise<void>;
}

export interface ReattachOptions {
  readonly provider: Provider<unknown>;
  readonly log: Log;
  /** Default: any that is free. */
  readonly port?: number;
}

/**
 * Serves a provider to any number of Terraform runs on this machine, by the loopback interface and,
 * as Terraform will have it there, without TLS. Every connection has a configuration of its own.
 */
export async function serveReattach(options: ReattachOptions): Promise<ReattachServer> {
  const plugin = new PluginServer({
    provider: () => Promise.resolve(options.provider),
    credentials: ServerCredentials.createInsecure(),
    log: options.log,
    // Of one run that is done; others go on.
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
