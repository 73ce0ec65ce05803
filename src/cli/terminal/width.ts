import type { Output } from "./terminal";

/** The columns of an output. A pseudoterminal without a size has 0, and then the default, too. */
export function widthOf({ columns }: Pick<Output, "columns">, byDefault: number): number {
  return columns !== undefined && columns > 0 ? columns : byDefault;
}
