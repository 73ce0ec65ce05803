import { createHash } from "node:crypto";
import { AbortedError } from "../errors";
import { openTransport, type OpenTransport, type TransportOptions } from "./undici-transport";

interface Shared {
  readonly transport: OpenTransport;
  users: number;
}

const open = new Map<string, Shared>();

/**
 * Opens a transport for one client. Clients with the same origin and settings share connections:
 * many hosted consoles are on one host under different paths, a TLS handshake costs more than a
 * request, and the host limits concurrent handshakes.
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

/** Hashed, because the options may contain a private key. */
function keyOf(options: TransportOptions): string {
  return createHash("sha256").update(JSON.stringify(options)).digest("base64");
}
