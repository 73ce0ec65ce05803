import fc from "fast-check";
import { formatJson, type JsonTree } from "../../../src/core/json/format-json";
import { parseJson } from "../../../src/core/json/lossless-json";
import { ContentReader, ContentWriter } from "../../../src/fleet/run-log/repeated-content";

const LONG = "x".repeat(300);

/** Writes lines and reads them again, as from a file. */
function roundTrip(lines: readonly JsonTree[]): readonly unknown[] {
  const [writer, reader] = [new ContentWriter(), new ContentReader()];
  return lines.map((line) => {
    const named = writer.name(line);
    for (const { sha256, value } of named.contents) {
      reader.add({ sha256, value: parseJson(formatJson(value)) });
    }
    return reader.expand(parseJson(formatJson(named.line)));
  });
}

test("writes what is repeated once", () => {
  const writer = new ContentWriter();
  const line = { name: "a", policies: [{ name: LONG }], found: LONG };
  expect(writer.name(line).contents).toHaveLength(2);
  const again = writer.name({ ...line, name: "b" });
  expect(again.contents).toEqual([]);
  expect(formatJson(again.line).length).toBeLessThan(300);
});

test("a value that looks like a name stays what it is", () => {
  const name = { cdktf_console_content: "0".repeat(64) };
  for (const line of [name, { attributes: name }, [name], { a: [name, 1] }]) {
    expect(roundTrip([line])).toEqual([line]);
  }
});

test("a name without its content is an error", () => {
  const { line } = new ContentWriter().name({ found: LONG });
  expect(() => new ContentReader().expand(parseJson(formatJson(line)))).toThrow(
    /^the content [0-9a-f]{64} is not in the lines before it\.$/,
  );
});

test("reads all lines as they were", () => {
  const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonTree>;
  const long = fc.constantFrom<JsonTree>(LONG, [LONG], { a: LONG }, [{ checks: { "599": true } }]);
  const line = fc.dictionary(fc.string(), fc.oneof(json, long));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const expected = lines.map((one) => parseJson(formatJson(one)));
      expect(roundTrip(lines)).toEqual(expected);
    }),
  );
});
