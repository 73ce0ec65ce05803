import { createHash } from "node:crypto";
import { AbortedError } from "../errors";
import { openTransport, type OpenTransport, type TransportOptions } from "./undici-transport";

interface Shared {
  readonly transport: OpenTransport;
  users: number;
}

const open = new Map<string, Shared>();

/**
 * A transport for one client. Clients with the same origin and the same settings use the same
 * connections: hosted consoles are many behind one host, told apart by the path. A TLS handshake
 * costs more than a request, and it is the host that grows tired of too many at a time.
 */
export function shareTransport(options: TransportOptions): OpenTransport {
  const key = keyOf(options);
  const shared = open.get(key) ?? { transport: openTransport(options), users: 0 };
  shared.users += 1;
  open.set(key, shared);
  let closed: Promise<void> | undefined;
  return {
    send: (request) =>
      closed
        ? Promise.reject(new AbortedError("The client is closed."))
        : shared.transport.send(request),
    close: () => (closed ??= leave(key, shared)),
  };
}

async function leave(key: string, shared: Shared): Promise<void> {
  shared.users -= 1;
  if (shared.users > 0) return;
  open.delete(key);
  await shared.transport.close();
}

/** Hashed, since the options may hold a private key. */
function keyOf(options: TransportOptions): string {
  return createHash("sha256").update(JSON.stringify(options)).digest("base64");
}
