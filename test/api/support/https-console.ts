import type { RequestListener } from "node:http";
import { createServer, type ServerOptions } from "node:https";
import type { AddressInfo, Server, Socket } from "node:net";
import { ConsoleClient } from "../../../src/api/client";
import type { ClientOptions } from "../../../src/api/client-options";

const open: (() => Promise<void>)[] = [];

/** Closes servers and clients after a test, regardless of open requests. */
export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((close) => close()));
}

export interface Served {
  readonly port: number;
  readonly url: string;
  /** Number of TLS connections. */
  readonly connections: () => number;
  /** Number of TLS connections that are open. */
  readonly present: () => number;
  /** Number of connections that resumed a session. */
  readonly resumed: () => number;
}

/** Idle connections stay open, however slow the machine is: Node's server keeps them for 5 seconds. */
const KEEP_ALIVE_MS = 600_000;

/** Starts an HTTPS server on a free port. */
export async function serve(options: ServerOptions, listener: RequestListener): Promise<Served> {
  let connections = 0;
  let resumed = 0;
  let present = 0;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, ...options }, listener);
  server.on("secureConnection", (socket) => {
    connections += 1;
    present += 1;
    socket.on("close", () => (present -= 1));
    if (socket.isSessionReused()) resumed += 1;
  });
  const port = await listen(server);
  return {
    port,
    url: `https://127.0.0.1:${port}`,
    connections: () => connections,
    present: () => present,
    resumed: () => resumed,
  };
}

/** Starts any server on a free port, closed with its connections after the test. */
export async function listen(server: Server) {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      server.close(() => {
        resolve();
      });
    });
  });
  return (server.address() as AddressInfo).port;
}

export function connect(options: ClientOptions): ConsoleClient {
  const client = new ConsoleClient({
    credentials: { method: "basic", username: "admin", password: "canary-password" },
    maxRetries: 0,
    ...options,
  });
  open.push(() => client.close());
  return client;
}
