import { homedir } from "node:os";
import { posix, resolve } from "node:path";
import { readFileNow } from "../../../core/io/read-file";
import { world } from "../../../core/io/world";
import { STRING } from "../../../core/types";
import { setOf } from "../../../core/typed-values";
import { compareStrings } from "../../../core/values";
import {
  define,
  fail,
  withName,
  string,
  type FunctionContext,
  type LanguageFunction,
} from "./language-function";
import { decodeText, digest } from "./encoding";
import { BadPattern, glob, isFile } from "./glob";

/** Lists the files that match a pattern below a folder, whose own path is a part of the pattern. */
function matchFiles(folder: string, pattern: string, cwd: string): readonly string[] {
  return glob(posix.join(folder, pattern), cwd)
    .filter((found) => isFile(found, cwd) ?? fail("a link that cannot be followed matches"))
    .map((found) => posix.relative(resolve(cwd, folder), resolve(cwd, found)) || ".")
    .sort(compareStrings);
}

const path = withName("path", string);

function expandHome(given: string): string {
  if (!given.startsWith("~")) return given;
  return /^~(\/|$)/.test(given)
    ? homedir() + given.slice(1)
    : fail("cannot expand user-specific home dir", "path");
}

/** Returns all but the last element of a path, as Go's `filepath.Dir`. */
function directoryOf(given: string): string {
  const directory = posix.normalize(given.slice(0, given.lastIndexOf("/") + 1));
  return directory.length > 1 ? directory.replace(/\/$/, "") : directory;
}

/** Resolves a path against `path.cwd`. */
function locate(given: string, context: Pick<FunctionContext, "path">): string {
  return resolve(context.path.cwd, expandHome(given));
}

/** Reads a text file for `file` and `templatefile`; fails as a function does. */
export function readText(given: string, context: Pick<FunctionContext, "path">): string {
  return (
    decodeText(readBytes(given, context)) ??
    fail("contents of the file are not valid UTF-8; use filebase64 for binary content", "path")
  );
}

function readBytes(given: string, context: Pick<FunctionContext, "path">): Buffer {
  try {
    return readFileNow(locate(given, context));
  } catch {
    return fail("no file exists there, or it cannot be read", "path");
  }
}

function withContent(use: (content: Buffer) => string): LanguageFunction {
  return define([path], ([given], context) => use(readBytes(given, context)));
}

export const fileFunctions: Readonly<Record<string, LanguageFunction>> = {
  abspath: define([path], ([given], context) => resolve(context.path.cwd, given)),
  basename: define([path], ([given]) => (given === "" ? "." : posix.basename(given) || "/")),
  dirname: define([path], ([given]) => directoryOf(given)),
  file: define([path], ([given], context) => readText(given, context)),
  filebase64: withContent((content) => content.toString("base64")),
  filebase64sha256: withContent((content) => digest(content, "sha256", "base64")),
  filebase64sha512: withContent((content) => digest(content, "sha512", "base64")),
  fileexists: define([path], ([given], context) => {
    const found = locate(given, context);
    if (!world.files.existsSync(found)) return false;
    return world.files.statSync(found).isFile() ? true : fail("not a regular file", "path");
  }),
  fileset: define([path, withName("pattern", string)], ([given, pattern], context) => {
    try {
      return setOf(matchFiles(given, pattern, context.path.cwd), STRING);
    } catch (thrown) {
      if (thrown instanceof BadPattern) return fail("syntax error in pattern", "pattern");
      throw thrown;
    }
  }),
  filemd5: withContent((content) => digest(content, "md5", "hex")),
  filesha1: withContent((content) => digest(content, "sha1", "hex")),
  filesha256: withContent((content) => digest(content, "sha256", "hex")),
  filesha512: withContent((content) => digest(content, "sha512", "hex")),
  pathexpand: define([path], ([given]) => expandHome(given)),
};
