import type { Output } from "./terminal";

/** The last lines of a terminal, which are replaced again and again. */
export class LiveArea {
  private lines = 0;

  constructor(private readonly output: Output) {}

  /** Replaces the lines. None may be wider than the terminal. */
  show(lines: readonly string[]): void {
    this.output.write(`${this.erasure()}${lines.map((line) => `${line}\n`).join("")}`);
    this.lines = lines.length;
  }

  /** Removes the lines, before something else is printed. */
  clear(): void {
    if (this.lines > 0) this.output.write(this.erasure());
    this.lines = 0;
  }

  /** The sequence that moves the cursor to the first line and erases all below. */
  private erasure(): string {
    return this.lines === 0 ? "" : `\x1b[${this.lines}A\x1b[J`;
  }
}
