import { printable } from "../../core/printed";

/**
 * Formats foreign text as inline code, where neither GitHub nor GitLab makes mentions or references
 * of it. Characters that could be markup are character references, which are plain text in tables,
 * in lists and inside HTML.
 */
export function inlineCode(text: string): string {
  // Inside a word these three are plain, except in links that begin with www; names have many.
  const escaped = printable(text).replace(
    /(?!(?<=[A-Za-z0-9])(?:[_-]|(?<!www)\.)[A-Za-z0-9])[!-/:-@[-`{-~]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
  return `<code>${escaped}</code>`;
}

/** Formats a block of lines as they are, with a fence that is longer than any in the lines. */
export function codeBlock(text: string, language: string): string {
  const usual = fenceOf("`", text.match(/`+/g));
  const fence = usual.length < 20 ? usual : fenceOf("~", text.match(/~+/g));
  return `${fence}${language}\n${text}\n${fence}`;
}

function fenceOf(character: string, runs: readonly string[] | null): string {
  const longest = (runs ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  return character.repeat(longest + 1);
}
