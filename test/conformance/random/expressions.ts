import { IS_NEWER } from "../support/program";
import type { Draft, Operand, Type } from "./draft";
import type { Draw } from "./draw";

/** A generated expression: an operand, with the functions and operators in it. */
export type Expression = Operand;

/** The operands that an expression may have. */
export interface Wish {
  /** Default: both. */
  readonly known?: boolean;
  readonly sensitive?: boolean;
  readonly ephemeral?: boolean;
  readonly depth?: number;
  /** More operands, such as each.key. */
  readonly scope?: readonly Operand[];
}

/** Literals by type. */
const LITERALS: Readonly<Record<Type, readonly string[]>> = {
  string: ['"a"', '"b c"', '"é"', '""', '"A-b_c"', '"<&>"', '"10"', '"x,y,,z"'],
  number: ["0", "1", "2", "7", "1.5", "-3", "12345678901234567890", "0.1"],
  bool: ["true", "false"],
  strings: ['["a", "b"]', '["b", "a", "b"]', "[]", '["é", ""]', 'tolist(["x"])'],
  map: [
    '{a = "1", b = "x"}',
    '{"k-1" = ""}',
    '{"🙂" = "x", a = "🙂"}',
    '{ab = "c", "d e" = "f"}',
    'tomap({a = "b"})',
  ],
  any: ["null", "{}", "[]", '{a = 1, b = ["x", true]}', '[1, "a", null]', 'toset(["b", "a"])'],
};

/**
 * Expressions by type, with `<type>` in place of an operand. They succeed for all values, so that
 * a random stack is rarely refused. The functions of every family are in here.
 */
const FORMS: Readonly<Record<Type, readonly string[]>> = {
  string: [
    "upper(<string>)",
    "lower(<string>)",
    "title(<string>)",
    "trimspace(<string>)",
    'trim(<string>, "ab")',
    'trimprefix(<string>, "a")',
    'trimsuffix(<string>, "c")',
    'replace(<string>, "a", <string>)',
    'replace(<string>, "/[a-c]+/", "[$0]")',
    'replace(<string>, "/-*/", "-")',
    "substr(<string>, 0, 2)",
    "substr(<string>, -2, 0)",
    'yamldecode("a: |-\\n  0${length(<strings>)}").a',
    'yamldecode("!!int \\"${length(<strings>)}\\"")',
    "strrev(<string>)",
    'join("-", <strings>)',
    // A null makes %v unknown for ever: Terraform then drops the object from its state.
    'format("%s/%03d/%v", <string>, floor(<number>), jsonencode(<any>))',
    'format("%-5s|%q|%5.1f", <string>, <string>, <number>)',
    "chomp(<string>)",
    "indent(2, <string>)",
    'regex("[a-z]*", lower(<string>))',
    "md5(<string>)",
    "sha1(<string>)",
    "sha256(<string>)",
    "sha512(<string>)",
    "base64sha256(<string>)",
    "base64sha512(<string>)",
    "base64encode(<string>)",
    "base64decode(base64encode(<string>))",
    'textdecodebase64(textencodebase64(<string>, "UTF-16LE"), "UTF-16LE")',
    "urlencode(<string>)",
    "jsonencode(<any>)",
    "yamlencode(<any>)",
    "basename(<string>)",
    "dirname(<string>)",
    'formatdate("EEE, DD MMM YYYY hh:mm:ss", "2020-02-03T04:05:06Z")',
    'timeadd("2020-02-29T00:00:00Z", "${length(<strings>)}h")',
    'uuidv5("dns", <string>)',
    'cidrhost("10.0.0.0/8", length(<strings>))',
    'cidrsubnet("10.0.0.0/8", 8, length(<map>))',
    'cidrnetmask("10.0.0.0/12")',
    "tostring(<number>)",
    "tostring(<bool>)",
    "<bool> ? <string> : <string>",
    '"${<string>}-${<number>}"',
    '"id-${<string>}"',
    'coalesce(<string>, "none")',
    'element(concat(<strings>, ["last"]), <small>)',
    'try(<strings>[0], "none")',
    'try(<map>.a, <map>["b"], "none")',
    'lookup(<map>, "a", "none")',
    'one(["only"])',
    "nonsensitive(sensitive(<string>))",
    '"%{ for one in <strings> }${one},%{ endfor }"',
    '"%{ if <bool> }yes%{ else }no%{ endif }"',
    'csvdecode("a,b\\n1,${length(<strings>)}")[0].b',
    "terraform.workspace",
    'coalescelist(<strings>, ["none"])[0]',
    "substr(timestamp(), 0, 2)",
    "provider::terraform::encode_expr([<any>])",
    "provider::terraform::encode_expr(<map>)",
    "provider::terraform::encode_tfvars({a = <any>, b-c = <strings>})",
  ],
  number: [
    "length(<strings>)",
    "length(<string>)",
    "length(uuid())",
    "length(<map>)",
    "length(flatten([<strings>, [<strings>]]))",
    "abs(<number>)",
    "ceil(<number>)",
    "floor(<number>)",
    "max(<number>, <number>)",
    "min(<number>, 3, <number>)",
    "signum(floor(<number>))",
    "pow(2, <small>)",
    "log(8, 2)",
    'parseint("ff", 16)',
    "sum([<number>, <number>])",
    'index(["a", "b"], "b")',
    'tonumber("${<small>}")',
    "<number> + <number>",
    "<number> - <number>",
    "<number> * <small>",
    "<number> % 4",
    "<number> / 4",
    "-(<number>)",
    "<bool> ? <number> : 5",
    'timecmp("2020-01-01T00:00:00Z", "2020-01-01T00:00:01Z")',
  ],
  bool: [
    "<string> == <string>",
    '<string> != ""',
    '"id-${<string>}" != ""',
    "<number> < <number>",
    "<number> >= 1",
    "<number> == <number>",
    "<any> == <any>",
    "<any> != null",
    "<bool> && <bool>",
    "<bool> || <bool>",
    "!<bool>",
    "contains(<strings>, <string>)",
    'can(regex("^a", <string>))',
    "can(<map>.zzz)",
    "alltrue([<bool>, <bool>])",
    "anytrue([<bool>, <bool>])",
    'startswith(<string>, "a")',
    'endswith(<string>, "c")',
    'strcontains(<string>, "b")',
    'tobool("true")',
    'fileexists("${path.module}/missing")',
    'can(pathexpand("~${length(<strings>)}/y"))',
    'can(yamldecode("%YAML 1.2\\n---\\na: ${length(<strings>)}"))',
    'can(yamldecode("a: \\"${length(<strings>)}\\\\/\\""))',
    'can(yamldecode("&x k: ${length(<strings>)}"))',
    'can(yamldecode("!!timestamp 202${length(<strings>)}-01-01"))',
    'can(yamldecode("a: \\u2028\\u0001${length(<strings>)}"))',
    "issensitive(<any>)",
  ],
  strings: [
    'split(",", <string>)',
    "tolist([<string>, <string>])",
    "[<string>, <string>]",
    "concat(<strings>, <strings>)",
    "distinct(<strings>)",
    "sort(<strings>)",
    "reverse(<strings>)",
    "compact(<strings>)",
    "slice(concat(<strings>, <strings>), 0, length(<strings>))",
    "values(<map>)",
    "keys(<map>)",
    "flatten([<strings>, <strings>])",
    "[for one in <strings> : upper(one)]",
    "[for key, one in <map> : key]",
    '[for index, one in <strings> : "${index}${one}" if one != <string>]',
    "tolist(toset(<strings>))",
    "tolist(setunion(toset(<strings>), toset(<strings>)))",
    "tolist(setintersection(toset(<strings>), toset(<strings>)))",
    "tolist(setsubtract(toset(<strings>), toset(<strings>)))",
    'formatlist("%s!", <strings>)',
    'regexall("[a-z]", <string>)',
    'cidrsubnets("10.0.0.0/8", 4, 8)',
    "[for number in range(3) : tostring(number)]",
    '[{x = <string>}, {x = "b"}][*].x',
    'matchkeys(["x", "y"], ["a", "b"], <strings>)',
    'chunklist(concat(<strings>, ["z"]), 2)[0]',
    'setproduct(["a", "b"], [<string>])[0]',
    "<bool> ? <strings> : <strings>",
    "try(tolist(<any>), <strings>)",
  ],
  map: [
    "{a = <string>, b = <string>}",
    "merge(<map>, <map>)",
    'zipmap(["a", "b"], [<string>, <string>])',
    "tomap({a = <string>})",
    "{for key, one in <map> : upper(key) => one}",
    '{for index, one in <strings> : "k${index}" => one}',
    '{(lower("KEY")) = <string>}',
    "{for key, one in {a = <string>, b = <string>} : key => one if one != null}",
  ],
  any: [
    "<string>",
    "<number>",
    "<bool>",
    "<strings>",
    "<map>",
    "toset(<strings>)",
    "{a = <string>, n = <number>, nested = {list = <strings>}}",
    "[<string>, <number>, null]",
    "[<map>, <map>]",
    "[{a = <string>}, {a = <number>}]",
    "tolist([<map>, <map>])",
    "jsondecode(jsonencode(<any>))",
    "yamldecode(yamlencode(<any>))",
    'yamldecode("a: {b: 1}\\n\\"<<\\": ${jsonencode(<map>)}")',
    "transpose({a = <strings>})",
    "{for one in <strings> : one => length(one)...}",
    "setproduct(<strings>, <strings>)",
    "chunklist(<strings>, 2)",
    'csvdecode("a,b\\n1,2")',
    "<bool> ? null : <string>",
    "try(jsondecode(jsonencode(<any>)).nested.list, null)",
    "toset([<number>, <number>])",
    'toset([{a = <string>}, {a = <string>}, {a = "k"}])',
    'toset([{a = <string>, b = <bool>}, {a = "k", b = true}])',
    'toset([[<string>], [<string>], ["k"]])',
    "toset([for one in <strings> : {a = one}])",
    "[for one in toset([{a = <string>}, {a = <string>}]) : one.a]",
    "tomap({a = <any>})",
    "provider::terraform::decode_tfvars(provider::terraform::encode_tfvars({a = <any>, b = 1}))",
    "<bool> ? {b = 1} : {A = <string>}",
    "<bool> ? [<string>] : [1, <number>]",
    'yamldecode("a: &x {k: 1}\\nb: *x\\nc: !!str ${length(<strings>)}")',
    'yamldecode("[!!float \\"${length(<strings>)}\\", !!bool \\"${<bool>}\\", !!null \\"\\"]")',
    "substr(<string>, -1, 0) == null ? [] : [-(length(<strings>) * 0)]",
    "tolist([])",
  ],
};

/** Forms that Terraform 1.15 evaluates in another way: docs/guides/engines.md. */
const CHANGED = /\bformat(list)?\(|&&|\|\||\btolist\(.*</;

const isComparable = (form: string) => !IS_NEWER || !CHANGED.test(form);

const SMALL = ["0", "1", "2", "3"];
const DEEPEST = 2;

/** The functions that expressions call. */
export const FUNCTIONS: readonly string[] = [
  ...new Set(Object.values(FORMS).flat().filter(isComparable).flatMap(functionsIn)),
];

function functionsIn(text: string): readonly string[] {
  return [...text.matchAll(/\b([a-z]\w*)\(/g)].map(([, name = ""]) => `${name}()`);
}

/** Generates an expression of a type. */
export function expression(draft: Draft, draw: Draw, type: Type, wish: Wish = {}): Expression {
  const { depth = DEEPEST } = wish;
  const suited = suitedTo(draft, type, wish);
  const form = depth === 0 ? "none" : draw.of(["form", "form", "none"] as const);
  if (form === "none") {
    if (suited.length > 0 && draw.chance(0.75)) return draw.of(suited);
    return literal(draw.of(LITERALS[type]), type);
  }
  const operands: Operand[] = [];
  const text = draw
    .of(FORMS[type].filter(isComparable))
    .replace(/<(\w+)>/g, (_, name: Type | "small") => {
      if (name === "small") return draw.of(SMALL);
      const operand = expression(draft, draw, name, { ...wish, depth: depth - 1 });
      operands.push(operand);
      // Operators and traversals apply to all of it.
      return /[ ?]/.test(operand.text) ? `(${operand.text})` : operand.text;
    });
  for (const name of functionsIn(text)) draft.features.add(name);
  for (const [feature, pattern] of SYNTAX) if (pattern.test(text)) draft.features.add(feature);
  return {
    text,
    type,
    known: !/timestamp|uuid\(/.test(text) && operands.every(({ known }) => known),
    sensitive: operands.some(({ sensitive }) => sensitive),
    ephemeral: operands.some(({ ephemeral }) => ephemeral),
  };
}

const SYNTAX: readonly (readonly [string, RegExp])[] = [
  ["conditional", / \? /],
  ["for expression", /[[{]for /],
  ["splat", /\[\*\]/],
  ["template directive", /%\{/],
  ["interpolation", /"[^"]*\$\{/],
];

function suitedTo(draft: Draft, type: Type, wish: Wish): readonly Operand[] {
  const { known, sensitive, ephemeral = false, scope = [] } = wish;
  return [...draft.operands, ...scope].filter(
    (one) =>
      (one.type === type || type === "any") &&
      (known === undefined || one.known === known) &&
      (sensitive !== false || !one.sensitive) &&
      (ephemeral || one.ephemeral !== true),
  );
}

export function literal(text: string, type: Type): Operand {
  return { text, type, known: true, sensitive: false };
}

/** The expression in JSON. */
export function template({ text }: Operand): string {
  return `\${${text}}`;
}
