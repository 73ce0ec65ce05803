const blank = (text: string) => text.replace(/[^\n]/g, " ");

/** Strings, and what begins a comment in some language. */
const COMMENT_MARKS = new RegExp(
  [
    `"""|'''`,
    String.raw`"(?:\\[^\n]|[^"\\\n])*"?|'(?:\\[^\n]|[^'\\\n])*'?`,
    // Not an interpolation, a macro, or a private member as in `#base = "…";`.
    String.raw`(?<![^\s;{}()])(?:#(?!\{|define\b|[A-Za-z_]\w*\s*=.{0,300};[ \t\r]*$)|//|/\*|<#|<!--)`,
    // Not the rest of a command, as `-- curl` below `kubectl exec pod \`.
    String.raw`(?<!\\\r?\n)^[ \t]*(?:--[ \t]|@?rem\b(?!\s*=)|::(?=\s))`,
    String.raw`^=(?:begin|pod)\b`,
  ].join("|"),
  "gim",
);
const CLOSING = new Map([
  ["/*", "*/"],
  ["<#", "#>"],
  ["<!--", "-->"],
  ["=begin", "\n=end"],
  ["=pod", "\n=cut"],
  ['"""', '"""'],
  ["'''", "'''"],
]);

/** The end of the text before a doc string: a line break, and no argument or value to come. */
const IN_FRONT_OF_DOC = /(?:^|[^\s(,=[+\\]\s*\n)\s*$/;

/** Blanks the comments of all languages; a text in three quotes that is a statement is one, too. */
export function withoutComments(text: string): string {
  const parts: string[] = [];
  const unclosed = new Set<string>();
  let done = 0;
  let tripleEnd = -1;
  COMMENT_MARKS.lastIndex = 0;
  for (let match = COMMENT_MARKS.exec(text); match; match = COMMENT_MARKS.exec(text)) {
    const [mark] = match;
    const start = match.index;
    const closing = CLOSING.get(mark.toLowerCase());
    if (closing === undefined && /^["']/.test(mark)) continue;
    let end = text.indexOf("\n", start);
    if (closing !== undefined) {
      if (start === tripleEnd || unclosed.has(closing)) continue;
      end = text.indexOf(closing, start + mark.length);
      if (end === -1) {
        unclosed.add(closing);
        continue;
      }
      const before = text.slice(Math.max(0, start - 80), start);
      if (closing === mark && !IN_FRONT_OF_DOC.test(before)) {
        tripleEnd = end;
        continue;
      }
      end += closing.length;
    }
    if (end === -1) end = text.length;
    parts.push(text.slice(done, start), blank(text.slice(start, end)));
    done = end;
    COMMENT_MARKS.lastIndex = end;
  }
  return parts.join("") + text.slice(done);
}
