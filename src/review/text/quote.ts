/**
 * Values come from consoles, and whoever writes a policy's name there must not be able to drive the
 * terminal of whoever reviews the plan. What does not print is therefore written as an escape.
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

/** A string literal as Terraform prints it: `"a\tb"`. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&").replace(UNPRINTABLE, escape)}"`;
}

/** Text that stands without quotes, on one line. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escape);
}

/** The same for text that may have lines and tabs. */
export function printableLines(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    character === "\n" || character === "\t" ? character : escape(character),
  );
}

/** An attribute's name as it stands in a configuration: quoted unless it is an identifier. */
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
