import type { Draft, Operand, Type } from "../draft";
import type { Draw } from "../draw";
import { expression, literal, template } from "../expressions";
import { condition } from "./conditions";
import type { Part } from "./part";

const TYPES: readonly (readonly [string, Type, unknown])[] = [
  ["string", "string", "plain"],
  ["string", "string", ""],
  ["number", "number", 4],
  ["number", "number", "5"],
  ["bool", "bool", true],
  ["bool", "bool", "false"],
  ["list(string)", "strings", ["b", "a", 1]],
  ["set(string)", "any", ["b", "a", "b"]],
  ["map(string)", "map", { a: "1", b: true }],
  ["any", "any", { a: 1, b: [true, null] }],
  ["tuple([string, number])", "any", ["x", "2"]],
  ["object({a = string, n = optional(number, 3)})", "any", { a: "x", more: 1 }],
  ["map(list(number))", "any", { a: [1, "2"], b: [] }],
];

/** A variable: type, default, value, nullable, sensitive, ephemeral, validation. */
export const variable: Part = (draft, name, draw) => {
  const [type, kind, value] = draw.of(TYPES);
  const sensitive = draw.chance(0.25);
  const ephemeral = !sensitive && draw.chance(0.1);
  const nullable = draw.of([undefined, undefined, undefined, false]);
  const isNull = nullable === undefined && draw.chance(0.1);
  const isAny = type === "any";
  const text = `var.${name}`;
  draft.features.add(`variable of ${type.replace(/\(.*/, "")}`);
  if (sensitive) draft.features.add("variable sensitive");
  if (ephemeral) draft.features.add("variable ephemeral");
  if (nullable === false) draft.features.add("variable not nullable");
  if (isNull) draft.features.add("variable null");
  draft.add("variable", [name], {
    ...(!isAny || draw.chance(0.5) ? { type } : {}),
    default: isNull ? null : value,
    ...(nullable === undefined ? {} : { nullable }),
    ...(sensitive && { sensitive }),
    ...(ephemeral && { ephemeral }),
    ...(draw.chance(0.3) && { description: "A value, ${not} a template." }),
    ...(draw.chance(0.4) && { validation: validations(draft, draw, name) }),
  });
  draft.offer({ text, type: isNull ? "any" : kind, known: true, sensitive, ephemeral });
};

/** Conditions on a variable itself, locals, data and other variables. */
function validations(draft: Draft, draw: Draw, name: string): object[] {
  const other = expression(draft, draw, "any", { sensitive: false, depth: 1 });
  const own = `jsonencode(var.${name})`;
  const holds = draw.of([
    `\${${own} != ""}`,
    `\${${own} != jsonencode([${other.text}, 1])}`,
    `\${var.${name} != null || ${own} == "null"}`,
  ]);
  const fails = `\${${own} == "never"}`;
  draft.features.add(other.known ? "validation" : "validation unknown at plan");
  if (draw.chance(0.03)) {
    draft.features.add("validation failing");
    return [{ condition: fails, error_message: "This is invalid." }];
  }
  return [
    {
      condition: holds,
      error_message: draw.of(["This is invalid.", "It is ${terraform.workspace}."]),
    },
  ];
}

/** A local value. */
export const local: Part = (draft, name, draw) => {
  const type = draw.of<Type>(["string", "number", "bool", "strings", "map", "any", "any"]);
  const value = expression(draft, draw, type, { ephemeral: true, depth: 3 });
  draft.add("locals", [name], template(value));
  draft.offer({ ...value, text: `local.${name}` });
};

/** An output: types, sensitive, preconditions, depends_on. */
export const output: Part = (draft, name, draw) => {
  const value = expression(draft, draw, draw.of<Type>(["string", "any", "any", "strings", "map"]), {
    depth: 3,
  });
  const isRefused = value.sensitive && draw.chance(0.04);
  const sensitive = (value.sensitive && !isRefused) || draw.chance(0.05);
  if (isRefused) draft.features.add("output sensitive without the mark");
  if (sensitive) draft.features.add("output sensitive");
  if (!value.known) draft.features.add("output unknown");
  const body = literalBody(draw) ?? template(value);
  draft.add("output", [name], {
    value: body,
    ...(sensitive && { sensitive }),
    ...(draw.chance(0.2) && { precondition: condition(draft, draw, "output precondition") }),
    ...dependsOn(draft, draw, 0.1),
  });
};

/** JSON in place of an expression. */
function literalBody(draw: Draw): unknown {
  if (draw.chance(0.8)) return undefined;
  return draw.of([
    null,
    { a: [1, "two", null], b: { c: true } },
    [],
    {},
    ["a", 1],
    1.5,
    true,
    "a $${b} %%{c}",
    9007199254740993n.toString(),
  ]);
}

export function dependsOn(draft: Draft, draw: Draw, probability: number): object {
  if (draft.resources.length === 0 || !draw.chance(probability)) return {};
  return draft.with("depends_on", { depends_on: draw.some(draft.resources, 1, 2) });
}

export function scoped(text: string, type: Type, known = true, sensitive = false): Operand {
  return { ...literal(text, type), known, sensitive };
}
