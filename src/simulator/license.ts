import { createHash } from "node:crypto";

/** What the console keeps of a license key: enough to tell it from another. */
export function fingerprintOf(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 16);
}
