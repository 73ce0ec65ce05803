import { createHash } from "node:crypto";
import type { Exchange, HttpAnswer, HttpRequest } from "../../src/backends/http-request";

export type StoreKind = "s3" | "gcs" | "azurerm" | "http";

/** The ways of a server to treat the content of a write. */
export type Keeping = "all" | "nothing" | "a part" | "other bytes";

interface Stored {
  readonly bytes: Buffer;
  readonly version: string;
}

const digest = (algorithm: "md5" | "sha256", bytes: Buffer) =>
  createHash(algorithm).update(bytes).digest("base64");

/** A server of states in memory, with habits that servers and proxies have. */
export class HabitualStore {
  keeping: Keeping = "all";
  /** Answers of writes have the checksum of what is stored. */
  hasChecksums = true;
  /** Versions have the mark of a weak ETag, and only strong ones match. */
  isWeak = false;
  /** Replaces the answers to requests. */
  habit: (request: HttpRequest) => Partial<HttpAnswer> | undefined = () => undefined;
  readonly requests: string[] = [];
  readonly objects = new Map<string, Stored>();
  private leased = false;
  private versions = 0;

  constructor(private readonly kind: StoreKind) {}

  readonly exchange: Exchange = (_, request) => {
    this.requests.push(`${request.method} ${request.url.pathname}`);
    const {
      status = 200,
      headers = {},
      body = Buffer.alloc(0),
    } = this.habit(request) ?? this.answer(request);
    return Promise.resolve({ status, headers, body });
  };

  private answer(request: HttpRequest): Partial<HttpAnswer> {
    const { method, url } = request;
    if (this.kind === "http" && method.includes("LOCK")) return {};
    if (url.searchParams.get("comp") === "lease") return this.lease(request);
    if (url.searchParams.get("comp") === "metadata") return {};
    const name = this.nameOf(request);
    const found = this.objects.get(name);
    if (method === "GET" || method === "HEAD") return found ? this.content(found) : { status: 404 };
    if (!this.permits(request, found)) return { status: 412 };
    if (method === "DELETE") {
      this.objects.delete(name);
      return { status: this.kind === "azurerm" ? 202 : 204 };
    }
    return this.write(request, name);
  }

  private nameOf({ method, url }: HttpRequest): string {
    if (this.kind !== "gcs") return url.pathname;
    if (method === "POST") return url.searchParams.get("name") ?? "";
    return decodeURIComponent(url.pathname.replace(/.*\/o\//, ""));
  }

  private permits({ headers, url }: HttpRequest, found: Stored | undefined): boolean {
    const generation = url.searchParams.get("ifGenerationMatch");
    if (generation !== null) return generation === (found?.version ?? "0");
    if (headers["if-none-match"] !== undefined) return !found;
    const tag = headers["if-match"];
    return tag === undefined || tag === found?.version;
  }

  private content({ bytes, version }: Stored): Partial<HttpAnswer> {
    const headers = { etag: this.tag(version), "x-goog-generation": version };
    const lease = { "x-ms-lease-status": this.leased ? "locked" : "unlocked" };
    return { headers: { ...headers, ...lease }, body: bytes };
  }

  private tag(version: string): string {
    return this.isWeak ? `W/${version}` : version;
  }

  private write({ body = Buffer.alloc(0), headers }: HttpRequest, name: string) {
    const kept = this.kept(name, body);
    this.versions++;
    const version = this.kind === "gcs" ? String(this.versions) : `"${this.versions}"`;
    if (kept) this.objects.set(name, { bytes: kept, version });
    const stored = kept ?? Buffer.alloc(0);
    const { hasChecksums } = this;
    if (this.kind === "gcs") {
      const md5 = hasChecksums && { md5Hash: digest("md5", stored) };
      return { body: Buffer.from(JSON.stringify({ generation: version, ...md5 })) };
    }
    const given = headers["x-amz-checksum-sha256"];
    return {
      status: this.kind === "azurerm" ? 201 : 200,
      headers: {
        etag: this.tag(version),
        ...(hasChecksums && { "content-md5": digest("md5", stored) }),
        ...(hasChecksums && given && { "x-amz-checksum-sha256": digest("sha256", stored) }),
      },
    };
  }

  private kept(name: string, body: Buffer): Buffer | undefined {
    if (!name.endsWith("state")) return body;
    if (this.keeping === "nothing") return undefined;
    if (this.keeping === "a part") return body.subarray(0, body.length >> 1);
    return this.keeping === "all" ? body : Buffer.from(body.toString().replace("t_t", "u_u"));
  }

  private lease({ headers, url }: HttpRequest): Partial<HttpAnswer> {
    if (headers["x-ms-lease-action"] === "release") {
      this.leased = false;
      return {};
    }
    if (!this.objects.has(url.pathname)) return { status: 404 };
    if (this.leased) return { status: 409 };
    this.leased = true;
    return { status: 201 };
  }
}
