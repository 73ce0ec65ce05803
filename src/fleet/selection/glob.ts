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
 * a set, `{a,b}` one of several patterns. An unclosed bracket or brace is literal.
 */
export function globMatcher(glob: string): (text: string) => boolean {
  const regex = new RegExp(`^${compile(glob)}$`, "su");
  return (text) => regex.test(text);
}

const TOKENS = /\*+|\?|\[(!?)([^\]]+)\]|\{([^{}]*)\}|[^]/gu;

function compile(glob: string): string {
  return glob.replace(TOKENS, (token, not?: string, set?: string, choices?: string) => {
    if (set !== undefined) return `[${not === "!" ? "^" : ""}${compileSet(set)}]`;
    if (choices !== undefined) return `(?:${choices.split(",").map(compile).join("|")})`;
    if (token.startsWith("*")) return ".*";
    return token === "?" ? "." : literal(token);
  });
}

/** Keeps ascending ranges; every other character is literal. */
function compileSet(set: string): string {
  return set.replace(/(.)-(.)|[^]/gsu, (part, from?: string, to?: string) => {
    if (from === undefined || to === undefined || from > to) {
      return Array.from(part, literal).join("");
    }
    return `${literal(from)}-${literal(to)}`;
  });
}

function literal(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return /[\w]/.test(character) ? character : `\\u{${code.toString(16)}}`;
}
