import pc from "picocolors";

/** How text is emphasized. Without colour every member returns its text as it is. */
export interface Style {
  readonly colour: boolean;
  readonly bold: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  readonly dim: (text: string) => string;
}

export function createStyle(colour: boolean): Style {
  const { bold, red, green, yellow, cyan, gray } = pc.createColors(colour);
  return { colour, bold, red, green, yellow, cyan, dim: gray };
}
