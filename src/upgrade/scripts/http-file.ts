import { slice, type Snippet } from "./snippet";
import { parseTemplate } from "./template";
import type { Gathered } from "./use";

const REQUEST =
  /^[ \t]*(?:(GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS)[ \t]+)?((?:https?:|\{\{|\/)\S*)(?:[ \t]+HTTP\/[\d.]+)?[ \t]*\r?$/;

/** Reads a file of HTTP requests as editors send them, with `###` between them. */
export function gatherHttpFile(snippet: Snippet, gathered: Gathered): void {
  const { text } = snippet;
  let start = 0;
  let hasRequest = false;
  let isBody = false;
  for (const line of text.split("\n")) {
    const end = start + line.length;
    const variable = /^\s*@(\w+)\s*=\s*(.*?)\s*$/.exec(line);
    if (/^\s*###/.test(line)) {
      hasRequest = false;
      isBody = false;
    }
    if (/^\s*(?:#|\/\/)/.test(line)) gathered.comment(snippet.at(start), snippet.at(end));
    else if (variable) {
      const [, name = "", value = ""] = variable;
      const from = start + line.indexOf(value, line.indexOf("="));
      const template = parseTemplate(slice(snippet, from, from + value.length));
      gathered.constant(name, snippet.at(start), [template]);
    } else if (!hasRequest && !isBody) {
      const [, method = "GET", url] = REQUEST.exec(line) ?? [];
      if (url !== undefined) {
        hasRequest = true;
        const from = start + line.indexOf(url);
        gathered.uses.push({
          template: parseTemplate(slice(snippet, from, from + url.length)),
          offset: snippet.at(from),
          start: snippet.at(start),
          end: snippet.at(endOfRequest(text, end)),
          context: "request",
          method: { text: method },
        });
      }
    } else if (line.trim() === "") isBody = true;
    start = end + 1;
  }
}

function endOfRequest(text: string, from: number): number {
  const next = text.indexOf("\n###", from);
  return next === -1 ? text.length : next;
}
