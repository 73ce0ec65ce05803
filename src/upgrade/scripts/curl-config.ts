import { gatherShell } from "./shell";
import { SnippetBuilder, type Snippet } from "./snippet";
import type { Gathered } from "./use";

const OPTION = /^\s*-{0,2}([A-Za-z][\w-]*)(?:\s*[=:]\s*|\s+)?(?:"((?:[^"\\]|\\.)*)"|(\S.*?))?\s*$/;

/** Reads a file of options as `curl -K` takes it: one a line, without the dashes if need be. */
export function gatherCurlConfig(snippet: Snippet, gathered: Gathered): void {
  const builder = new SnippetBuilder();
  builder.replace("curl", snippet.at(0));
  let start = 0;
  for (const line of snippet.text.split("\n")) {
    const [, name, quoted, plain] = OPTION.exec(line) ?? [];
    const value = quoted ?? plain;
    if (/^\s*#/.test(line)) gathered.comment(snippet.at(start), snippet.at(start + line.length));
    if (name !== undefined) {
      builder.replace(` ${name.length === 1 ? "-" : "--"}${name}`, snippet.at(start));
      if (value !== undefined) {
        const from = start + line.lastIndexOf(value);
        builder.replace(" '", snippet.at(from));
        builder.add(value.replaceAll("'", '"'), snippet.at(from));
        builder.replace("'", snippet.at(from + value.length));
      }
    }
    start += line.length + 1;
  }
  gatherShell(builder.build(snippet.at(snippet.text.length)), gathered);
}
