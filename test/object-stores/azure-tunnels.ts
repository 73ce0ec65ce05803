import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

/** A proxy that opens tunnels to names of Azure, which end at ports of this machine. */
export class Tunnels {
  /** The names that were asked for, with their ports. */
  readonly targets: string[] = [];
  private readonly server = createServer();
  /** The server does not know them any more. */
  private readonly open = new Set<Duplex>();

  private constructor(ports: ReadonlyMap<string, number>) {
    this.server.on("connect", (request, client) => {
      const target = request.url ?? "";
      this.targets.push(target);
      this.open.add(client);
      client.on("error", () => undefined);
      const port = ports.get(target.replace(/:443$/, ""));
      if (port === undefined) {
        client.end("HTTP/1.1 502 Unknown name\r\n\r\n");
        return;
      }
      const upstream = connect(port, "127.0.0.1", () => {
        client.write("HTTP/1.1 200 OK\r\n\r\n");
        upstream.pipe(client).pipe(upstream);
      });
      upstream.on("error", () => client.destroy());
      client.on("close", () => {
        this.open.delete(client);
        upstream.destroy();
      });
    });
  }

  static async open(ports: ReadonlyMap<string, number>): Promise<Tunnels> {
    const tunnels = new Tunnels(ports);
    await new Promise<void>((resolve) => tunnels.server.listen(0, "127.0.0.1", resolve));
    return tunnels;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    for (const client of this.open) client.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
