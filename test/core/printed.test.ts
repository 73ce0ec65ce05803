import fc from "fast-check";
import { error, reword, withParagraph } from "../../src/core/diagnostics";
import { block, joined, printed, Printed, prose } from "../../src/core/printed";

/** Text that tries to write lines, commands and control sequences. */
const hostile = fc.string({
  unit: fc.constantFrom(
    ...Array.from("a ::##[]\n\r\t\v\0\x1b\x7f\x85\x9b\u2028\u2029\u202e\u2066\u200b\ufeff"),
  ),
});
/** Control characters, separators of lines and invisible characters, but a line break. */
const FORBIDDEN = /[^\P{C}\n]|[\u2028\u2029]/u;

test("prints a string from outside in one line", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      for (const shown of [printed`<${text}>`, Printed.line(text), joined([text, text], ", ")]) {
        expect(shown.lines).toHaveLength(1);
        expect(String(shown)).not.toMatch(FORBIDDEN);
      }
      const { summary, detail } = error(`Summary ${text}`, `Detail ${text}`);
      expect(`${summary}${detail}`).not.toMatch(/[^\P{C}]|[\u2028\u2029]/u);
    }),
  );
});

test("keeps the line breaks of templates, and escapes text once", () => {
  const inner = printed`one\n${"a\nb"}`;
  const outer = printed`${inner}\n\n${inner}`;
  expect(String(outer)).toBe("one\na\\nb\n\none\na\\nb");
  const twice = withParagraph(error("x", outer), "c\rd");
  expect(twice.detail).toBe(`${String(outer)}\n\nc\\rd`);
  const reworded = reword(twice, (line) => line.replace("one", "two\n::error::"));
  expect(reworded.detail).toBe("two\\n::error::\na\\nb\n\ntwo\\n::error::\na\\nb\n\nc\\rd");
});

test("shows the lines of other programs behind a mark", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const { lines } = block(text);
      for (const line of lines) expect(String(line)).toMatch(/^ {2}\| /);
      expect(String(block(text))).not.toMatch(FORBIDDEN);
    }),
  );
  expect(String(block("a\n::error::b\r\n\tc"))).toBe("  | a\n  | ::error::b\n  |     c");
});

test("keeps the paragraphs of authors, but for commands of a CI system", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const shown = prose(text);
      for (const line of shown.lines) expect(String(line)).not.toMatch(/^\s*(::|##)/);
      expect(String(shown)).not.toMatch(FORBIDDEN);
    }),
  );
  expect(String(prose("First.\n\n  ::error::x\nLast."))).toBe("First.\n\n|   ::error::x\nLast.");
});
