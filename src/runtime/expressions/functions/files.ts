import { existsSync, readFileSync, statSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { posix, resolve } from "node:path";
import { SetValue } from "../evaluated";
import {
  define,
  fail,
  named,
  string,
  type CallContext,
  type FunctionDefinition,
} from "./language-function";
import { decodeText, digest } from "./encoding";
import { compareStrings } from "../../../provider/values";

/** Lists the files below a folder whose relative paths match a pattern with `*`, `**`, `?`, `[]`, `{}`. */
function matchFiles(folder: string, pattern: string): readonly string[] {
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

const path = named("path", string);

function expandHome(given: string): string {
  return /^~(\/|$)/.test(given) ? homedir() + given.slice(1) : given;
}

/** Gives all but the last element of a path, as Go's `filepath.Dir`. */
function directoryOf(given: string): string {
  const directory = posix.normalize(given.slice(0, given.lastIndexOf("/") + 1));
  return directory.length > 1 ? directory.replace(/\/$/, "") : directory;
}

/** Resolves a path against `path.cwd`. */
function locate(given: string, context: Pick<CallContext, "path">): string {
  return resolve(context.path.cwd, expandHome(given));
}

/** Reads a text file for `file` and `templatefile`; fails as a function does. */
export function readText(given: string, context: Pick<CallContext, "path">): string {
  return (
    decodeText(readBytes(given, context)) ??
    fail("contents of the file are not valid UTF-8; use filebase64 for binary content", "path")
  );
}

function readBytes(given: string, context: Pick<CallContext, "path">): Buffer {
  try {
    return readFileSync(locate(given, context));
  } catch {
    return fail("no file exists there, or it cannot be read", "path");
  }
}

function withContent(use: (content: Buffer) => string): FunctionDefinition {
  return define([path], ([given], context) => use(readBytes(given, context)));
}

export const fileFunctions: Readonly<Record<string, FunctionDefinition>> = {
  abspath: define([path], ([given], context) => resolve(context.path.cwd, given)),
  basename: define([path], ([given]) => (given === "" ? "." : posix.basename(given) || "/")),
  dirname: define([path], ([given]) => directoryOf(given)),
  file: define([path], ([given], context) => readText(given, context)),
  filebase64: withContent((content) => content.toString("base64")),
  filebase64sha256: withContent((content) => digest(content, "sha256", "base64")),
  filebase64sha512: withContent((content) => digest(content, "sha512", "base64")),
  fileexists: define([path], ([given], context) => {
    const found = locate(given, context);
    if (!existsSync(found)) return false;
    return statSync(found).isFile() ? true : fail("not a regular file", "path");
  }),
  fileset: define([path, named("pattern", string)], ([given, pattern], context) => {
    try {
      return new SetValue(matchFiles(locate(given, context), pattern));
    } catch {
      return fail("the pattern is invalid, or a folder cannot be read", "pattern");
    }
  }),
  filemd5: withContent((content) => digest(content, "md5", "hex")),
  filesha1: withContent((content) => digest(content, "sha1", "hex")),
  filesha256: withContent((content) => digest(content, "sha256", "hex")),
  filesha512: withContent((content) => digest(content, "sha512", "hex")),
  pathexpand: define([path], ([given]) => expandHome(given)),
};
