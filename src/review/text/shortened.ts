/** A text of at most so many columns of a monospaced font; what is cut is an ellipsis. */
export function shortened(text: string, columns: number): string {
  const characters = Array.from(text);
  let width = 0;
  // Behind what is kept of a text that is too long, an ellipsis has to fit.
  let kept = 0;
  for (const [index, character] of characters.entries()) {
    width += WIDE.test(character) ? 2 : 1;
    if (width <= columns - 1) kept = index + 1;
  }
  return width <= columns ? text : `${characters.slice(0, kept).join("")}…`;
}

/** What East Asian fonts, and those of emoji, give two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
