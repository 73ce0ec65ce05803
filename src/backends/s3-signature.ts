import { createHash, createHmac } from "node:crypto";
import type { AwsKeys } from "./s3-settings";

/** A request to sign. */
interface Signed {
  readonly method: string;
  /** Its path is encoded, its query too and sorted. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

/** Returns the headers of a request with AWS's signature, version 4, of all of them and the body. */
export function signedHeaders(
  { method, url, headers, body = Buffer.alloc(0) }: Signed,
  { accessKeyId, secretAccessKey, sessionToken }: AwsKeys,
  region: string,
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const digest = sha256(body);
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    "x-amz-content-sha256": digest,
    "x-amz-date": time,
    ...(sessionToken !== undefined && { "x-amz-security-token": sessionToken }),
  };
  const entries = Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = entries.map(([name, value]) => `${name}:${value.trim()}\n`).join("");
  const signed = entries.map(([name]) => name).join(";");
  const request = [method, url.pathname, url.search.slice(1), lines, signed, digest].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", time, scope, sha256(Buffer.from(request))].join("\n");
  const key = [day, region, "s3", "aws4_request"].reduce<Buffer>(
    hmac,
    Buffer.from(`AWS4${secretAccessKey}`),
  );
  const signature = hmac(key, text).toString("hex");
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
  return { ...all, authorization };
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
