import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { closedPort } from "../support/closed-port";
import { KEPT_FOLDER } from "../support/kept-folder";
import { describeWhere, installed } from "../support/requirement";
import { Relay } from "./relay";

const VERSION = "v1.56.1";
const FOLDER = join(KEPT_FOLDER, `fake-gcs-server-${VERSION}-of-cdktf-console`);
const PROGRAM = join(FOLDER, "fake-gcs-server");

const FAKE_GCS = installed(
  existsSync(PROGRAM),
  "fake-gcs-server is not installed: npx tsx test/object-stores/install.ts",
);

/** Builds the server from its module; needs Go. */
export function installFakeGcs(): void {
  if (existsSync(PROGRAM)) return;
  const program = `github.com/fsouza/fake-gcs-server@${VERSION}`;
  execFileSync("go", ["install", program], {
    stdio: "inherit",
    env: { ...process.env, GOBIN: FOLDER },
  });
}

/** Tests that need a server of Google Cloud Storage: skipped where it is missing, but never in CI. */
export function describeWithFakeGcs(promise: string, tests: () => void): void {
  describeWhere(FAKE_GCS, promise, tests);
}

export const BUCKET = "example-states";
export const TOKEN = { GOOGLE_OAUTH_ACCESS_TOKEN: "token" };

/** A server of Google Cloud Storage with a bucket. Requests pass a relay. */
export class FakeGcs {
  private constructor(
    private readonly server: ChildProcess,
    private readonly direct: string,
    readonly relay: Relay,
  ) {}

  static async open(): Promise<FakeGcs> {
    const port = await closedPort();
    const relay = await Relay.open(port);
    const options = ["-backend", "memory", "-scheme", "http", "-host", "127.0.0.1"];
    const host = new URL(relay.url).host;
    const names = ["-port", String(port), "-public-host", host, "-external-url", relay.url];
    const server = spawn(PROGRAM, [...options, ...names], { stdio: "ignore" });
    const gcs = new FakeGcs(server, `http://127.0.0.1:${port}`, relay);
    await gcs.ready();
    return gcs;
  }

  /** The `backend` block for states under a prefix. */
  backend(prefix: string, settings: object = {}) {
    const storage_custom_endpoint = `${this.relay.url}/storage/v1/`;
    return { gcs: { bucket: BUCKET, prefix, storage_custom_endpoint, ...settings } };
  }

  async text(name: string): Promise<string> {
    const response = await fetch(`${this.urlOf(name)}?alt=media`);
    return response.ok ? response.text() : "";
  }

  async json(name: string) {
    return JSON.parse((await this.text(name)) || "null") as {
      serial: number;
      resources: unknown[];
    } | null;
  }

  /** The generation of an object, which is the ID of a lock. */
  async generation(name: string): Promise<string | undefined> {
    const response = await fetch(this.urlOf(name));
    return response.ok ? ((await response.json()) as { generation: string }).generation : undefined;
  }

  async put(name: string, text: string): Promise<void> {
    const query = new URLSearchParams({ uploadType: "media", name });
    const url = `${this.direct}/upload/storage/v1/b/${BUCKET}/o?${query.toString()}`;
    await fetch(url, { method: "POST", body: text });
  }

  async close(): Promise<void> {
    await this.relay.close();
    const ended = new Promise((resolve) => this.server.once("exit", resolve));
    this.server.kill();
    await ended;
  }

  private urlOf(name: string): string {
    return `${this.direct}/storage/v1/b/${BUCKET}/o/${encodeURIComponent(name)}`;
  }

  /** Creates the bucket as soon as the server answers. */
  private async ready(): Promise<void> {
    for (;;) {
      try {
        const body = JSON.stringify({ name: BUCKET });
        await fetch(`${this.direct}/storage/v1/b`, { method: "POST", body });
        return;
      } catch (cause) {
        if (this.server.exitCode !== null) throw new Error("the server ended", { cause });
        await sleep(50);
      }
    }
  }
}
