/** A piece of a file, or text made of one, of which each character knows where it stands. */
export interface Snippet {
  readonly text: string;
  /** The offset in the file. The end of the text has one, too. */
  at(index: number): number;
}

export function wholeFile(text: string): Snippet {
  return { text, at: (index) => index };
}

export function slice(snippet: Snippet, start: number, end: number): Snippet {
  return { text: snippet.text.slice(start, end), at: (index) => snippet.at(start + index) };
}

/** The same text but for some characters, one for one. */
export function withText(snippet: Snippet, text: string): Snippet {
  return { text, at: (index) => snippet.at(index) };
}

/** Text that is put together of others. */
export class SnippetBuilder {
  #text = "";
  readonly #offsets: number[] = [];

  add(text: string, offset: number): void {
    for (let index = 0; index < text.length; index++) this.#offsets.push(offset + index);
    this.#text += text;
  }

  /** Text that stands for what is at the offset. */
  replace(text: string, offset: number): void {
    this.#offsets.push(...new Array<number>(text.length).fill(offset));
    this.#text += text;
  }

  build(end: number): Snippet {
    const offsets = [...this.#offsets];
    return { text: this.#text, at: (index) => offsets[index] ?? end };
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\n", t: "\t" };

/**
 * What a string literal says: without the escape character before others. An escape at the end of
 * a line stays where shells need it: doubled.
 */
export function unescaped(raw: Snippet, escape: string): Snippet {
  if (escape === "" || !raw.text.includes(escape)) return raw;
  const builder = new SnippetBuilder();
  const { text } = raw;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    const next = text.charAt(index + 1);
    if (character !== escape || next === "") {
      builder.add(character, raw.at(index));
    } else {
      index++;
      if (next !== "\n") builder.replace(ESCAPES[next] ?? next, raw.at(index));
    }
  }
  return builder.build(raw.at(text.length));
}
