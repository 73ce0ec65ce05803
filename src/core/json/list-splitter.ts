/**
 * Splits a JSON text that arrives in parts into the elements of one list and the rest, so that the
 * text is never held as a whole. The list is the answer itself, or a member of it. The
 * parts that it passes on may not be JSON: whoever parses all of them finds each fault of the text.
 */
export class ListSplitter {
  #stage: "before" | "inside" | "after" = "before";
  /** The depth of the elements. */
  #level = 0;
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #count = 0;
  /** The beginning of the current element or member, in earlier parts. */
  #begun: Buffer[] = [];
  readonly #rest: Buffer[] = [];

  constructor(
    private readonly member: string | undefined,
    private readonly onElement: (text: Buffer, index: number) => void,
  ) {}

  /** The text has the list. */
  get isFound(): boolean {
    return this.#stage !== "before";
  }

  /** Throws a SyntaxError for some texts that are not JSON, and what `onElement` throws. */
  push(part: Uint8Array): void {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    let from = 0;
    const cut = (to: number, next = to) => {
      const text = Buffer.concat([...this.#begun, bytes.subarray(from, to)]);
      this.#begun = [];
      from = next;
      return text;
    };
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isText) {
        if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isText = false;
      } else if (byte === QUOTE) this.#isText = true;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        this.#depth += 1;
        if (this.#stage !== "before" || this.#depth > 2) continue;
        const before = cut(at);
        this.#rest.push(before);
        if (byte === OPEN_OBJECT || !this.#isListAfter(before)) continue;
        this.#rest.push(cut(at + 1));
        this.#stage = "inside";
        this.#level = this.#depth;
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        if (this.#stage === "inside" && this.#depth === this.#level) {
          const last = cut(at);
          if (this.#count > 0 || !BLANK.test(last.toString())) this.#pass(last);
          this.#stage = "after";
        }
        this.#depth -= 1;
      } else if (byte === COMMA) {
        if (this.#stage === "inside" && this.#depth === this.#level) {
          this.#pass(cut(at, at + 1));
        } else if (this.#stage === "before" && this.#depth === 1) this.#rest.push(cut(at));
      }
    }
    if (from < bytes.length) this.#begun.push(bytes.subarray(from));
  }

  /** Returns the text with the list emptied. */
  end(): Buffer {
    return Buffer.concat([...this.#rest, ...this.#begun]);
  }

  /** A list on top, or one behind the name of the member. */
  #isListAfter(text: Buffer): boolean {
    if (this.#depth === 1) return true;
    if (this.member === undefined) return false;
    const found: unknown = JSON.parse(`{${text.toString().replace(/^[{,]/, "")}0}`);
    return typeof found === "object" && found !== null && Object.hasOwn(found, this.member);
  }

  #pass(text: Buffer): void {
    this.onElement(text, this.#count);
    this.#count += 1;
  }
}

const BLANK = /^[ \t\r\n]*$/;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
