import type { FunctionDefinition } from "../../../src/core/definitions/provider-definition";
import { Functions } from "../../../src/core/operations/function-operations";
import { terraformFunctions } from "../../../src/core/providers/terraform-functions";
import { printable } from "../../../src/core/printed";
import { BOOL, NUMBER, STRING } from "../../../src/core/types";
import { mark, unmark } from "../../../src/core/marks";
import { UNKNOWN, type Evaluated } from "../../../src/core/values";
import { unknownOf } from "../../../src/language/expressions/ranges";
import { parsed, scopeOf, valueOf } from "./scope";

const repeat: FunctionDefinition = {
  name: "repeat",
  summary: "Repeats.",
  description: "Repeats a text.",
  parameters: [
    { name: "text", type: STRING, description: "What." },
    { name: "count", type: NUMBER, description: "How often." },
  ],
  returns: { kind: "set", element: STRING },
  call: ([given, count]) => {
    const text = typeof given === "string" ? given : "";
    return Number(count) < 0
      ? { error: { text: printable(`${text} cannot be repeated less than never`), argument: 1 } }
      : { value: [text.repeat(Number(count))] };
  },
};
const functions = new Functions([repeat]);
const scope = {
  functions: (provider: string) => (provider === "demo" ? functions : undefined),
};

const value = (hcl: string, names: Record<string, Evaluated> = {}) =>
  valueOf(`\${${hcl}}`, names, scope);

async function problem(hcl: string, names: Record<string, Evaluated> = {}): Promise<string> {
  const expression = await parsed(`\${${hcl}}`);
  const { value: result, diagnostics } = expression.evaluate(scopeOf(names, scope));
  expect(result).toBe(UNKNOWN);
  return diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n");
}

test("a provider function takes converted arguments and gives its type", async () => {
  expect(await value('tolist(provider::demo::repeat("ab", "2"))[0]')).toBe("abab");
  expect(await value('provider::demo::repeat(["ab", 2]...)')).toEqual(
    await value('toset(["abab"])'),
  );
});

test("a provider function waits for its arguments and marks its result as they are", async () => {
  expect(await value('provider::demo::repeat("a", var.n)', { "var.n": UNKNOWN })).toBe(UNKNOWN);
  const secret = mark("s", { sensitive: true, ephemeral: true });
  expect(await value("provider::demo::repeat(var.s, 1)", { "var.s": secret })).toEqual(
    mark(await value('toset(["s"])'), { sensitive: true, ephemeral: true }),
  );
});

test.each([
  [
    'provider::demo::repeet("a", 1)',
    'Unknown provider function: There is no function named "provider::demo::repeet". Did you mean "provider::demo::repeat"?',
  ],
  [
    'provider::other::repeat("a", 1)',
    'Unknown provider function: There is no function named "provider::other::repeat". Declare a provider "other" that has it in required_providers.',
  ],
  [
    'provider::demo::repeat("a")',
    'Wrong number of function arguments: Function "provider::demo::repeat" expects 2 argument(s).',
  ],
  [
    'provider::demo::repeat("a", "b")',
    'Invalid function argument: Invalid value for "count" parameter of "provider::demo::repeat": number required.',
  ],
  [
    'provider::demo::repeat("a", null)',
    'Invalid function argument: Invalid value for "count" parameter of "provider::demo::repeat": argument must not be null.',
  ],
  [
    'provider::demo::repeat("a", -1)',
    'Invalid function argument: Invalid value for "count" parameter of "provider::demo::repeat": a cannot be repeated less than never.',
  ],
])("%s", async (hcl, expected) => {
  expect(await problem(hcl)).toBe(expected);
});

/** Calls the function of Terraform as it is named there. */
async function decoded(file: string) {
  const all = new Functions(terraformFunctions);
  const expression = await parsed("${provider::terraform::decode_tfvars(var.file)}");
  const scope = scopeOf({ "var.file": file }, { functions: () => all });
  const { value, diagnostics } = expression.evaluate(scope);
  return { value: unmark(value).value, problem: diagnostics[0]?.detail.toString() };
}

/** The results of Terraform 1.11. */
test.each<[string, object]>([
  ["", {}],
  ['a = 1\nb = "x"\n', { a: 1, b: "x" }],
  ["# one\na = 1 // x\n/* y */ b = -2.5e3", { a: 1, b: -2500 }],
  ['a = [1, "a", true, null, {b = 1, "c d" = 2}]', { a: [1, "a", true, null, { b: 1, "c d": 2 }] }],
  ["a = {\n  x = 1, x = 2\n}\n", { a: { x: 2 } }],
  ["a = 1 + 2\nb = true ? 1 : 2\nc = [for x in [1, 2] : x][0]", { a: 3, b: 1, c: 1 }],
  ['a = "${1 + 1}x"\nb = "$${x}"', { a: "2x", b: "${x}" }],
  ["a = <<-EOT\n  x\n  y\n  EOT\n", { a: "x\ny\n" }],
  ["\ufeffa-b = (1)\r\né = !true\r\n", { "a-b": 1, é: false }],
])("decode_tfvars reads %j", async (file, expected) => {
  expect(await decoded(file)).toEqual({ value: expected, problem: undefined });
});

test.each([
  ["a = b", "Variables not allowed"],
  ['a = upper("x")', "Function calls not allowed"],
  ["a = 1\na = 2", "invalid tfvars syntax: Attribute redefined"],
  ["a { b = 1 }", "invalid tfvars content: Blocks are not allowed here"],
  ['"a" = 1', "invalid tfvars syntax"],
  ["(a) = 1", "invalid tfvars syntax"],
  ["a : 1", "invalid tfvars syntax"],
  ["a =\n1", "invalid tfvars syntax"],
  ["a = 1, b = 2", "invalid tfvars syntax"],
  ["a = 1 b = 2", "invalid tfvars syntax"],
  ["a = {", "invalid tfvars syntax"],
  ["a = 1 } == {", "invalid tfvars syntax"],
  ["1", "invalid tfvars syntax"],
  ['{"a": 1}', "invalid tfvars syntax"],
])("decode_tfvars refuses %j", async (file, reason) => {
  expect((await decoded(file)).problem).toContain(
    `Call to function "provider::terraform::decode_tfvars" failed: ${reason}`,
  );
});

test("an error for a sensitive argument does not contain it", async () => {
  const text = await problem("provider::demo::repeat(var.s, -1)", {
    "var.s": mark("hunter2", { sensitive: true }),
  });
  expect(text).toContain("the argument is sensitive");
  expect(text).not.toContain("hunter2");
});

test("the kind of an expression is known before its value", async () => {
  const all = { functions: () => new Functions(terraformFunctions) };
  const names: Record<string, Evaluated> = { "var.u": unknownOf(STRING) };
  const known = (hcl: string) => valueOf(`\${provider::terraform::${hcl}}`, names, all);
  expect(await known('encode_expr({a = var.u}) == "a"')).toBe(false);
  expect(await known('encode_expr([var.u]) == "[b"')).toMatchObject({ type: BOOL });
  expect(await known('encode_expr(var.u) == "a"')).toBe(false);
  expect(await known("encode_tfvars({a = var.u}) != null")).toBe(true);
  expect(await known("decode_tfvars(var.u) != null")).toMatchObject({ type: BOOL });
});
