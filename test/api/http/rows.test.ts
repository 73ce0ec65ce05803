import { ConsoleClient } from "../../../src/api/client";
import { SchemaMismatchError } from "../../../src/api/errors";

/** A client of a console that answers each request with the next of the bodies. */
function answering(...bodies: (() => AsyncIterable<Uint8Array>)[]): ConsoleClient {
  return new ConsoleClient({
    baseUrl: "console",
    sleep: () => Promise.resolve(),
    transport: () =>
      Promise.resolve({
        status: 200,
        headers: { "content-type": "application/json" },
        body: bodies.shift()?.() ?? parts(),
      }),
  });
}

async function* parts(...texts: string[]): AsyncGenerator<Uint8Array, void, undefined> {
  for (const text of texts) {
    await Promise.resolve();
    yield Buffer.from(text);
  }
}

const ids = { rowOf: (row: unknown) => (row as { id: number }).id };

test("keeps a row of each element before the answer is complete", async () => {
  const seen: number[] = [];
  const known: number[][] = [];
  const client = answering(async function* () {
    for (const part of ['[{"id":1,"x":"y"},', '{"id":2},{"i', 'd":3}]']) {
      yield* parts(part);
      known.push([...seen]);
    }
  });
  const { rows, rest } = await client.rows("ping", {
    rowOf: (row) => seen.push(ids.rowOf(row)),
  });
  expect(known).toEqual([[1], [1, 2], [1, 2, 3]]);
  expect(rows).toHaveLength(3);
  expect(rest.text()).toBe("[]");
});

test("begins again when the connection breaks off", async () => {
  const client = answering(
    async function* () {
      yield* parts('[{"id":1},{"id":2},');
      throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
    },
    () => parts('[{"id":1},{"id":2}]'),
  );
  expect((await client.rows("ping", ids)).rows).toEqual([1, 2]);
});

test.each([['[{"id":1}'], ["<html>"], ['[{"id":1},canary]'], ['{"a" [1]}']])(
  "refuses %j without showing it",
  async (text) => {
    const failing = answering(() => parts(text)).rows("ping", { ...ids, member: "a" });
    await expect(failing).rejects.toBeInstanceOf(SchemaMismatchError);
    await expect(failing).rejects.toThrow(
      `${Buffer.byteLength(text)} bytes of application/json that are not JSON.`,
    );
  },
);
