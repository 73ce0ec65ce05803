import { endOfSequence } from "./template";

/** A line of text in a heredoc, or the part of a line up to a sequence. */
interface Token {
  readonly start: number;
  readonly end: number;
  /** The text; undefined for a sequence. */
  text?: string;
}

/** The text of a heredoc after `~` and, with `<<-`, the common indent took effect. */
export class Heredoc {
  readonly #tokens: readonly Token[];

  /**
   * @param source From `<<` to the end marker.
   * @param offset The position of `source`, in bytes.
   */
  constructor(
    source: string,
    readonly offset: number,
  ) {
    const tokens = tokenize(source);
    if (source.startsWith("<<-")) unindent(tokens);
    const bytes = (position: number): number =>
      offset + Buffer.byteLength(source.slice(0, position));
    this.#tokens = tokens.map((token) => ({
      ...token,
      start: bytes(token.start),
      end: bytes(token.end),
    }));
  }

  /** Gives the text between two positions; the parser omits the indent at the start. */
  textBetween(start: number, end: number): string {
    return this.#tokens
      .filter((token) =>
        start === end ? token.end === end : token.end > start && token.end <= end,
      )
      .map(({ text }) => text ?? "")
      .join("");
  }
}

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  const end = source.lastIndexOf("\n") + 1;
  const text = /(?:\$\$\{|%%\{|(?!\$\{|%\{)[^\n])*\n?/y;
  let trimNext = false;
  for (let position = source.indexOf("\n") + 1; position < end;) {
    if (/^[$%]\{/.test(source.slice(position, position + 2))) {
      const previous = tokens.at(-1);
      const trims = source[position + 2] === "~";
      if (trims && previous?.text !== undefined) previous.text = previous.text.trimEnd();
      const next = endOfSequence(source, position + 2);
      tokens.push({ start: position, end: next });
      trimNext = source[next - 2] === "~";
      position = next;
    } else {
      text.lastIndex = position;
      const line = text.exec(source)?.[0].slice(0, end - position) ?? "";
      const token = { start: position, end: position + line.length };
      tokens.push({ ...token, text: trimNext ? line.trimStart() : line });
      trimNext = false;
      position = token.end;
    }
  }
  return tokens;
}

/** Removes the indent of the line that is indented least, by the algorithm of HCL. */
function unindent(tokens: readonly Token[]): void {
  let indent = Number.POSITIVE_INFINITY;
  let startsLine = true;
  const indented: Token[] = [];
  for (const token of tokens) {
    const { text } = token;
    const isBlank = text?.trim() === "" && text.endsWith("\n");
    if (startsLine && !isBlank) {
      indent = Math.min(indent, text === undefined ? 0 : text.length - text.trimStart().length);
      indented.push(token);
    }
    startsLine = text?.endsWith("\n") === true;
  }
  for (const token of indented) token.text &&= token.text.slice(indent);
}
