import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { closedPort } from "../support/closed-port";
import { KEPT_FOLDER } from "../support/kept-folder";
import { installPython, isPythonEnvironment } from "../support/python-environment";
import { describeWhere, installed } from "../support/requirement";
import { Relay } from "./relay";

const VERSION = "5.2.5";
const FOLDER = join(KEPT_FOLDER, `moto-${VERSION}-of-cdktf-console`);

export const MOTO = installed(
  isPythonEnvironment(FOLDER),
  "moto is not installed: npx tsx test/object-stores/install.ts",
);

export function installMoto(): void {
  installPython(FOLDER, `moto[server]==${VERSION}`);
}

/** Tests that need moto, a server of AWS's API: skipped where it is missing, but never in CI. */
export function describeWithMoto(promise: string, tests: () => void): void {
  describeWhere(MOTO, promise, tests);
}

const BUCKET = "example-states";
export const KEYS = { AWS_ACCESS_KEY_ID: "ann", AWS_SECRET_ACCESS_KEY: "words" };

/** The header of a request whose credentials are not checked. */
const authorizationFor = (service: string) =>
  `AWS4-HMAC-SHA256 Credential=root/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=none`;

/** A server of S3, IAM and STS, with a bucket. Requests pass a relay. */
export class Moto {
  readonly environment = KEYS;

  private constructor(
    private readonly server: ChildProcess,
    /** The address of the server itself. */
    readonly direct: string,
    readonly relay: Relay,
  ) {}

  /** @param unchecked The number of requests before those that need credentials. Default: all. */
  static async open(unchecked?: number): Promise<Moto> {
    const port = await closedPort();
    const environment =
      unchecked === undefined ? {} : { INITIAL_NO_AUTH_ACTION_COUNT: String(unchecked) };
    const server = spawn(join(FOLDER, "bin/moto_server"), ["-H", "127.0.0.1", "-p", `${port}`], {
      env: { ...process.env, ...environment },
      stdio: "ignore",
    });
    const direct = `http://127.0.0.1:${port}`;
    const moto = new Moto(server, direct, await Relay.open(port));
    await moto.ready();
    await moto.request("PUT", "");
    return moto;
  }

  get url(): string {
    return this.relay.url;
  }

  /** The `backend` block for a state. */
  backend(key: string, settings: object = {}) {
    const block = {
      bucket: BUCKET,
      key,
      region: "us-east-1",
      use_lockfile: true,
      use_path_style: true,
      max_retries: 2,
      endpoints: { s3: this.url, sts: this.url, iam: this.url },
      ...settings,
    };
    return { s3: block };
  }

  /** Calls IAM without a check of the credentials; returns the XML. */
  async iam(action: string, parameters: Readonly<Record<string, string>>): Promise<string> {
    const response = await fetch(this.direct, {
      method: "POST",
      headers: {
        authorization: authorizationFor("iam"),
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({ Action: action, Version: "2010-05-08", ...parameters }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  }

  async text(key: string): Promise<string> {
    const response = await this.request("GET", `/${key}`);
    return response.ok ? response.text() : "";
  }

  async json(key: string) {
    return JSON.parse((await this.text(key)) || "null") as {
      serial: number;
      lineage: string;
      resources: unknown[];
      ID: string;
    } | null;
  }

  async put(key: string, text: string): Promise<void> {
    await this.request("PUT", `/${key}`, text);
  }

  async delete(key: string): Promise<void> {
    await this.request("DELETE", `/${key}`);
  }

  async headers(key: string): Promise<Headers> {
    return (await this.request("HEAD", `/${key}`)).headers;
  }

  /** The names of the objects. */
  async keys(): Promise<string[]> {
    const list = await (await this.request("GET", "?list-type=2")).text();
    return [...list.matchAll(/<Key>([^<]*)/g)].map(([, key = ""]) => key);
  }

  async close(): Promise<void> {
    await this.relay.close();
    const ended = new Promise((resolve) => this.server.once("exit", resolve));
    this.server.kill();
    await ended;
  }

  private request(method: string, path: string, body?: string): Promise<Response> {
    const headers = { authorization: authorizationFor("s3") };
    const init = { method, headers, ...(body !== undefined && { body }) };
    return fetch(`${this.direct}/${BUCKET}${path}`, init);
  }

  private async ready(): Promise<void> {
    for (;;) {
      try {
        await fetch(`${this.direct}/moto-api/data.json`);
        return;
      } catch (cause) {
        if (this.server.exitCode !== null) throw new Error("moto ended", { cause });
        await sleep(50);
      }
    }
  }
}
