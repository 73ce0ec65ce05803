/** Cuts a text to so many columns of a monospaced font, with an ellipsis at the end. */
export function shortened(text: string, columns: number): string {
  const characters = Array.from(text);
  let width = 0;
  // The end of the part that leaves room for the ellipsis.
  let kept = 0;
  for (const [index, character] of characters.entries()) {
    width += WIDE.test(character) ? 2 : 1;
    if (width <= columns - 1) kept = index + 1;
  }
  return width <= columns ? text : `${characters.slice(0, kept).join("")}…`;
}

/** Characters with two columns: East Asian ones and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
