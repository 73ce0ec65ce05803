import { createHash } from "node:crypto";
import type { KnownValue } from "../../../provider/values";
import type { FunctionDefinition } from "./language-function";
import { anything, define, FunctionFailure, string } from "./language-function";
import { decodeJson, encodeJson } from "./json";

function jsonDecode(text: string): KnownValue | FunctionFailure {
  try {
    return decodeJson(text);
  } catch {
    return new FunctionFailure("the string is not valid JSON", "str");
  }
}

function decodeBase64(given: string): string | FunctionFailure {
  const text = given.replace(/[\r\n]/g, "");
  if (text.length % 4 !== 0 || !/^[\w+/-]*={0,2}$/.test(text) || /[-_]/.test(text)) {
    return new FunctionFailure("failed to decode base64 data", "str");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(text, "base64"),
    );
  } catch {
    return new FunctionFailure("the result of decoding is not valid UTF-8", "str");
  }
}

/** Encodes as in the query of a URL: a blank becomes `+`. */
function encodeUrl(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");
}

export function digest(content: string | Buffer, algorithm: string, as: "hex" | "base64"): string {
  return createHash(algorithm).update(content).digest(as);
}

function hash(algorithm: string, as: "hex" | "base64" = "hex"): FunctionDefinition {
  return define([string], ([text]) => digest(text, algorithm, as));
}

export const encodingFunctions: Readonly<Record<string, FunctionDefinition>> = {
  base64decode: define([string], ([text]) => decodeBase64(text)),
  base64encode: define([string], ([text]) => Buffer.from(text).toString("base64")),
  base64sha256: hash("sha256", "base64"),
  base64sha512: hash("sha512", "base64"),
  jsondecode: define([string], ([text]) => jsonDecode(text)),
  jsonencode: define([anything], ([value]) => encodeJson(value)),
  md5: hash("md5"),
  sha1: hash("sha1"),
  sha256: hash("sha256"),
  sha512: hash("sha512"),
  urlencode: define([string], ([text]) => encodeUrl(text)),
};
