import { once } from "node:events";
import { PassThrough } from "node:stream";
import { readStream } from "../../../src/core/io/read-stream";

const LIMIT = 1000;

test("reads a stream to its end", async () => {
  const stream = new PassThrough();
  const read = readStream(stream, LIMIT);
  stream.write("a");
  stream.end("b");
  expect((await read).toString()).toBe("ab");
});

test("refuses a stream without an end, and closes it", async () => {
  const stream = new PassThrough();
  const read = readStream(stream, LIMIT);
  stream.write(Buffer.alloc(LIMIT + 1));
  await expect(read).rejects.toThrow("is larger than 1000 bytes");
  expect(stream.destroyed).toBe(true);
});

test("refuses a stream that sends nothing more, and closes it", async () => {
  const stream = new PassThrough();
  stream.write("a");
  const closed = once(stream, "close");
  await expect(readStream(stream, LIMIT, 20)).rejects.toThrow("sent nothing for 0.02 s");
  await closed;
});
