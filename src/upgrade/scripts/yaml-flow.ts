import { slice, unescaped, type Snippet } from "./snippet";
import type { YamlNode } from "./yaml-node";

const DEEPEST = 20;
const KEY = /^\s*("[^"]*"|'[^']*'|[^\s"'{[][^:]*?)\s*:(?=\s|$)\s*/s;

/** `{ url: x, method: GET }` and `[a, b]` have the nodes that they would have on lines. */
export function readFlow(flow: Snippet, depth = 0): readonly YamlNode[] {
  const isMapping = flow.text.startsWith("{");
  return partsOf(flow.text).map(([from, to]): YamlNode => {
    const raw = flow.text.slice(from, to);
    const key = isMapping ? KEY.exec(raw) : null;
    const leading = (key ?? /^\s*/.exec(raw))?.[0].length ?? 0;
    const value = slice(flow, from + leading, from + raw.trimEnd().length);
    const name = key?.[1]?.replace(/^["']|["']$/g, "");
    const isNested = /^[[{](?!\{)/.test(value.text) && depth < DEEPEST;
    return {
      ...(name !== undefined && { key: name }),
      isItem: !isMapping,
      ...(!isNested && value.text !== "" && { value: unquoted(value) }),
      children: isNested ? readFlow(value, depth + 1) : [],
      start: flow.at(from + leading),
      end: flow.at(to),
    };
  });
}

function unquoted(value: Snippet): Snippet {
  const quote = /^(["']).*\1$/s.exec(value.text)?.[1];
  if (quote === undefined) return value;
  return unescaped(slice(value, 1, value.text.length - 1), quote === '"' ? "\\" : "");
}

/** Where the parts between the commas of a flow collection begin and end. */
function partsOf(text: string): readonly (readonly [number, number])[] {
  const parts: [number, number][] = [];
  let depth = 0;
  let quote = "";
  let from = 1;
  const last = /[\]}]$/.test(text) ? text.length - 1 : text.length;
  for (let index = 1; index < last; index++) {
    const character = text.charAt(index);
    if (character === "\\" && quote === '"') index++;
    else if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (/[[{]/.test(character)) depth++;
    else if (/[\]}]/.test(character)) depth--;
    else if (character === "," && depth === 0) {
      parts.push([from, index]);
      from = index + 1;
    }
  }
  parts.push([from, last]);
  return parts.filter(([start, end]) => text.slice(start, end).trim() !== "");
}
