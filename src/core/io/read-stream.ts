import type { Readable } from "node:stream";
import { formatMs, InputTooLargeError } from "./size";

/** How long to wait for the next byte of a pipe. */
const IDLE_LIMIT_MS = 10 * 60_000;

/**
 * Reads a stream that has at most `limitBytes` to its end. Rejects, and closes the stream, if it has
 * more or if nothing arrives for `idleLimitMs`.
 */
export function readStream(
  stream: Readable,
  limitBytes: number,
  idleLimitMs = IDLE_LIMIT_MS,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const fail = (failure: Error) => {
      clearTimeout(idle);
      stream.destroy();
      reject(failure);
    };
    const idle = setTimeout(() => {
      fail(new Error(`sent nothing for ${formatMs(idleLimitMs)}`));
    }, idleLimitMs);
    stream.on("data", (chunk: Buffer) => {
      idle.refresh();
      chunks.push(chunk);
      length += chunk.length;
      if (length > limitBytes) fail(new InputTooLargeError(limitBytes));
    });
    stream.once("error", fail);
    stream.once("end", () => {
      clearTimeout(idle);
      resolve(Buffer.concat(chunks));
    });
  });
}
