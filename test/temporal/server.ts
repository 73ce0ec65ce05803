import { spawn, execFileSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliDecompressSync } from "node:zlib";
import { closedPort } from "../support/closed-port";
import { TEMPORAL } from "./install";

/** Temporal's development server. Its runs survive a restart. */
export class TemporalServer {
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly settings: readonly string[],
  ) {}

  /** @param settings - values of Temporal's dynamic configuration, as `KEY=VALUE` */
  static async open(...settings: readonly string[]): Promise<TemporalServer> {
    const folder = mkdtempSync(join(tmpdir(), "cdktf-console-temporal-"));
    const server = new TemporalServer(await closedPort(), folder, settings);
    await server.start();
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const options = ["--ip", "127.0.0.1", "--headless", "--log-level", "never"];
    const database = ["--db-filename", join(this.folder, "temporal.db")];
    const dynamic = this.settings.flatMap((one) => ["--dynamic-config-value", one]);
    this.child = spawn(
      TEMPORAL,
      ["server", "start-dev", "--port", String(this.port), ...options, ...database, ...dynamic],
      { stdio: "ignore" },
    );
    // A look at its health starts a program, which takes as long as the server needs to listen.
    while (!(await this.isListening()) || !this.isHealthy()) {
      if (this.child.exitCode !== null) throw new Error("Temporal's server ended");
      await sleep(200);
    }
  }

  /** The whole history of a workflow as it is stored, with what its payloads have. */
  history(workflow: string): string {
    const text = this.run("workflow", "show", "--workflow-id", workflow, "--output", "json");
    const decoded = [...text.matchAll(/"data": ?"([^"]*)"/g)].map(([, data = ""]) =>
      Buffer.from(data, "base64").toString("utf8"),
    );
    const reviews = decoded.flatMap((one) =>
      [...one.matchAll(/"review":"([^"]*)"/g)].map(([, review = ""]) =>
        brotliDecompressSync(Buffer.from(review, "base64")).toString("utf8"),
      ),
    );
    return [text, ...decoded, ...reviews].join("\n");
  }

  /** The number of executions of workflows that a query finds. */
  count(query: string): number {
    const found = /"count": "?(\d+)/.exec(
      this.run("workflow", "count", "--query", query, "--output", "json"),
    );
    return Number(found?.[1]);
  }

  async stop(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child?.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill();
    await ended;
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private isListening(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, "127.0.0.1");
      socket.once("error", () => {
        resolve(false);
      });
      socket.once("connect", () => {
        socket.destroy();
        resolve(true);
      });
    });
  }

  private isHealthy(): boolean {
    try {
      this.run("operator", "cluster", "health");
      this.run("operator", "namespace", "describe", "default");
      return true;
    } catch {
      return false;
    }
  }

  /** Runs a command of Temporal. */
  run(...argv: readonly string[]): string {
    return execFileSync(TEMPORAL, [...argv, "--address", this.address], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 2 ** 28,
    });
  }
}
