import { printable } from "../review/text/quote";
import type { Style } from "../review/text/style";

/** Above what concerns one stack, where a run has several. */
export function stackHeading(name: string, style: Style): string {
  return `\n${style.bold(`Stack ${printable(name)}`)}\n`;
}
