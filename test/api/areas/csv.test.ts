import fc from "fast-check";
import { readCsv } from "../../../src/api/areas/csv";
import { SchemaMismatchError } from "../../../src/api/errors";

async function* parts(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    await Promise.resolve();
    yield bytes.subarray(at, at + size);
  }
}

async function rows(text: string, size = 5) {
  const all: Readonly<Record<string, string>>[] = [];
  for await (const row of readCsv(parts(text, size), { protected: "defended" })) all.push(row);
  return all;
}

test.each([
  ["a header alone", "a,b\n", []],
  ["nothing", "", []],
  ["a byte order mark", "\ufeffa\n1\n", [{ a: "1" }]],
  ["CRLF and quotes", 'a,b\r\n"1,\n2","say ""x"""\r\n', [{ a: "1,\n2", b: 'say "x"' }]],
  [
    "a header and rows with other line ends",
    "a,b\n1,2\r\n3,4",
    [
      { a: "1", b: "2" },
      { a: "3", b: "4" },
    ],
  ],
  ["old line ends", "a,b\r1,2\r", [{ a: "1", b: "2" }]],
  ["rows of other widths", "a,b\n1\n1,2,3\n", [{ a: "1" }, { a: "1", b: "2" }]],
  ["empty lines", "a\n\n1\n\n", [{ a: "1" }]],
  ["a stray quote", 'a,b\n1" pipe,2\n', [{ a: '1" pipe', b: "2" }]],
  ["another spelling", "protected\n1\n", [{ defended: "1" }]],
  ["both spellings", "protected,defended\n1,2\n", [{ protected: "1", defended: "2" }]],
])("%s", async (_, text, expected) => {
  expect(await rows(text)).toEqual(expected);
});

test("reads every table, regardless of the chunks", async () => {
  const cell = fc.string({ unit: "grapheme", maxLength: 6 });
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { maxLength: 5 }),
      fc.integer({ min: 1, max: 9 }),
      async (table, size) => {
        const text = ["a,b", ...table.map((row) => row.map(quoted).join(","))].join("\n");
        expect(await rows(text, size)).toEqual(table.map(([a, b]) => ({ a, b })));
      },
    ),
    { numRuns: 50 },
  );
});

test("throws the error of the bytes after the complete rows", async () => {
  const broken = async function* () {
    yield* parts("a\n1\n2\n", 3);
    await Promise.resolve();
    throw new Error("broken off");
  };
  const read = async () => {
    for await (const row of readCsv(broken())) expect(row).toHaveProperty("a");
  };
  await expect(read()).rejects.toThrow("broken off");
});

test("stops reading the bytes when the loop ends", async () => {
  let leave: (() => void) | undefined;
  const left = new Promise<void>((resolve) => (leave = resolve));
  const endless = async function* () {
    try {
      yield Buffer.from("a\n");
      for (;;) {
        await new Promise(setImmediate);
        yield Buffer.from("1\n");
      }
    } finally {
      leave?.();
    }
  };
  for await (const row of readCsv(endless())) {
    expect(row).toEqual({ a: "1" });
    break;
  }
  await left;
});

test("refuses an open quote at the end", async () => {
  await expect(rows('a,b\n1,"2\n')).rejects.toThrow(SchemaMismatchError);
});
