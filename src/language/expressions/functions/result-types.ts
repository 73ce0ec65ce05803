import { memberOf } from "../../../core/member-of";
import { unmarkRoot } from "../../../core/marks";
import type { Evaluated } from "../../../core/values";
import { elementsOf, isShortInteger } from "../ranges";
import { BOOL, NUMBER, STRING, type Type } from "../../../core/types";
import { COLLECTION_TYPES, type ResultType } from "./collection-types";
import { typeOfJson } from "./json-functions";
import { matchType } from "./regex";

const LIST_OF_STRINGS: Type = { kind: "list", element: STRING };
const SET_OF_STRINGS: Type = { kind: "set", element: STRING };

/** The types of functions' results, where these do not depend on the arguments. */
const TYPES: readonly (readonly [Type, string])[] = [
  [
    STRING,
    `abspath base64decode base64encode base64gzip base64sha256 base64sha512 basename chomp
    cidrhost cidrnetmask cidrsubnet dirname file filebase64 filebase64sha256 filebase64sha512
    filemd5 filesha1 filesha256 filesha512 format formatdate indent join jsonencode lower md5
    pathexpand plantimestamp replace sha1 sha256 sha512 strrev substr textdecodebase64
    textencodebase64 timeadd timestamp title trim trimprefix trimspace trimsuffix upper urlencode
    uuid uuidv5 yamlencode`,
  ],
  [NUMBER, "abs ceil floor index length log max min parseint pow signum sum timecmp"],
  [BOOL, "alltrue anytrue can contains endswith fileexists issensitive startswith strcontains"],
  [LIST_OF_STRINGS, "cidrsubnets compact formatlist sort split"],
  [SET_OF_STRINGS, "fileset"],
  [{ kind: "list", element: NUMBER }, "range"],
  [{ kind: "map", element: LIST_OF_STRINGS }, "transpose"],
];

const FIXED: ReadonlyMap<string, Type> = new Map(
  TYPES.flatMap(([type, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, type] as const),
  ),
);

const BY_ARGUMENTS: Readonly<Record<string, ResultType>> = {
  ...COLLECTION_TYPES,
  jsondecode: typeOfJson,
  regex: matchType,
  regexall: (args) => ({ kind: "list", element: matchType(args) }),
};

/** Returns the type of a function's result; undefined where only the result itself has it. */
export function resultType(name: string, args: readonly Evaluated[]): Type | undefined {
  return FIXED.get(name) ?? memberOf(BY_ARGUMENTS, name)?.(args);
}

/** Functions whose unknown results may be null for Terraform, although some never are. */
export const NULLABLE_RESULTS: ReadonlySet<string> = new Set([
  "element",
  "issensitive",
  "lookup",
  "one",
  "strcontains",
  "timeadd",
  "yamlencode",
]);

/** Functions whose integers have 64 bits in Terraform. */
const SHORT_INTEGERS: ReadonlySet<string> = new Set(
  "ceil floor index length log parseint pow signum timecmp".split(" "),
);

/** Reports whether Terraform calculates with an integer result in 64 bits. */
export function isShortResult(name: string, args: readonly Evaluated[], result: number): boolean {
  switch (name) {
    case "abs":
      return args.every(isShortInteger);
    case "max":
    case "min":
      return args.some((arg) => isShortInteger(arg) && unmarkRoot(arg).value === result);
    case "sum":
      return args.every((arg) => elementsOf(unmarkRoot(arg).value)?.every(isShortInteger) === true);
    default:
      return SHORT_INTEGERS.has(name) && Number.isInteger(result);
  }
}
