import { once } from "node:events";
import type { Server } from "node:net";
import type { Environment } from "../../core/environment";
import type { ServerAddress } from "./handshake";
import { makeSocketPath } from "./socket-folder";

/**
 * Listens on a Unix socket in a new folder that only this user can enter, or on a port of the
 * loopback interface, which every user of the machine can reach.
 */
export async function listen(
  listener: Server,
  environment: Environment,
  port?: number,
): Promise<ServerAddress> {
  if (port === undefined) listener.listen(makeSocketPath(environment));
  else listener.listen(port, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  return typeof address === "string"
    ? { Network: "unix", String: address }
    : { Network: "tcp", String: `127.0.0.1:${address?.port ?? 0}` };
}
