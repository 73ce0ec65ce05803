/** White space by Go's `unicode.IsSpace`, for a class of a regular expression. */
import { memberOf } from "../../../core/member-of";
export const SPACE =
  "\\t-\\r \\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000";

/** Letters that got their other case after Unicode 15, which Terraform has. Node is often ahead. */
const LATER =
  /[\u1c89\u1c8a\ua7cb-\ua7cf\ua7d2-\ua7d5\ua7da-\ua7dc\u{10d50}-\u{10d85}\u{16ea0}-\u{16ed3}]/u;

/** Letters whose title case differs from their upper case. */
const TITLE_CASE: Readonly<Record<string, string>> = { Ǆ: "ǅ", Ǉ: "ǈ", Ǌ: "ǋ", Ǳ: "ǲ" };

/** The first letter of a title: behind white space, and in ASCII behind all but letters, digits and `_`. */
const BEGIN = new RegExp(`(?<=^|[\\0-/:-@[-^\`{-\\x7f${SPACE}])[^]`, "gu");

/** Maps each character to one character, as Go does: ß has no such capital letter. */
function simple(letter: string, converted: string): string {
  if (LATER.test(letter + converted)) return letter;
  if (Array.from(converted).length === 1) return converted;
  if (letter === "İ") return "i";
  // Greek letters with an iota subscript have a capital letter with the iota beside it.
  const code = letter.codePointAt(0) ?? 0;
  const capitals = [code + 8, code + 9].map((one) => String.fromCodePoint(one));
  return capitals.find((capital) => capital.toLowerCase() === letter) ?? letter;
}

export function upper(text: string): string {
  return Array.from(text, (letter) => simple(letter, letter.toUpperCase())).join("");
}

export function lower(text: string): string {
  return Array.from(text, (letter) => simple(letter, letter.toLowerCase())).join("");
}

/** Converts the first character of each word as Go's `strings.Title`. */
export function title(text: string): string {
  return text.replace(BEGIN, (letter) => {
    // The Georgian letters have capital letters, but no titles.
    if (/[\u10d0-\u10ff]/.test(letter)) return letter;
    const capital = upper(letter);
    return memberOf(TITLE_CASE, capital) ?? capital;
  });
}
