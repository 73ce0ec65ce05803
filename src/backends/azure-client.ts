import { createHash } from "node:crypto";
import { z } from "zod";
import { world } from "../core/io/world";
import { setMember } from "../core/member-of";
import { authorized } from "./azure-credentials";
import type { AzureSettings } from "./azure-settings";
import { exchangeWithServer, type HttpAnswer } from "./http-request";
import type { ListedObjects, ObjectClient, StoredBlob, WrittenObject } from "./object-store";
import { NO_VERSION, StoreError, strongTag } from "./state-store";
import { xmlTexts } from "./xml-texts";

export type Metadata = Readonly<Record<string, string>>;

interface BlobRequest {
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

const API_VERSION = "2023-11-03";
const METADATA = "x-ms-meta-";

/**
 * Sends the requests of Azure's blobs. The version of a blob is its ETag and its metadata, because
 * a write replaces the metadata too: each one carries it on.
 */
export class AzureClient implements ObjectClient {
  /** The lease of this run on the blob of a state, which its writes name. */
  lease: { readonly name: string; readonly id: string } | undefined;

  constructor(private readonly settings: AzureSettings) {}

  async read(name: string): Promise<StoredBlob | undefined> {
    const answer = await this.send("GET", name);
    if (isAbsent(answer)) return undefined;
    if (answer.status !== 200) throw refusalOf("read", answer);
    return { bytes: answer.body, version: versionOf(answer.headers.etag, metadataOf(answer)) };
  }

  async write(
    name: string,
    bytes: Buffer,
    replaces: string | undefined,
  ): Promise<WrittenObject | undefined> {
    const [etag, metadata] = replaces === undefined ? [undefined, {}] : version(replaces);
    if (etag === "") throw new StoreError(NO_VERSION);
    if (this.settings.snapshot && etag !== undefined && bytes.length > 0) {
      const headers = { "if-match": etag, ...this.leaseOf(name) };
      const taken = await this.send("PUT", name, { query: { comp: "snapshot" }, headers });
      if (isOtherVersion(taken)) return undefined;
      if (taken.status !== 201) throw refusalOf("make a snapshot of", taken);
    }
    const digest = createHash("md5").update(bytes).digest("base64");
    const headers = {
      ...(etag === undefined ? { "if-none-match": "*" } : { "if-match": etag }),
      ...headersOf(metadata),
      ...this.leaseOf(name),
      "x-ms-blob-type": "BlockBlob",
      "content-type": "application/json",
      "content-md5": digest,
    };
    const answer = await this.send("PUT", name, { headers, body: bytes });
    if (isOtherVersion(answer)) return undefined;
    if (answer.status !== 201) throw refusalOf("write", answer);
    const { etag: written, "content-md5": stored } = answer.headers;
    return { version: versionOf(written, metadata), isProved: !!written && stored === digest };
  }

  async list(prefix: string, next: string | undefined): Promise<ListedObjects> {
    const place = { restype: "container", comp: "list", prefix };
    const query = { ...place, ...(next !== undefined && { marker: next }) };
    const answer = await this.send("GET", "", { query });
    if (answer.status !== 200) throw refusalOf("list", answer);
    const [marker] = xmlTexts(answer.body, "NextMarker");
    return { names: xmlTexts(answer.body, "Name"), next: marker };
  }

  async delete(name: string, present: string | undefined): Promise<boolean> {
    const [etag] = present === undefined ? [] : version(present);
    const headers = { ...(etag && { "if-match": etag }), ...this.leaseOf(name) };
    const answer = await this.send("DELETE", name, { headers });
    if (answer.headers["x-ms-error-code"] === "SnapshotsPresent") {
      // They stay: a blob without content is no state.
      return (await this.write(name, Buffer.alloc(0), present)) !== undefined;
    }
    if (answer.status === 412) return false;
    if (answer.status !== 202 && !isAbsent(answer)) throw refusalOf("delete", answer);
    return true;
  }

  /** @param name Empty: that of the container. */
  async send(method: string, name: string, request: BlobRequest = {}): Promise<HttpAnswer> {
    const { connections, address, container } = this.settings;
    const path = [container, ...(name === "" ? [] : name.split("/"))]
      .map(encodeURIComponent)
      .join("/");
    const url = new URL(`${address}/${path}`);
    url.search = new URLSearchParams(request.query).toString();
    const headers = {
      ...request.headers,
      "x-ms-version": API_VERSION,
      "x-ms-date": world.clock.now().toUTCString(),
    };
    const { body } = request;
    const sent = await authorized({ method, url, headers, body }, this.settings);
    return exchangeWithServer(connections, sent);
  }

  private leaseOf(name: string): Readonly<Record<string, string>> {
    return this.lease?.name === name ? { "x-ms-lease-id": this.lease.id } : {};
  }
}

const versionParts = z.tuple([z.string(), z.record(z.string(), z.string())]);

function versionOf(etag: string | undefined, metadata: Metadata): string {
  return JSON.stringify([strongTag(etag), metadata]);
}

function version(text: string): readonly [string, Metadata] {
  return versionParts.parse(JSON.parse(text));
}

export function metadataOf({ headers }: HttpAnswer): Metadata {
  const metadata: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(METADATA)) setMember(metadata, name.slice(METADATA.length), value);
  }
  return metadata;
}

export function headersOf(metadata: Metadata): Readonly<Record<string, string>> {
  const entries = Object.entries(metadata);
  return Object.fromEntries(entries.map(([name, value]) => [METADATA + name, value]));
}

/** Reports whether there is no such blob. Without its container, its place is wrong. */
export function isAbsent({ status, headers }: HttpAnswer): boolean {
  return status === 404 && headers["x-ms-error-code"] !== "ContainerNotFound";
}

function isOtherVersion(answer: HttpAnswer): boolean {
  const code = answer.headers["x-ms-error-code"];
  const isExpected =
    code === undefined || code === "ConditionNotMet" || code === "BlobAlreadyExists";
  return isAbsent(answer) || ((answer.status === 412 || answer.status === 409) && isExpected);
}

export function refusalOf(verb: string, { status, headers, body }: HttpAnswer): StoreError {
  const code = headers["x-ms-error-code"] ?? "";
  const [, message] = /<Message>([^<\n]{1,400})/.exec(body.toString("utf8", 0, 4000)) ?? [];
  const said = message === undefined ? "" : `: ${message.trim().replace(/\.$/, "")}`;
  return new StoreError(
    `Azure Storage answered ${status}${code === "" ? "" : ` ${code}`} to the request to ${verb} it${said}${hintOf(status, code)}`,
  );
}

function hintOf(status: number, code: string): string {
  if (code.startsWith("Lease"))
    return ". The lock of this run was removed, or another run holds one";
  if (status !== 401 && status !== 403) return "";
  return ". Check the credentials of Azure, and that they have the role Storage Blob Data Contributor on the container";
}
