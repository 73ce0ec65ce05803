import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type * as Iconv from "iconv-lite";
import { z } from "zod";
import { formatJson } from "../../../core/json/format-json";
import { mark, marksWithin, unmark } from "../../../core/marks";
import { listOf, typeOf } from "../../../core/typed-values";
import { isWhollyKnown, type Evaluated, type KnownValue } from "../../../core/values";
import { isNotNull, NOT_NULL, unknownOf } from "../ranges";
import {
  anything,
  define,
  fail,
  refuse,
  withName,
  raw,
  string,
  type LanguageFunction,
} from "./language-function";
import { decodeJson } from "./json-functions";
import { isTextTooDeep, TOO_DEEP } from "../limits";
import { decodeYaml, loadYaml } from "./yaml-decode";
import { encodeYaml } from "./yaml-encode";
import { objectOf, STRING } from "../../../core/types";

/** Returns the first character of unknown JSON, which depends on the type. */
function unknownJson(value: Evaluated): Evaluated {
  if (!isNotNull(value)) return unknownOf(STRING, NOT_NULL);
  const { kind } = typeOf(value);
  const isRecord = kind === "object" || kind === "map";
  const isSequence = kind === "tuple" || kind === "list" || kind === "set";
  const prefix = isRecord ? "{" : isSequence ? "[" : kind === "string" ? '"' : "";
  return unknownOf(STRING, { notNull: true, prefix });
}

let parseCsv: ((text: string) => unknown) | undefined;

async function loadCsv(): Promise<void> {
  const { parse } = await import("csv-parse/sync");
  parseCsv = (text) => parse(text, { skip_empty_lines: true, record_delimiter: "\n" });
}

const rows = z.array(z.array(z.string()));

/** Decodes CSV whose first line names the columns, as objects of strings. */
function decodeCsv(text: string): Evaluated {
  if (!parseCsv) throw new Error("The parser did not load the CSV reader.");
  let records: readonly (readonly string[])[];
  try {
    records = rows.parse(parseCsv(text.replaceAll("\r\n", "\n")));
  } catch {
    return fail("the string is not valid CSV, or its lines differ in length", "str");
  }
  const [header, ...lines] = records;
  if (!header) return fail("missing header line", "str");
  if (new Set(header).size < header.length) {
    return fail("two columns have the same name", "str");
  }
  return listOf(
    lines.map((line) =>
      Object.fromEntries(header.map((name, column) => [name, line[column] ?? ""])),
    ),
    objectOf(header.map((name) => [name, STRING])),
  );
}

export const csvFunctions: Readonly<Record<string, LanguageFunction>> = {
  csvdecode: { ...define([string], ([text]) => decodeCsv(text)), load: loadCsv },
};

/** Encodings that Terraform and iconv-lite both know, by their IANA names. */
const ENCODINGS: ReadonlySet<string> = new Set(
  (
    "utf-8 utf-16le utf-16be us-ascii big5 euc-jp euc-kr gb18030 gbk shift_jis koi8-r koi8-u macintosh " +
    "iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 " +
    "iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 windows-874 windows-1250 " +
    "windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 " +
    "windows-1258 ibm037 ibm437 ibm850 ibm852 ibm855 ibm862 ibm865 ibm866"
  ).split(" "),
);

let iconv: typeof Iconv | undefined;

async function loadIconv(): Promise<void> {
  iconv ??= await import("iconv-lite");
}

function withEncoding(name: string, use: (library: typeof Iconv) => string): string {
  if (!iconv) throw new Error("The parser did not load the text encodings.");
  return ENCODINGS.has(name.toLowerCase())
    ? use(iconv)
    : fail("this executor does not know an encoding of that name", "encoding");
}

function encode(text: string, name: string): string {
  return withEncoding(name, (library) => {
    const bytes = library.encode(text, name);
    return library.decode(bytes, name, { stripBOM: false }) === text
      ? bytes.toString("base64")
      : fail("the text contains characters that the encoding lacks", "string");
  });
}

function decode(base64: string, name: string): string {
  return withEncoding(name, (library) => {
    const bytes = decodeBase64(base64);
    const text = library.decode(bytes, name, { stripBOM: false });
    // The library drops half of a UTF-16 unit, and keeps half of a pair.
    const isHalf = /^utf-16/i.test(name) && bytes.length % 2 > 0;
    return isHalf || /\uFFFD|\p{Surrogate}/u.test(text)
      ? fail("the bytes are not text in this encoding", "source")
      : text;
  });
}

const encoding = withName("encoding", string);

export const textEncodingFunctions: Readonly<Record<string, LanguageFunction>> = {
  textdecodebase64: {
    ...define([withName("source", string), encoding], ([source, name]) => decode(source, name)),
    load: loadIconv,
  },
  textencodebase64: {
    ...define([string, encoding], ([text, name]) => encode(text, name)),
    load: loadIconv,
  },
};

function jsonDecode(text: string): KnownValue {
  if (isTextTooDeep(text)) return refuse(TOO_DEEP, "str");
  try {
    return decodeJson(text);
  } catch {
    return fail("the string is not valid JSON", "str");
  }
}

/** Decodes base64, whose line breaks are ignored. */
function decodeBase64(given: string): Buffer {
  const text = given.replace(/[\r\n]/g, "");
  return text.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(text)
    ? Buffer.from(text, "base64")
    : fail("failed to decode base64 data", "str");
}

/** Decodes UTF-8; undefined for bytes that are not. */
export function decodeText(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString() : undefined;
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
function nameBasedUuid(namespace: string, name: string): string {
  const uuid = NAMESPACES.get(namespace) ?? namespace;
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(uuid)) {
    return fail("the namespace is not a UUID", "namespace");
  }
  const seed = Buffer.concat([Buffer.from(uuid.replaceAll("-", ""), "hex"), Buffer.from(name)]);
  const hash = createHash("sha1").update(seed).digest().subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function hash(algorithm: string, as: "hex" | "base64" = "hex"): LanguageFunction {
  return define([string], ([text]) => digest(text, algorithm, as));
}

export const encodingFunctions: Readonly<Record<string, LanguageFunction>> = {
  base64decode: define(
    [string],
    ([text]) =>
      decodeText(decodeBase64(text)) ?? fail("the result of decoding is not valid UTF-8", "str"),
  ),
  base64encode: define([string], ([text]) => Buffer.from(text).toString("base64")),
  base64sha256: hash("sha256", "base64"),
  base64sha512: hash("sha512", "base64"),
  jsondecode: define([string], ([text]) => jsonDecode(text)),
  jsonencode: define([raw], ([value]) => {
    const plain = unmark(value).value;
    return mark(isWhollyKnown(plain) ? formatJson(plain) : unknownJson(value), marksWithin(value));
  }),
  md5: hash("md5"),
  sha1: hash("sha1"),
  sha256: hash("sha256"),
  sha512: hash("sha512"),
  uuidv5: define([withName("namespace", string), withName("name", string)], ([namespace, name]) =>
    nameBasedUuid(namespace, name),
  ),
  yamldecode: { ...define([string], ([text]) => decodeYaml(text)), load: loadYaml },
  yamlencode: define([anything], ([value]) => encodeYaml(value)),
  urlencode: define([string], ([text]) => encodeUrl(text)),
};
