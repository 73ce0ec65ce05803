import type * as Iconv from "iconv-lite";
import {
  define,
  FunctionFailure,
  named,
  string,
  type FunctionDefinition,
} from "./language-function";
import { decodeBase64 } from "./encoding";

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

function withEncoding(
  name: string,
  use: (library: typeof Iconv) => string | FunctionFailure,
): string | FunctionFailure {
  if (!iconv) throw new Error("The parser did not load the text encodings.");
  return ENCODINGS.has(name.toLowerCase())
    ? use(iconv)
    : new FunctionFailure("this executor does not know an encoding of that name", "encoding");
}

function encode(text: string, name: string): string | FunctionFailure {
  return withEncoding(name, (library) => {
    const bytes = library.encode(text, name);
    return library.decode(bytes, name, { stripBOM: false }) === text
      ? bytes.toString("base64")
      : new FunctionFailure("the text contains characters that the encoding lacks", "string");
  });
}

function decode(base64: string, name: string): string | FunctionFailure {
  return withEncoding(name, (library) => {
    const bytes = decodeBase64(base64);
    if (bytes instanceof FunctionFailure) return bytes;
    const text = library.decode(bytes, name, { stripBOM: false });
    return text.includes("\uFFFD")
      ? new FunctionFailure("the bytes are not text in this encoding", "source")
      : text;
  });
}

const encoding = named("encoding", string);

export const textEncodingFunctions: Readonly<Record<string, FunctionDefinition>> = {
  textdecodebase64: {
    ...define([named("source", string), encoding], ([source, name]) => decode(source, name)),
    load: loadIconv,
  },
  textencodebase64: {
    ...define([string, encoding], ([text, name]) => encode(text, name)),
    load: loadIconv,
  },
};
