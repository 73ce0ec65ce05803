import { methodNamed } from "./use";

/** An entry of a table of calls is looked for as far as this, to either side. */
const FAR = 400;
const ITEM = /\n[ \t]*- /;
/** What a body of statements has, and no entry. */
const STATEMENT = /:=|;[ \t\r]*\n|\b(?:return|await|const|let|var|if|for|func|function|def)\b/;

/**
 * The method that stands beside a path in its entry of a table: `("POST", "/images")`,
 * `{ path: …, method: … }`, an item of YAML. Undefined where there is none, or more than one.
 */
export function methodBeside(code: string, offset: number): string | undefined {
  const entry = entryAround(code, offset);
  if (entry === undefined || STATEMENT.test(entry)) return undefined;
  const stated = [
    ...entry.matchAll(/\b(?:GET|POST|PUT|DELETE)\b|\bMethod(?:Get|Post|Put|Delete)\b/g),
    ...entry.matchAll(/(?<=(?:method|verb)["']?\s*(?::|=>?)\s*["':]?)(?:get|post|put|delete)\b/gi),
  ];
  const methods = new Set(stated.map(([text]) => methodNamed(text.replace(/^Method/, ""))));
  const [only, ...others] = methods;
  return others.length === 0 ? only : undefined;
}

function entryAround(code: string, offset: number): string | undefined {
  const before = code.slice(Math.max(0, offset - FAR), offset);
  const after = code.slice(offset, offset + FAR);
  const bracket = unclosed(before, true);
  const item = before.split(ITEM).at(-1)?.length ?? 0;
  if (Math.min(bracket, item) === before.length) return undefined;
  const isItem = item < before.length && item <= bracket;
  const next = isItem ? after.search(ITEM) : -1;
  const end = Math.min(unclosed(after, false), next === -1 ? after.length : next);
  return before.slice(before.length - Math.min(bracket, item)) + after.slice(0, end);
}

/** How far the bracket is that is around the place where the text ends, or begins. */
function unclosed(text: string, isBackwards: boolean): number {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(isBackwards ? text.length - 1 - index : index);
    if (!/[()[\]{}]/.test(character)) continue;
    depth += /[)\]}]/.test(character) === isBackwards ? 1 : -1;
    if (depth < 0) return index;
  }
  return text.length;
}
