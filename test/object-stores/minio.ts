import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { signedHeaders } from "../../src/backends/s3-signature";
import { closedPort } from "../support/closed-port";
import { KEPT_FOLDER } from "../support/kept-folder";
import { describeWhere } from "../support/requirement";

const VERSION = "v0.0.0-20260212201848-7aac2a2c5b7c";
const FOLDER = join(KEPT_FOLDER, `minio-${VERSION}-of-cdktf-console`);
const PROGRAM = join(FOLDER, "minio");

/** Builds the server from its module; needs Go, and minutes. */
export function installMinio(): void {
  if (existsSync(PROGRAM)) return;
  execFileSync("go", ["install", `github.com/minio/minio@${VERSION}`], {
    stdio: "inherit",
    env: { ...process.env, GOBIN: FOLDER },
  });
}

/** Tests of `npm run test:matrix` alone, which installs the server. */
export function describeWithMinio(promise: string, tests: () => void): void {
  const reason = "MinIO is not installed: npx tsx test/object-stores/install.ts minio";
  describeWhere({ isMet: existsSync(PROGRAM), reason }, promise, tests);
}

const BUCKET = "example-states";
const KEYS = { accessKeyId: "states-of-teams", secretAccessKey: "words-of-teams" };

/** A server of S3 with a bucket that keeps all versions of its objects. */
export class Minio {
  readonly environment = {
    AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
  };

  private constructor(
    private readonly server: ChildProcess,
    private readonly folder: string,
    private readonly url: string,
  ) {}

  static async open(): Promise<Minio> {
    const folder = mkdtempSync(join(tmpdir(), "minio-"));
    const address = `127.0.0.1:${await closedPort()}`;
    const addresses = [
      "--address",
      address,
      "--console-address",
      `127.0.0.1:${await closedPort()}`,
    ];
    const server = spawn(PROGRAM, ["server", "--quiet", ...addresses, folder], {
      stdio: "ignore",
      env: {
        MINIO_ROOT_USER: KEYS.accessKeyId,
        MINIO_ROOT_PASSWORD: KEYS.secretAccessKey,
        MINIO_BROWSER: "off",
        MINIO_UPDATE: "off",
        HOME: folder,
      },
    });
    const minio = new Minio(server, folder, `http://${address}`);
    await minio.ready();
    return minio;
  }

  /** The `backend` block for a state. */
  backend(key: string) {
    const place = { bucket: BUCKET, key, region: "us-east-1", endpoints: { s3: this.url } };
    // It has no users and accounts of AWS.
    const skipped = { skip_credentials_validation: true, skip_requesting_account_id: true };
    return { s3: { ...place, ...skipped, use_lockfile: true, use_path_style: true } };
  }

  async text(key: string): Promise<string> {
    const path = key.split("/").map(encodeURIComponent).join("/");
    const response = await this.request("GET", `/${path}`);
    return response.ok ? response.text() : "";
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.server.once("exit", resolve));
    this.server.kill();
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }

  private request(method: string, path: string, text?: string): Promise<Response> {
    const url = new URL(`${this.url}/${BUCKET}${path}`);
    const body = text === undefined ? undefined : Buffer.from(text);
    const headers = signedHeaders(
      { method, url, headers: {}, body },
      KEYS,
      "us-east-1",
      new Date(),
    );
    return fetch(url, { method, headers, ...(body && { body }) });
  }

  /** Creates the bucket as soon as the server answers. */
  private async ready(): Promise<void> {
    for (;;) {
      try {
        const made = await this.request("PUT", "");
        if (made.ok) break;
      } catch (cause) {
        if (this.server.exitCode !== null) throw new Error("MinIO ended", { cause });
      }
      await sleep(100);
    }
    const versioned = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>";
    const { ok, status } = await this.request("PUT", "?versioning=", versioned);
    if (!ok) throw new Error(`versioning was answered with ${status}`);
  }
}
