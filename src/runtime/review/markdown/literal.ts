import { printable } from "../quote";

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

/** A block of lines, as they are; its fence is longer than any run of backticks in it. */
export function codeBlock(text: string, language: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(runs.reduce((longest, { length }) => Math.max(longest, length), 2) + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
