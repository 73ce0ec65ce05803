import { printable } from "../text/quote";

/**
 * Text from elsewhere in Markdown. It stands in code, where neither GitHub nor GitLab makes mentions
 * or references of it; whatever could be markup is a character reference, which never is: in tables,
 * in lists and inside HTML alike.
 */
export function inlineCode(text: string): string {
  // Inside a word these three mean nothing, but for links that begin with www; names have many.
  const escaped = printable(text).replace(
    /(?!(?<=[A-Za-z0-9])(?:[_-]|(?<!www)\.)[A-Za-z0-9])[!-/:-@[-`{-~]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
  return `<code>${escaped}</code>`;
}

/** A block of lines, as they are; its fence is longer than any run in it of what the fence is of. */
export function codeBlock(text: string, language: string): string {
  const usual = fenceOf("`", text.match(/`+/g));
  const fence = usual.length < 20 ? usual : fenceOf("~", text.match(/~+/g));
  return `${fence}${language}\n${text}\n${fence}`;
}

function fenceOf(character: string, runs: readonly string[] | null): string {
  const longest = (runs ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  return character.repeat(longest + 1);
}
