/** How long the text is up to the bracket that closes the one at `from`, quotes respected. */
export function balanced(text: string, from: number, open: string, close: string): number {
  let depth = 0;
  let quote = "";
  for (let index = from; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === "\\") index++;
    else if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === open) depth++;
    else if (character === close && --depth === 0) return index + 1;
  }
  return text.length;
}
