import { createHash } from "node:crypto";
import { z } from "zod";
import { googleToken, type GoogleIdentity } from "./google-credentials";
import type { Connections } from "./http-dispatcher";
import { exchangeWithServer, type HttpAnswer } from "./http-request";
import type { ListedObjects, ObjectClient, StoredBlob, WrittenObject } from "./object-store";
import { StoreError } from "./state-store";

/** The settings of Terraform's gcs backend for the objects in one bucket. */
export interface GcsSettings {
  /** The address of the service, without a slash at the end. */
  readonly address: string;
  readonly bucket: string;
  readonly identity: GoogleIdentity;
  readonly connections: Connections;
  /** The key of a customer, in base64. */
  readonly encryption: { readonly key: string; readonly digest: string } | undefined;
  readonly kmsKey: string | undefined;
}

const listed = z.object({
  items: z.array(z.object({ name: z.string() })).default([]),
  nextPageToken: z.string().optional(),
});
const written = z.object({ generation: z.string(), md5Hash: z.string().optional() });

/** Sends the requests of Google Cloud Storage. The version of an object is its generation. */
export class GcsClient implements ObjectClient {
  constructor(private readonly settings: GcsSettings) {}

  async read(name: string): Promise<StoredBlob | undefined> {
    const answer = await this.send("GET", this.urlOf(name, { alt: "media" }), name);
    if (answer.status === 404) {
      // An object or the bucket; the message names the bucket only if it is missing.
      if (answer.body.toString().includes("bucket does not exist")) throw refused("read", answer);
      return undefined;
    }
    if (answer.status !== 200 && answer.status !== 206) throw refused("read", answer);
    return { bytes: answer.body, version: answer.headers["x-goog-generation"] ?? "" };
  }

  async write(
    name: string,
    bytes: Buffer,
    replaces: string | undefined,
  ): Promise<WrittenObject | undefined> {
    const { address, bucket, kmsKey } = this.settings;
    const url = new URL(`${address}/upload/storage/v1/b/${encodeURIComponent(bucket)}/o`);
    const query = {
      uploadType: "media",
      name,
      ifGenerationMatch: replaces ?? "0",
      ...(kmsKey !== undefined && !isLock(name) && { kmsKeyName: kmsKey }),
    };
    url.search = new URLSearchParams(query).toString();
    const answer = await this.send("POST", url, name, bytes);
    if (answer.status === 412) return undefined;
    if (answer.status !== 200) throw refused("write", answer);
    const { data } = written.safeParse(jsonIn(answer));
    // An object that is encrypted with a customer's key has no MD5.
    const isProved = data?.md5Hash === createHash("md5").update(bytes).digest("base64");
    return data ? { version: data.generation, isProved } : { version: "", isProved: false };
  }

  async list(prefix: string, next: string | undefined): Promise<ListedObjects> {
    const { address, bucket } = this.settings;
    const url = new URL(`${address}/storage/v1/b/${encodeURIComponent(bucket)}/o`);
    const query = { prefix, delimiter: "/", ...(next !== undefined && { pageToken: next }) };
    url.search = new URLSearchParams(query).toString();
    // The name of a lock: a list is not encrypted either.
    const answer = await this.send("GET", url, ".tflock");
    const { data } = listed.safeParse(jsonIn(answer));
    if (answer.status !== 200 || !data) throw refused("list", answer);
    return { names: data.items.map(({ name }) => name), next: data.nextPageToken };
  }

  async delete(name: string, version: string | undefined): Promise<boolean> {
    const url = this.urlOf(name, { ...(version && { ifGenerationMatch: version }) });
    const answer = await this.send("DELETE", url, name);
    if (answer.status === 412) return false;
    if (![200, 204, 404].includes(answer.status)) throw refused("delete", answer);
    return true;
  }

  private urlOf(name: string, query: Readonly<Record<string, string>>): URL {
    const { address, bucket } = this.settings;
    const path = `storage/v1/b/${encodeURIComponent(bucket)}/o/${encodeURIComponent(name)}`;
    const url = new URL(`${address}/${path}`);
    url.search = new URLSearchParams(query).toString();
    return url;
  }

  private async send(method: string, url: URL, name: string, body?: Buffer): Promise<HttpAnswer> {
    const { connections, identity, encryption } = this.settings;
    const token = await googleToken(identity, connections);
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body && { "content-type": "application/json" }),
      ...(encryption &&
        !isLock(name) &&
        method !== "DELETE" && {
          "x-goog-encryption-algorithm": "AES256",
          "x-goog-encryption-key": encryption.key,
          "x-goog-encryption-key-sha256": encryption.digest,
        }),
    };
    return exchangeWithServer(connections, { method, url, headers, body });
  }
}

/** Terraform encrypts no lock. */
function isLock(name: string): boolean {
  return name.endsWith(".tflock");
}

const problem = z.object({ error: z.object({ message: z.string() }) });

/** Undefined for the other texts of proxies. */
function jsonIn({ body }: HttpAnswer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

function refused(verb: "read" | "write" | "delete" | "list", answer: HttpAnswer): StoreError {
  const { status } = answer;
  const message = problem.safeParse(jsonIn(answer)).data?.error.message;
  const said = message === undefined ? "" : `: ${message.slice(0, 400).replace(/\.$/, "")}`;
  const hint =
    status === 401 || status === 403
      ? ". Check the credentials of Google Cloud, and that they have the role roles/storage.objectUser on the bucket"
      : "";
  return new StoreError(
    `Google Cloud Storage answered ${status} to the request to ${verb} it${said}${hint}`,
  );
}
