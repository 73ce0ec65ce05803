import { readdirSync, statSync } from "node:fs";
import { posix } from "node:path";
import { compareStrings } from "../../../provider/values";

/** Lists the files below a folder whose relative paths match a pattern with `*`, `**`, `?`, `[]`, `{}`. */
export function matchFiles(folder: string, pattern: string): readonly string[] {
  const matches = globExpression(posix.normalize(pattern));
  const found: string[] = [];
  const visit = (path: string): void => {
    for (const { name } of readdirSync(posix.join(folder, path), { withFileTypes: true })) {
      const inner = posix.join(path, name);
      const status = statSync(posix.join(folder, inner), { throwIfNoEntry: false });
      if (status?.isFile() && matches.test(inner)) found.push(inner);
      if (status?.isDirectory()) visit(inner);
    }
  };
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) visit("");
  return found.sort(compareStrings);
}

function globExpression(pattern: string): RegExp {
  const source = pattern.replace(/\*\*\/|\*\*|\*|\?|\{[^{}]*\}|\[[^\]]+\]|\\.|[^]/g, (token) => {
    if (token === "**/") return "(?:[^/]+/)*";
    if (token === "**") return ".*";
    if (token === "*") return "[^/]*";
    if (token === "?") return "[^/]";
    if (token.length > 1 && token.startsWith("{")) {
      const choices = token.slice(1, -1).split(",");
      return `(?:${choices.map((choice) => globExpression(choice).source.slice(1, -1)).join("|")})`;
    }
    if (token.length > 1 && token.startsWith("[")) return token.replace(/^\[!/, "[^");
    return token.replace(/^\\/, "").replace(/[\^$.*+?()[\]{}|/\\]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, "s");
}
