import pc from "picocolors";

/** Emphasis for text. Without colour every member returns its text unchanged. */
export interface Style {
  readonly colour: boolean;
  readonly bold: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  readonly dim: (text: string) => string;
}

export interface TextOptions {
  readonly style: Style;
  /** Columns of the terminal; paragraphs are wrapped. */
  readonly width: number;
  /** Renders whole attributes, in Terraform's order. */
  readonly attributes?: boolean;
}

export function createStyle(colour: boolean): Style {
  const { bold, red, green, yellow, cyan, gray } = pc.createColors(colour);
  return { colour, bold, red, green, yellow, cyan, dim: gray };
}

/** The style of text in files. */
export const PLAIN: Style = createStyle(false);

/** The options of text in files. */
export const FILE_TEXT: TextOptions = { style: PLAIN, width: 100 };
