const SPECIAL = /[*?[\]{}]/;

/** Reports whether a text is a pattern. No name of a stack has a character that patterns use. */
export function isGlob(text: string): boolean {
  return SPECIAL.test(text);
}

/** The text before the first special character. */
export function literalPrefix(glob: string): string {
  return glob.slice(0, Math.max(0, glob.search(SPECIAL)));
}

/**
 * Compiles a glob pattern: `*` any text, `?` one character, `[a-c]` and `[!a-c]` one character of
 * a set, `{a,b}` one of several patterns. An unclosed bracket or brace is literal. The time to match is
 * proportional to the length of the pattern times that of the text.
 */
export function globMatcher(glob: string): (text: string) => boolean {
  const match = sequenceOf(glob);
  return (text) => {
    const characters = Array.from(text);
    return match([0], characters).includes(characters.length);
  };
}

/** A part of a pattern: the places in a text where a match can end, of those where it starts. */
type Part = (starts: readonly number[], text: readonly string[]) => readonly number[];

const TOKENS = /\*+|\?|\[(!?)([^\]]+)\]|\{([^{}]*)\}|[^]/gu;

function sequenceOf(glob: string): Part {
  const parts = Array.from(glob.matchAll(TOKENS), ([token, not, set, choices]): Part => {
    if (set !== undefined) return setOf(set, not !== "!");
    if (choices !== undefined) return choiceOf(choices.split(",").map(sequenceOf));
    if (token.startsWith("*")) return anyText;
    return token === "?" ? one(() => true) : one((character) => character === token);
  });
  return (starts, text) => parts.reduce((places, part) => part(places, text), starts);
}

function anyText(starts: readonly number[], text: readonly string[]): readonly number[] {
  const first = starts.reduce((least, start) => Math.min(least, start), text.length + 1);
  return Array.from({ length: text.length + 1 - first }, (_, index) => first + index);
}

function one(matches: (character: string) => boolean): Part {
  return (starts, text) =>
    starts.flatMap((start) => {
      const character = text[start];
      return character !== undefined && matches(character) ? [start + 1] : [];
    });
}

function choiceOf(choices: readonly Part[]): Part {
  return (starts, text) => [...new Set(choices.flatMap((choice) => choice(starts, text)))];
}

/** Keeps ascending ranges; every other character is literal. */
function setOf(set: string, included: boolean): Part {
  const ranges = Array.from(set.matchAll(/(.)-(.)|[^]/gsu), ([part, from = "", to = ""]) => {
    if (from !== "" && codeOf(from) <= codeOf(to)) return [{ from: codeOf(from), to: codeOf(to) }];
    return Array.from(part, (character) => ({ from: codeOf(character), to: codeOf(character) }));
  }).flat();
  return one((character) => {
    const code = codeOf(character);
    return ranges.some(({ from, to }) => from <= code && code <= to) === included;
  });
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
