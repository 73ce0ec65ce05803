/** Longer lines are passed on in pieces. */
const LONGEST_LINE_CHARACTERS = 1024 * 1024;

/** Splits text that arrives in pieces into lines. */
export class LineSplitter {
  #rest = "";

  constructor(private readonly line: (line: string) => void) {}

  readonly add = (text: string): void => {
    const lines = `${this.#rest}${text}`.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    lines.forEach(this.line);
    if (this.#rest.length > LONGEST_LINE_CHARACTERS) this.end();
  };

  /** Passes on a last line without a line break. */
  end(): void {
    const rest = this.#rest.replace(/\r$/, "");
    this.#rest = "";
    if (rest !== "") this.line(rest);
  }
}
