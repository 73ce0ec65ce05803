import type { Difference, Effect } from "../difference/difference";
import type { Style } from "./style";

export interface RenderOptions {
  readonly style: Style;
  /** False for a state, which has no effects. */
  readonly symbols: boolean;
  /** Shows unchanged values too. */
  readonly unchanged: boolean;
  /** Ends deleted values in `-> null`. */
  readonly nullSuffix: boolean;
}

const INDENTATION_COLUMNS = 4;

export function indentation(level: number): string {
  return " ".repeat(INDENTATION_COLUMNS * level);
}

/** The symbol of an effect, as wide as one step of indentation. */
export function symbol(effect: Effect, { style, symbols }: RenderOptions): string {
  if (!symbols) return "";
  switch (effect) {
    case "create":
      return `  ${style.green("+")} `;
    case "update":
      return `  ${style.yellow("~")} `;
    case "delete":
      return `  ${style.red("-")} `;
    case "none":
      return indentation(1);
  }
}

export function replacementNote(difference: Difference, { style }: RenderOptions): string {
  return difference.forcesReplacement ? ` ${style.red("# forces replacement")}` : "";
}

export function nullNote({ effect }: Difference, { nullSuffix, style }: RenderOptions): string {
  return effect === "delete" && nullSuffix ? ` ${style.dim("-> null")}` : "";
}

export function arrow({ style }: RenderOptions): string {
  return style.yellow("->");
}

export function hiddenNote(count: number, what: string, { style }: RenderOptions): string {
  return style.dim(`# (${count} unchanged ${what}${count === 1 ? "" : "s"} hidden)`);
}
