import { LineSplitter } from "../../../src/core/io/lines";

function split(...pieces: readonly string[]): readonly string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  pieces.forEach(splitter.add);
  splitter.end();
  return lines;
}

test.each([
  [["a\nb\r\nc\rd"], ["a", "b", "c", "d"]],
  [
    ["a\r", "\nb"],
    ["a", "b"],
  ],
  [
    ["a", "b\n\n", "c\n"],
    ["ab", "", "c"],
  ],
])("%j are the lines %j", (pieces, lines) => {
  expect(split(...pieces)).toEqual(lines);
});

test("a line without an end is passed on in pieces", () => {
  const piece = "x".repeat(1_000_000);
  const lines = split(piece, piece, piece);
  expect(lines.join("")).toHaveLength(3_000_000);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(2_500_000);
});
