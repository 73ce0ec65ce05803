import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

/** Characters of a part. Temporal refuses payloads of 2 MB. */
const MOST_CHARACTERS = 900_000;

/** Bytes of a part before it is compressed. */
const MOST_BYTES = 2 ** 28;

/** Encodes lines as compressed text; undefined if it is too large for one message. */
export function encodeLines(lines: readonly string[]): string | undefined {
  // Tenants often change alike, also in plans that are far apart.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 };
  const text = brotliCompressSync(lines.join("\n"), { params }).toString("base64");
  return text.length > MOST_CHARACTERS ? undefined : text;
}

/** Decodes lines, which anybody with access to the server may have written. */
export function decodeLines(text: string): readonly string[] {
  const bytes = brotliDecompressSync(Buffer.from(text, "base64"), { maxOutputLength: MOST_BYTES });
  return bytes.toString("utf8").split("\n");
}
