import fc from "fast-check";
import { formatJson, type JsonTree } from "../../../src/core/json/format-json";
import { parseJson } from "../../../src/core/json/lossless-json";
import { ContentReader, ContentWriter } from "../../../src/fleet/run-log/repeated-content";

const LONG = "x".repeat(300);

/** Writes lines and reads them again, as from a file. */
function roundTrip(lines: readonly JsonTree[]): readonly unknown[] {
  const [writer, reader] = [new ContentWriter(), new ContentReader()];
  return lines.map((line, at) => {
    const named = writer.name(line, "line", String(at));
    for (const { sha256, value } of named.contents) {
      reader.add({ sha256, value: parseJson(formatJson(value)) });
    }
    return reader.expand(parseJson(formatJson(named.line)));
  });
}

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64");

test("writes what is repeated once", () => {
  const writer = new ContentWriter();
  const line = { name: "a", policies: [{ name: LONG }], found: LONG };
  expect(writer.name(line, "line", "a").contents).toHaveLength(2);
  const again = writer.name({ ...line, name: "b" }, "line", "b");
  expect(again.contents).toHaveLength(1);
  const third = writer.name({ ...line, name: "c" }, "line", "c");
  expect(third.contents).toEqual([]);
  expect(formatJson(third.line).length).toBeLessThan(80);
});

test("writes once what is repeated within private states", () => {
  const writer = new ContentWriter();
  const line = (console: string) => ({ private: base64({ snapshot: LONG, console, id: 7 }) });
  for (const name of ["a", "b"]) writer.name(line(name), "line", name);
  const { line: third, contents } = writer.name(line("c"), "line", "c");
  expect(contents).toEqual([]);
  expect(formatJson(third)).toMatch(/"@own":\{"private":\{"@base64":\{"console":"c"\}\}\}/);
  expect(roundTrip([line("a"), line("b"), line("c")])).toEqual([line("a"), line("b"), line("c")]);
});

test.each([
  { cdktf_console_content: "0".repeat(64) },
  { "@content": "0".repeat(32) },
  { "@content": "0".repeat(32), "@own": { a: 1 } },
  { "@base64": { a: 1 } },
  { "@own": {} },
])("a value that looks like a name stays what it is: %j", (name) => {
  for (const line of [name, { attributes: name }, [name], { a: [name, 1] }]) {
    expect(roundTrip([line])).toEqual([line]);
    expect(roundTrip([line, line, [line, LONG]])).toEqual([line, line, [line, LONG]]);
  }
});

test("reads the names of earlier versions, which are whole digests", () => {
  const reader = new ContentReader();
  const sha256 = "0123456789abcdef".repeat(4);
  reader.add({ sha256, value: [LONG] });
  expect(reader.expand({ after: { cdktf_console_content: sha256 } })).toEqual({ after: [LONG] });
});

test("a name without its content is an error", () => {
  const { line } = new ContentWriter().name({ found: LONG }, "line", "a");
  expect(() => new ContentReader().expand(parseJson(formatJson(line)))).toThrow(
    /^the content [0-9a-f]{32} is not in the lines before it\.$/,
  );
});

test("reads all lines as they were", () => {
  const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonTree>;
  const long = fc.constantFrom<JsonTree>(LONG, [LONG], { a: LONG }, [{ checks: { "599": true } }]);
  const state = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.constant(LONG))).map(base64);
  const key = fc.oneof(fc.constantFrom("a", "b", "@own", "__proto__"), fc.string());
  // Few keys: many lines have the same ones.
  const line = fc.dictionary(key, fc.oneof(json, long, state, fc.dictionary(key, long)));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const expected = lines.map((one) => parseJson(formatJson(one)));
      expect(roundTrip(lines)).toEqual(expected);
    }),
  );
});
