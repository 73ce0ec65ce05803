import { joined, Printed, printed, verbatim, type Printable } from "../../core/printed";
import type { Output } from "./terminal";

/** The last lines of a terminal, which are replaced again and again. */
export class LiveArea {
  private lines = 0;

  constructor(private readonly output: Output) {}

  /** Replaces the lines. None may be wider than the terminal. */
  show(lines: readonly Printable[]): void {
    const shown = lines.map((line) => printed`${Printed.of(line)}\n`);
    this.output.write(joined([this.erasure(), ...shown], "").toString());
    this.lines = lines.length;
  }

  /** Removes the lines, before something else is printed. */
  clear(): void {
    if (this.lines > 0) this.output.write(this.erasure().toString());
    this.lines = 0;
  }

  /** The sequence that moves the cursor to the first line and erases all below. */
  private erasure(): Printed {
    return Printed.of(verbatim(this.lines === 0 ? "" : `\x1b[${this.lines}A\x1b[J`));
  }
}
