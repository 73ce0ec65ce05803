import fc from "fast-check";
import { wordWrap } from "../../../src/formats/text/word-wrap";

const words = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 30 });

test("keeps lines within the width and loses no word", () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 10, max: 40 }), (list, width) => {
      const text = list.join(" ");
      const wrapped = wordWrap(text, width);
      expect(Math.max(...wrapped.split("\n").map((line) => line.length))).toBeLessThanOrEqual(
        width,
      );
      expect(wrapped.replace(/\n/g, " ")).toBe(text);
    }),
  );
});

test("puts a longer word on its own line, and keeps paragraphs and margins", () => {
  expect(wordWrap("a bbbbbbbbbbbb c\n\n  d", 5)).toBe("a\nbbbbbbbbbbbb\nc\n\n  d");
});
