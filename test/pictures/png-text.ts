import { crc32 } from "node:zlib";

const SIGNATURE_BYTES = 8;
/** Length, type and checksum of a chunk. */
const FRAME_BYTES = 12;
const KEYWORD = Buffer.from("Description\0", "latin1");

/** Adds a text to a PNG, which pictures do not show: an uncompressed `iTXt` chunk in front of the end. */
export function withText(png: Buffer, text: string): Buffer {
  // No compression, no language, no translated keyword.
  const content = Buffer.concat([Buffer.from("iTXt"), KEYWORD, Buffer.alloc(4), Buffer.from(text)]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length - 4, 0);
  frame.writeUInt32BE(crc32(content), 4);
  const end = png.length - FRAME_BYTES;
  return Buffer.concat([
    png.subarray(0, end),
    frame.subarray(0, 4),
    content,
    frame.subarray(4),
    png.subarray(end),
  ]);
}

/** The text that `withText` added. */
export function textIn(png: Buffer): string | undefined {
  for (let at = SIGNATURE_BYTES; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "iTXt") {
      return png.toString("utf8", at + 8 + KEYWORD.length + 4, at + 8 + length);
    }
    at += length + FRAME_BYTES;
  }
  return undefined;
}
