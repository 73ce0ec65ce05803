import pc from "picocolors";
import type { Printed } from "../../core/printed";

/** Emphasizes a text. A string remains a part of a rendered text. */
interface Emphasis {
  (text: string): string;
  (text: Printed): Printed;
}

/** Emphasis for text. Without colour every member returns its text unchanged. */
export interface Style {
  readonly colour: boolean;
  readonly bold: Emphasis;
  readonly red: Emphasis;
  readonly green: Emphasis;
  readonly yellow: Emphasis;
  readonly cyan: Emphasis;
  readonly dim: Emphasis;
  /** A comment, which Terraform does not emphasize. */
  readonly comment: Emphasis;
}

export interface TextOptions {
  readonly style: Style;
  /** Columns of the terminal; paragraphs are wrapped. */
  readonly width: number;
  /** Renders whole attributes, in Terraform's order. */
  readonly attributes?: boolean;
  /** Shows only the named entries of created objects. */
  readonly brief?: boolean;
  /** Cuts nothing that decides: a file has room. */
  readonly whole?: boolean;
}

export function createStyle(colour: boolean): Style {
  const { bold, red, green, yellow, cyan, gray } = pc.createColors(colour);
  return {
    colour,
    bold: emphasis(bold),
    red: emphasis(red),
    green: emphasis(green),
    yellow: emphasis(yellow),
    cyan: emphasis(cyan),
    dim: emphasis(gray),
    comment: emphasis((text) => text),
  };
}

function emphasis(paint: (text: string) => string): Emphasis {
  function emphasize(text: string): string;
  function emphasize(text: Printed): Printed;
  function emphasize(text: string | Printed): string | Printed {
    return typeof text === "string" ? paint(text) : text.styled(paint);
  }
  return emphasize;
}

/** The style of text in files. */
export const PLAIN: Style = createStyle(false);

/** The options of text in files. */
export const FILE_TEXT: TextOptions = { style: PLAIN, width: 100, whole: true };

const MARKING = createStyle(true);

/** The options of text whose lines `diffLines` separates by kind: a comment is marked, too. */
export const MARKED_TEXT: TextOptions = {
  ...FILE_TEXT,
  style: { ...MARKING, comment: MARKING.dim },
};
