import type { Evaluated } from "../../../src/core/values";
import { parseHcl } from "../../../src/language/expressions/parse";
import { parseTypeConstraint } from "../../../src/language/config/type-constraint";
import { faultsOf, scopeOf, valueOf } from "./scope";

const DEEP = "Expression nested too deeply";
const nested = (open: string, inner: string, close: string, levels: number): string =>
  open.repeat(levels) + inner + close.repeat(levels);

/** Fits into the name of a test. */
const beginning = (text: string): string => text.slice(0, 60);

const SHAPES: readonly (readonly [string, (levels: number) => string])[] = [
  ["parentheses", (levels) => nested("(", "1", ")", levels)],
  ["lists", (levels) => nested("[", "1", "]", levels)],
  ["objects", (levels) => nested("{a=", "1", "}", levels)],
  ["conditionals", (levels) => nested("true ? 1 : ", "1", "", levels)],
  ["sums", (levels) => nested("1 + ", "1", "", levels)],
  ["negations", (levels) => nested("!", "true", "", levels)],
  ["templates", (levels) => nested('"a${', "1", '}"', levels)],
  ["calls", (levels) => nested("upper(", "1", ")", levels)],
  ["indexes", (levels) => nested("", "local.l", "[local.i]", levels)],
];

describe("an expression of 20,000 levels is refused", () => {
  test.each(SHAPES)("%s", async (_, shape) => {
    const where = { address: "output.x", path: [] };
    const { diagnostics } = await parseHcl(shape(20_000), where);
    expect(diagnostics.map(({ summary }) => summary)).toEqual([DEEP]);
    const [fault] = await faultsOf(`\${${shape(20_000)}}`);
    expect(fault).toContain(DEEP);
  });

  test("directives", async () => {
    const [fault] = await faultsOf(nested("%{ if true }", "x", "%{ endif }", 20_000));
    expect(fault).toContain(DEEP);
  });

  test("types", async () => {
    const parsed = await parseTypeConstraint(nested("list(", "string", ")", 20_000));
    expect(JSON.stringify(parsed)).toContain("90 levels");
  });
});

test.each(SHAPES.slice(0, 3))("evaluates %s of 90 levels in an interpolation", async (_, shape) => {
  expect(await faultsOf(`\${${shape(90)}}`)).toEqual([]);
  expect(await faultsOf(`\${${shape(91)}}`)).toEqual([expect.stringContaining(DEEP)]);
});

test.each(SHAPES.slice(0, 8))("evaluates %s of 45 levels", async (_, shape) => {
  const { expression, diagnostics } = await parseHcl(shape(45), { address: "x", path: [] });
  expect(diagnostics).toEqual([]);
  expect(expression.evaluate(scopeOf()).diagnostics).toEqual([]);
});

test("does not count what is next to each other", async () => {
  const list = Array.from({ length: 1000 }, () => "-1").join(", ");
  expect(await valueOf(`\${length([${list}])}`)).toMatchObject({ value: 1000 });
  const texts = `\${1 - 1}-(["`.repeat(500);
  expect(await valueOf(`${texts}\${"- - ] ) %"}`)).toContain('0-(["');
  const heredoc = `\${<<-EOT\n${"a - b [ ( - \n".repeat(300)}EOT\n}`;
  expect(await valueOf(heredoc)).toContain("a - b");
});

describe("a value beyond the bounds is refused", () => {
  const text = `local.text`;
  const deepest = range(239).reduce<readonly Evaluated[]>((inner) => [inner], ["x"]);
  const names: Readonly<Record<string, Evaluated>> = {
    "local.text": "x".repeat(2 ** 20),
    "local.list": range(1024),
    "local.long": range(600_000),
    "local.deepest": deepest,
  };
  const refused = [
    ['format("%999999999d", 1)', "67,108,864 characters"],
    ['format("%.999999999f", 1)', "67,108,864 characters"],
    ['format("%10000010d", 1)', "the width or precision is too large for a number"],
    ['format("%.10000010e", 1)', "the width or precision is too large for a number"],
    ['indent(999999999, "\\n")', "67,108,864 characters"],
    [`join("", [for i in range(1000) : ${text}])`, "67,108,864 characters"],
    [`replace(${text}, "x", ${text})`, "67,108,864 characters"],
    [`format("%s%s", join("", [for i in range(63) : ${text}]), ${text} + 1)`, "Invalid operand"],
    [
      `"\${join("", [for i in range(63) : ${text}])}\${${text}}\${${text}}"`,
      "67,108,864 characters",
    ],
    ["length(setproduct(range(300), range(300), range(300)))", "1,000,000 elements"],
    ["concat([for i in range(1000) : local.list]...)", "1,000,000 elements"],
    [
      "[for a in range(2) : [for b in local.long : [for c in local.long : 1]]]",
      "1,000,000 iterations",
    ],
    ["[local.deepest]", "240 levels"],
    [`jsondecode(${JSON.stringify(nested("[", "1", "]", 20_000))})`, "200 levels"],
    [`yamldecode(${JSON.stringify(nested("[", "1", "]", 20_000))})`, "200 levels"],
    [`yamldecode(${JSON.stringify(nested("- ", "1", "", 20_000))})`, "invalid YAML"],
  ] as const;
  test.each(refused.map(([text, part]) => [beginning(text), text, part]))(
    "%s",
    async (_, expression, part) => {
      const faults = await faultsOf(`\${${expression}}`, names);
      expect(faults).toHaveLength(1);
      expect(faults[0]).toContain(part);
    },
  );
});

const uncaught = [
  `jsondecode(${JSON.stringify(nested("[", "1", "]", 20_000))})`,
  "length(setproduct(range(300), range(300), range(300)))",
  'format("%999999999s", "x")',
  'format("%10000010d", 1)',
  'indent(999999999, "\\n")',
  'yamldecode("a: \u2028b")',
  'yamldecode("[.inf]")',
  'yamldecode("-.INF")',
];
test.each(uncaught.map((call) => [beginning(call), call]))(
  "neither try nor can catches what only this executor refuses: %s",
  async (_, call) => {
    const refused = [expect.stringMatching(/^Unsupported function call: /)];
    for (const text of [call, `can(${call})`, `jsonencode(try(${call}, "x"))`]) {
      expect(await faultsOf(`\${${text}}`)).toEqual(refused);
    }
    expect(await valueOf(`\${true ? 1 : try(${call}, 2)}`)).toBe(1);
  },
);

function range(length: number): readonly number[] {
  return Array.from({ length }, (_, index) => index);
}
