import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, connect, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import type { SimulatorOptions } from "../../src/simulator";
import { Fleet } from "../e2e/support/fleet";
import type { Running } from "../e2e/support/bundle";
import { StateServer } from "../support/state-server";
import { SDK_MODULES } from "./install";
import { TemporalServer } from "./server";

/** A server of states. */
interface States {
  readonly environment?: Readonly<Record<string, string>>;
  backend(name: string): object;
}

/** Consoles in two networks, with a server of states and one of Temporal. */
export class Networks {
  private readonly workers: Running[] = [];

  private constructor(
    readonly fleet: Fleet,
    readonly states: StateServer,
    readonly temporal: TemporalServer,
  ) {}

  /** @param elsewhere - the states, if they are on another server */
  static async open(
    options: SimulatorOptions & { readonly tenants: number },
    elsewhere?: States,
  ): Promise<Networks> {
    const fleet = await Fleet.open(options);
    const states = await StateServer.open();
    const places: States = elsewhere ?? states;
    fleet.tenants.forEach(({ name }, index) => {
      const file = join(fleet.folder, "cdktf.out/stacks", name, "cdk.tf.json");
      const stack = JSON.parse(readFileSync(file, "utf8")) as { terraform: object };
      const terraform = { ...stack.terraform, backend: places.backend(name) };
      const labels = { region: index % 2 === 0 ? "eu" : "us", pool: "all" };
      writeFileSync(file, JSON.stringify({ ...stack, terraform, "//": { labels } }));
    });
    symlinkSync(SDK_MODULES, join(fleet.folder, "node_modules"));
    const temporal = await TemporalServer.open();
    fleet.environment = { ...places.environment, TEMPORAL_ADDRESS: temporal.address };
    return new Networks(fleet, states, temporal);
  }

  /** Starts a worker. @param address - where it reaches Temporal */
  async worker(
    queue: string,
    address = this.temporal.address,
    ...argv: string[]
  ): Promise<Running> {
    const { environment } = this.fleet;
    this.fleet.environment = { ...environment, TEMPORAL_ADDRESS: address };
    const running = this.fleet.start("worker", "--queue", queue, ...argv);
    this.fleet.environment = environment;
    this.workers.push(running);
    await running.printed("is ready");
    return running;
  }

  /** Runs a command of `rollout` in another process. */
  rollout(...argv: readonly string[]): Running["ended"] {
    return this.fleet.command("rollout", ...argv).ended;
  }

  /** The locks that are left. */
  locks(): readonly string[] {
    return this.fleet.tenants.flatMap(({ name }) => this.states.lockedBy(name) ?? []);
  }

  async close(): Promise<void> {
    for (const { child } of this.workers) child.kill("SIGKILL");
    await Promise.all(this.workers.map(({ ended }) => ended));
    await this.temporal.close();
    await this.states.close();
    await this.fleet.close();
  }
}

/** A connection to Temporal that can be cut: nothing passes, and nothing is closed. */
export class Cable {
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  private constructor(private readonly server: ReturnType<typeof createServer>) {}

  static async open(port: number): Promise<Cable> {
    const server = createServer();
    const cable = new Cable(server);
    server.on("connection", (near) => {
      const far = connect(port, "127.0.0.1");
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        cable.sockets.add(from);
        from.on("data", (bytes) => {
          if (!cable.isCut) to.write(bytes);
        });
        from.on("close", () => to.destroy());
        from.on("error", () => undefined);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return cable;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.isCut = true;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}
