/**
 * Values come from consoles: the author of a policy's name must not control the terminal of its
 * reviewer. Unprintable characters are therefore written as escapes.
 */
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};

/** Formats a string literal as Terraform does: `"a\tb"`. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&").replace(UNPRINTABLE, escape)}"`;
}

/** Escapes text for one line without quotes. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escape);
}

/** Escapes text that may have line breaks and tabs. */
export function printableLines(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    character === "\n" || character === "\t" ? character : escape(character),
  );
}

/** Formats an attribute's name as in a configuration: quoted unless it is an identifier. */
export function attributeName(name: string): string {
  return /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u.test(name) ? name : quote(name);
}

function escape(character: string): string {
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  const hex = (digits: number) => code.toString(16).padStart(digits, "0");
  if (code < 0x80) return `\\x${hex(2)}`;
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}
