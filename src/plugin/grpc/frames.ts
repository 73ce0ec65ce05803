import { GrpcError, Status } from "./status";

/** One byte for compression, four for the length. */
const PREFIX_BYTES = 5;

/** Puts the prefix of gRPC before a message. */
export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  framed.writeUInt8(0, 0);
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, PREFIX_BYTES);
  return framed;
}

/**
 * Reads the only message of a request. Rejects with a `GrpcError` for a message that is compressed,
 * incomplete, or longer than `limit` bytes.
 */
export async function readMessage(
  stream: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > limit + PREFIX_BYTES) {
      throw new GrpcError(Status.RESOURCE_EXHAUSTED, `The request has more than ${limit} bytes.`);
    }
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks, length);
  if (length < PREFIX_BYTES || bytes.readUInt32BE(1) !== length - PREFIX_BYTES) {
    throw new GrpcError(Status.INVALID_ARGUMENT, "The request is not one message.");
  }
  if (bytes.readUInt8(0) !== 0) {
    throw new GrpcError(Status.UNIMPLEMENTED, "Compressed requests are not supported.");
  }
  return bytes.subarray(PREFIX_BYTES);
}
