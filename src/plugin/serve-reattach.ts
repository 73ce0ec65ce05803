import { ServerCredentials } from "@grpc/grpc-js";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import type { Log } from "../provider/log";
import type { Provider } from "../provider/provider";
import { reattachment } from "./process/handshake";
import { PluginServer } from "./server";

export type ReattachServer = Awaited<ReturnType<typeof serveReattach>>;

/**
 * Serves a provider to any number of Terraform runs on this machine over the loopback interface,
 * where Terraform uses no TLS. Every connection has a separate configuration.
 * The default port is any free one.
 */
export async function serveReattach({
  provider,
  log,
  port = 0,
}: {
  readonly provider: Provider<unknown>;
  readonly log: Log;
  readonly port?: number;
}) {
  const plugin = new PluginServer({
    provider: () => Promise.resolve(provider),
    credentials: ServerCredentials.createInsecure(),
    log,
    // One run is done, but others continue.
    onShutdown: () => undefined,
  });
  const listener = createServer((socket) => {
    plugin.accept(socket);
  });
  await once(listener.listen(port, "127.0.0.1"), "listening");
  const { port: bound } = listener.address() as AddressInfo;
  return {
    /** The value in TF_REATTACH_PROVIDERS for the provider's source. */
    reattachment: reattachment(`127.0.0.1:${bound}`),
    /** Cancels calls in progress and ends all connections. */
    close: async () => {
      listener.close();
      await plugin.close();
    },
  };
}
