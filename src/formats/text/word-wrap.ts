import { Printed, rendered } from "../../core/printed";

/**
 * Breaks paragraphs at spaces so that lines are no longer than `width`, except for longer words.
 * Existing line breaks and the spaces at the beginning of a line stay.
 */
export function wordWrap(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => wrapLine(line, width))
    .join("\n");
}

function wrapLine(line: string, width: number): string {
  const lines: string[] = [];
  let current = "";
  for (const word of line.match(/\s*\S+/g) ?? []) {
    if (current !== "" && length(current) + length(word) > width) {
      lines.push(current);
      current = word.trimStart();
    } else {
      current += word;
    }
  }
  return [...lines, current].join("\n");
}

function length(text: string): number {
  return Array.from(text).length;
}

/** Wraps a text whose strings are one line each. */
export function wrappedLines(text: string | Printed, width: number): readonly Printed[] {
  return Printed.of(rendered(wordWrap(Printed.line(text).toString(), width))).lines;
}

/** Wraps a paragraph as Terraform does, which keeps the last column free. */
export function wrapParagraph(text: string, { width }: { readonly width: number }): string {
  return wordWrap(text, width - 1);
}
