/** Places in a program of Windows, from the start of its headers. */
const HEADERS_AT = 0x3c;
const OPTIONAL_HEADER = 24;
/** The directory of signatures, in the optional header of a 64-bit program. */
const SIGNATURES = 112 + 4 * 8;
const CHECKSUM = 64;

/**
 * Returns a program of Windows without the signature at its end, which is that of its publisher. The
 * content that is added makes it invalid; the publisher of the executable signs it again.
 */
export function withoutSignature(program: Buffer): Buffer {
  const optional = program.readUInt32LE(HEADERS_AT) + OPTIONAL_HEADER;
  const at = program.readUInt32LE(optional + SIGNATURES);
  const size = program.readUInt32LE(optional + SIGNATURES + 4);
  if (at === 0 || at + size !== program.length) throw new Error("the signature is not at the end");
  const plain = Buffer.from(program.subarray(0, at));
  plain.fill(0, optional + SIGNATURES, optional + SIGNATURES + 8);
  plain.fill(0, optional + CHECKSUM, optional + CHECKSUM + 4);
  return plain;
}
