import { createHmac } from "node:crypto";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sharedKey } from "../../src/backends/azure-signature";
import { exchangeWithServer, type HttpAnswer } from "../../src/backends/http-request";
import type { Connections } from "../../src/backends/http-dispatcher";
import { authority } from "../api/support/certificates";
import { closedPort } from "../support/closed-port";
import { KEPT_FOLDER } from "../support/kept-folder";
import { describeWhere, installed } from "../support/requirement";
import { Tunnels } from "./azure-tunnels";
import { Entra } from "./entra";
import { Relay } from "./relay";

const VERSION = "3.35.0";
const FOLDER = join(KEPT_FOLDER, `azurite-${VERSION}-of-cdktf-console`);
const PROGRAM = join(FOLDER, "node_modules/azurite/dist/src/blob/main.js");

const AZURITE = installed(
  existsSync(PROGRAM),
  "Azurite is not installed: npx tsx test/object-stores/install.ts",
);

/** Installs the server, with 370 packages that are no dependencies. */
export function installAzurite(): void {
  if (existsSync(PROGRAM)) return;
  // Elsewhere first, so that what is there is whole.
  const folder = mkdtempSync(`${FOLDER}-`);
  const options = ["--no-save", "--no-fund", "--no-audit", "--ignore-scripts", "--prefix", folder];
  execFileSync("npm", ["install", ...options, `azurite@${VERSION}`], { stdio: "inherit" });
  rmSync(FOLDER, { recursive: true, force: true });
  renameSync(folder, FOLDER);
}

/** Tests that need a server of Azure's blobs: skipped where it is missing, but never in CI. */
export function describeWithAzurite(promise: string, tests: () => void): void {
  describeWhere(AZURITE, promise, tests);
}

const ACCOUNT = "examplestates";
const CONTAINER = "states";
const HOST = `${ACCOUNT}.blob.core.windows.net`;
const KEY = Buffer.alloc(64, 5).toString("base64");
export const ACCESS = { ARM_ACCESS_KEY: KEY };

/**
 * A storage account with a container, at the address that it has in Azure: neither engine has a
 * setting for another one, so that they get there by a proxy. Requests pass a relay.
 */
export class Azurite {
  private constructor(
    private readonly folder: string,
    private readonly server: ChildProcess,
    readonly relay: Relay,
    readonly entra: Entra,
    readonly tunnels: Tunnels,
    /** The authority of all certificates. */
    readonly ca: string,
    private readonly port: number,
  ) {}

  static async open(): Promise<Azurite> {
    const folder = mkdtempSync(join(tmpdir(), "azurite-"));
    const authorities = await authority();
    const { ca } = authorities;
    const issue = (host: string) => authorities.issue({ host });
    const tls = await issue(HOST);
    for (const [name, text] of Object.entries({ ...tls, ca })) {
      writeFileSync(join(folder, `${name}.pem`), text);
    }
    const port = await closedPort();
    const options = ["--inMemoryPersistence", "--silent", "--skipApiVersionCheck"];
    const encrypted = ["--oauth", "basic", "--cert", "cert.pem", "--key", "key.pem"];
    const server = spawn(
      process.execPath,
      [PROGRAM, "--blobPort", String(port), "--disableTelemetry", ...options, ...encrypted],
      { cwd: folder, stdio: "ignore", env: { AZURITE_ACCOUNTS: `${ACCOUNT}:${KEY}` } },
    );
    const relay = await Relay.open(port, tls);
    const login = await issue("login.microsoftonline.com");
    const manager = await issue("management.azure.com");
    const [entra, resources] = [await Entra.open(login, KEY), await Entra.open(manager, KEY)];
    const ports = new Map([
      [HOST, relay.ownPort],
      ["login.microsoftonline.com", entra.port],
      ["management.azure.com", resources.port],
    ]);
    const tunnels = await Tunnels.open(ports);
    const azurite = new Azurite(folder, server, relay, entra, tunnels, ca, port);
    azurite.closing.push(() => resources.close());
    await azurite.ready();
    return azurite;
  }

  private readonly closing: (() => Promise<void>)[] = [];

  /** The variables with which a process gets there, and to no other server. */
  get way(): Readonly<Record<string, string>> {
    const file = join(this.folder, "ca.pem");
    return {
      HTTPS_PROXY: this.tunnels.url,
      NO_PROXY: "localhost,127.0.0.1",
      NODE_EXTRA_CA_CERTS: file,
      SSL_CERT_FILE: file,
    };
  }

  /** The `backend` block for a state. */
  backend(key: string, settings: object = {}) {
    const place = { storage_account_name: ACCOUNT, container_name: CONTAINER, key };
    return { azurerm: { ...place, ...settings } };
  }

  async text(name: string): Promise<string> {
    const { status, body } = await this.send("GET", `/${name}`);
    return status === 200 ? body.toString() : "";
  }

  async json(name: string) {
    return JSON.parse((await this.text(name)) || "null") as {
      serial: number;
      lineage: string;
      resources: unknown[];
    } | null;
  }

  /** The headers of a blob; undefined if there is none. */
  async headers(name: string): Promise<Readonly<Record<string, string>> | undefined> {
    const { status, headers } = await this.send("HEAD", `/${name}`);
    return status === 200 ? headers : undefined;
  }

  /** The run that holds the lock of a state. */
  async holder(name: string): Promise<{ readonly ID: string } | undefined> {
    const text = (await this.headers(name))?.["x-ms-meta-terraformlockid"];
    if (text === undefined) return undefined;
    return JSON.parse(Buffer.from(text, "base64").toString()) as { readonly ID: string };
  }

  async put(name: string, text: string, headers: Record<string, string> = {}): Promise<void> {
    const all = { "x-ms-blob-type": "BlockBlob", ...headers };
    await this.send("PUT", `/${name}`, all, Buffer.from(text));
  }

  /** A shared access signature with these permissions on the container. */
  sas(permissions: string): string {
    const [expiry, version] = ["2099-01-01T00:00:00Z", "2022-11-02"];
    const resource = `/blob/${ACCOUNT}/${CONTAINER}`;
    const given = [permissions, "", expiry, resource, "", "", "https", version, "c"];
    const text = [...given, "", "", "", "", "", "", ""].join("\n");
    const sig = createHmac("sha256", Buffer.from(KEY, "base64")).update(text).digest("base64");
    const query = { sp: permissions, se: expiry, spr: "https", sv: version, sr: "c", sig };
    return new URLSearchParams(query).toString();
  }

  /** Sends a request with the key of the account, past the relay. */
  async send(
    method: string,
    path: string,
    given: Readonly<Record<string, string>> = {},
    body?: Buffer,
  ): Promise<HttpAnswer> {
    const url = new URL(`https://${HOST}/${CONTAINER}${path}`);
    const headers = {
      ...given,
      "x-ms-version": "2023-11-03",
      "x-ms-date": new Date().toUTCString(),
    };
    const authorization = sharedKey({ method, url, headers, body }, ACCOUNT, KEY);
    const direct = new URL(`https://127.0.0.1:${this.port}${url.pathname}${url.search}`);
    const sent = { ...headers, host: HOST, authorization };
    return exchangeWithServer(DIRECT, { method, url: direct, headers: sent, body });
  }

  async close(): Promise<void> {
    await Promise.all([this.tunnels.close(), this.relay.close(), this.entra.close()]);
    await Promise.all(this.closing.map((close) => close()));
    const ended = new Promise((resolve) => this.server.once("exit", resolve));
    // Its states are in memory, and it would wait for connections of killed processes.
    this.server.kill("SIGKILL");
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Creates the container as soon as the server answers. */
  private async ready(): Promise<void> {
    for (;;) {
      try {
        const { status } = await this.send("PUT", "?restype=container");
        if (status === 201) return;
        throw new Error(`the container was answered with ${status}`);
      } catch (cause) {
        if (this.server.exitCode !== null) throw new Error("Azurite ended", { cause });
        if (String(cause).includes("answered")) throw cause;
        await sleep(50);
      }
    }
  }
}

const DIRECT: Connections = {
  proxy: { httpsProxy: "", noProxy: "" },
  verify: false,
  ca: undefined,
  certificate: undefined,
  key: undefined,
  retries: 0,
  minRetryMs: 0,
  maxRetryMs: 0,
  methods: [],
};
