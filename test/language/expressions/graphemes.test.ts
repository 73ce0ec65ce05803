import fc from "fast-check";
import { graphemes } from "../../../src/language/expressions/graphemes";

/** The clusters of Node, of which the newer ones contain the consonant behind a virama. */
const whole = (text: string) =>
  Array.from(new Intl.Segmenter().segment(text)).flatMap(({ segment }) =>
    segment.split(/(?<=[\p{M}\p{Emoji_Modifier}\u200d])(?=\u0915)/u),
  );

/** Letters that combine with others: marks, joiners, flags, syllables, a line end. */
const letter = fc.constantFrom(
  ...["a", "e\u0301", "\u0301", "\r", "\n", "\u200d", "\u{1f468}", "\u{1f3fd}", "\u{1f1e9}"],
  ...["\u{1e8d0}", "\u1100", "\u1161", "\u0915", "\u094d", "\u0600", "\ud83d", "\ufe0f"],
);

test("splits long text as if it were segmented at once", () => {
  const text = fc.array(letter, { minLength: 0, maxLength: 1_500, size: "max" });
  fc.assert(
    fc.property(text, (letters) => {
      expect(graphemes(letters.join(""))).toEqual(whole(letters.join("")));
    }),
    { numRuns: 50, endOnFailure: true },
  );
});

test("keeps a half of a pair with the mark behind it, wherever a window ends", () => {
  const tail = "\ud83d" + "\u{1f3fd}b";
  for (let before = 495; before < 505; before++) {
    const text = "\u00e9".repeat(before) + tail;
    expect(graphemes(text)).toEqual(whole(text));
  }
});

test("keeps a cluster that is longer than any window", () => {
  const long = `e${"\u0301".repeat(3_000)}`;
  expect(graphemes(`a${long}b`)).toEqual(["a", long, "b"]);
});

test.each([
  ["ASCII", "ab"],
  ["other letters", "\u00e9b"],
])("takes linear time for %s", (_, letters) => {
  expect(graphemes(letters.repeat(250_000))).toHaveLength(500_000);
});
