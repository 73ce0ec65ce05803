import { createHmac } from "node:crypto";
import type { HttpRequest } from "./http-request";

/** The headers that a signature has by their place, in this order. */
const PLACED = [
  "content-encoding",
  "content-language",
  "content-length",
  "content-md5",
  "content-type",
  "date",
  "if-modified-since",
  "if-match",
  "if-none-match",
  "if-unmodified-since",
  "range",
];

/**
 * Returns the Authorization header of a request that is signed with a key of the storage account.
 *
 * @param key base64
 */
export function sharedKey(request: HttpRequest, account: string, key: string): string {
  const signature = createHmac("sha256", Buffer.from(key, "base64"))
    .update(signedText(request, account))
    .digest("base64");
  return `SharedKey ${account}:${signature}`;
}

function signedText({ method, url, headers, body }: HttpRequest, account: string): string {
  const length = body === undefined || body.length === 0 ? "" : String(body.length);
  const all = new Map([...Object.entries(headers), ["content-length", length] as const]);
  const ofService = [...all].filter(([name]) => name.startsWith("x-ms-")).sort(byName);
  const query = [...url.searchParams].sort(byName);
  return [
    method,
    ...PLACED.map((name) => all.get(name) ?? ""),
    ...ofService.map(([name, value]) => `${name}:${value.trim()}`),
    `/${account}${url.pathname}`,
    ...query.map(([name, value]) => `${name}:${value}`),
  ].join("\n");
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}
