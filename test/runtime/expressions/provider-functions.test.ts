import type { FunctionDefinition } from "../../../src/core/definitions/provider-definition";
import { Functions } from "../../../src/core/operations/function-operations";
import { terraformFunctions } from "../../../src/core/providers/terraform-functions";
import { printable } from "../../../src/core/printed";
import { NUMBER, STRING } from "../../../src/core/types";
import { mark } from "../../../src/core/marks";
import { UNKNOWN, type Evaluated } from "../../../src/core/values";
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
    'Unknown provider function: There is no function named "provider::other::repeat".',
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

test("the function of Terraform that the executor lacks is refused, also in try", async () => {
  const all = new Functions(terraformFunctions);
  const expression = await parsed('${try(provider::tf::decode_tfvars("a = 1"), {})}');
  const { diagnostics } = expression.evaluate(scopeOf({}, { functions: () => all }));
  expect(diagnostics).toMatchObject([{ summary: "Unsupported function" }]);
  expect(diagnostics[0]?.detail).toContain('"provider::tf::decode_tfvars" is called.');
});

test("an error for a sensitive argument does not contain it", async () => {
  const text = await problem("provider::demo::repeat(var.s, -1)", {
    "var.s": mark("hunter2", { sensitive: true }),
  });
  expect(text).toContain("the argument is sensitive");
  expect(text).not.toContain("hunter2");
});
