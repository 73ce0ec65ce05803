import { createHash } from "node:crypto";

/**
 * Returns the digest of a line of a record, in hex. The line has the digest of the one before it, so
 * that it covers all of them.
 */
export function digestOfLine(line: string): string {
  return createHash("sha256").update(line).digest("hex");
}

/**
 * Returns the part of a digest that the next line has. Nobody finds another line with the same 64 bits,
 * and the state has the whole digest of the last one.
 */
export function shortDigest(digest: string): string {
  return digest.slice(0, 16);
}

/** Follows the digests of a record from line to line. */
export class ProvedLines {
  /** The digests of the lines that are as they were written. */
  readonly digests: string[] = [];
  /** The number of the first line that is not. */
  damagedAt: number | undefined;
  /** True once a line had the digest of the one before it: older programs write none. */
  hasDigests = false;

  /**
   * Adds the next line, and reports whether it is as it was written, as are all before it.
   *
   * @param previous - the digest that the line has
   */
  add(line: string, previous: string | undefined): boolean {
    if (this.damagedAt !== undefined) return false;
    const last = this.digests.at(-1) ?? "";
    // Earlier versions have written whole digests.
    const isNext =
      previous === undefined ? !this.hasDigests : [last, shortDigest(last)].includes(previous);
    if (!isNext) {
      this.damagedAt = this.digests.length + 1;
      return false;
    }
    this.hasDigests ||= previous !== undefined;
    this.digests.push(digestOfLine(line));
    return true;
  }
}
