import { prose, restOfLine } from "../../core/printed";
import { hideSecrets } from "../../core/io/secrets-in-use";
import type { Output } from "./terminal";

/** The begin of a line that may still become a command of a CI system. */
const UNDECIDED = /^\s*[:#]?$/;

/** Shows the output of a program while it runs: a question without a line break, too. */
export class ProgramOutput {
  #held = "";
  #isInLine = false;

  constructor(private readonly output: Pick<Output, "write">) {}

  readonly add = (text: string): void => {
    const lines = `${this.#held}${text}`.split(/(?<=\n)/);
    const last = lines.at(-1)?.endsWith("\n") ? "" : (lines.pop() ?? "");
    for (const line of lines) this.#write(line);
    this.#held = last;
    if (!last.endsWith("\r") && (this.#isInLine || !UNDECIDED.test(last))) this.end();
  };

  /** Shows what was held back. */
  end(): void {
    if (this.#held === "") return;
    this.#write(this.#held);
    this.#isInLine = true;
    this.#held = "";
  }

  #write(line: string): void {
    // Only the begin of a line can be a command.
    const text = hideSecrets(line);
    const shown = this.#isInLine ? restOfLine(text) : prose(text);
    this.output.write(shown.toString());
    if (line.endsWith("\n")) this.#isInLine = false;
  }
}
