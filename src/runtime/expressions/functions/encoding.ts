import { createHash } from "node:crypto";
import type { KnownValue } from "../../../provider/values";
import type { FunctionDefinition } from "./language-function";
import { anything, define, FunctionFailure, named, string } from "./language-function";
import { decodeJson, encodeJson } from "./json-functions";
import { decodeYaml, loadYaml } from "./yaml-decode";
import { encodeYaml } from "./yaml-encode";

function jsonDecode(text: string): KnownValue | FunctionFailure {
  try {
    return decodeJson(text);
  } catch {
    return new FunctionFailure("the string is not valid JSON", "str");
  }
}

/** Decodes base64, whose line breaks are ignored. */
export function decodeBase64(given: string): Buffer | FunctionFailure {
  const text = given.replace(/[\r\n]/g, "");
  return text.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(text)
    ? Buffer.from(text, "base64")
    : new FunctionFailure("failed to decode base64 data", "str");
}

function decodeBase64Text(text: string): string | FunctionFailure {
  const bytes = decodeBase64(text);
  if (bytes instanceof FunctionFailure) return bytes;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
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

const NAMESPACES: ReadonlyMap<string, string> = new Map([
  ["dns", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"],
  ["url", "6ba7b811-9dad-11d1-80b4-00c04fd430c8"],
  ["oid", "6ba7b812-9dad-11d1-80b4-00c04fd430c8"],
  ["x500", "6ba7b814-9dad-11d1-80b4-00c04fd430c8"],
]);

/** Makes a UUID of a name in a namespace, by RFC 4122. */
function nameBasedUuid(namespace: string, name: string): string | FunctionFailure {
  const uuid = NAMESPACES.get(namespace) ?? namespace;
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(uuid)) {
    return new FunctionFailure("the namespace is not a UUID", "namespace");
  }
  const seed = Buffer.concat([Buffer.from(uuid.replaceAll("-", ""), "hex"), Buffer.from(name)]);
  const hash = createHash("sha1").update(seed).digest().subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function hash(algorithm: string, as: "hex" | "base64" = "hex"): FunctionDefinition {
  return define([string], ([text]) => digest(text, algorithm, as));
}

export const encodingFunctions: Readonly<Record<string, FunctionDefinition>> = {
  base64decode: define([string], ([text]) => decodeBase64Text(text)),
  base64encode: define([string], ([text]) => Buffer.from(text).toString("base64")),
  base64sha256: hash("sha256", "base64"),
  base64sha512: hash("sha512", "base64"),
  jsondecode: define([string], ([text]) => jsonDecode(text)),
  jsonencode: define([anything], ([value]) => encodeJson(value)),
  md5: hash("md5"),
  sha1: hash("sha1"),
  sha256: hash("sha256"),
  sha512: hash("sha512"),
  uuidv5: define([named("namespace", string), named("name", string)], ([namespace, name]) =>
    nameBasedUuid(namespace, name),
  ),
  yamldecode: { ...define([string], ([text]) => decodeYaml(text)), load: loadYaml },
  yamlencode: define([anything], ([value]) => encodeYaml(value)),
  urlencode: define([string], ([text]) => encodeUrl(text)),
};
