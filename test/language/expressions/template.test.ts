import fc from "fast-check";
import { faultsOf, valueOf } from "./scope";

const escape = (text: string): string => text.replaceAll("${", "$${").replaceAll("%{", "%%{");
/** A dollar or percent sign directly before a sequence would escape it. */
const text = fc
  .string({ unit: "grapheme" })
  .filter((value) => !/[$%]$/.test(value) && !/[$%]{2}\{/.test(value));

describe("a template", () => {
  test("gives its text when sequences are escaped", async () => {
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        expect(await valueOf(escape(value))).toBe(value.normalize("NFC"));
      }),
    );
  });

  test("keeps the text around an operator", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const expected = `<${before}2${after}`.normalize("NFC");
        const value = await valueOf(`<${escape(before)}\${1 + 1}${escape(after)}`);
        if (typeof value !== "string") throw new Error("no string");
        expect(value.normalize("NFC")).toBe(expected);
      }),
      { numRuns: 20 },
    );
  });

  test.each([
    ['a\\b "q"\n${upper("x")}', 'a\\b "q"\nX'],
    ['${join("}", ["{", "a"])}\t"', '{}a\t"'],
    ['${"nested ${"${1 + 1}"}"} "', 'nested 2 "'],
    ['${replace("a.b", "/\\\\./", "-")}', "a-b"],
    ["%{ if true ~}  yes  %{~ else }no%{ endif }", "yes"],
    ['${<<EOT\na\\n"${1 + 1}\nEOT\n}', 'a\\n"2\n'],
    ["${<<-EOT\n  a\n    b\n  EOT\n}", "a\n  b\n"],
    ["é${1 + 1}ü${2 * 2}", "é2ü4"],
    ["${~ 1 + 1 ~}", 2],
    ['$${1 + 1} ${"$${x}"}', "${1 + 1} ${x}"],
  ])("%j", async (json, expected) => {
    expect(await valueOf(json)).toBe(expected);
  });

  test("can be the key of an object", async () => {
    expect(await valueOf({ "a${1 + 1}": 1 })).toEqual({ a2: 1 });
  });
});

describe("an invalid expression", () => {
  test.each([
    ["${1 +}", /^Invalid expression: /],
    ["${var.a", /^Unclosed template interpolation sequence: /],
    ["${true true}", /^Extra characters .* extra characters\. This can happen [^\n\\]*$/],
    ["%{ of true }x%{ endif }", /^Invalid template control keyword: .*\(The parser found 1 more/],
    ['${bcrypt("a")}', /^Unsupported function: .*"bcrypt".*Terraform can run the stack/],
    ['${uper("x")}', /Did you mean "upper"\?/],
    ['${try(uper("x"), 1)}', /^Unsupported function/],
    ["${upper()}", /^Not enough function arguments/],
    ['${upper("a", "b")}', /^Too many function arguments/],
    [-1.8881545897087626e289, /^Unsupported number: .*token of cdktf/],
    ["${1 / 0}", /^Division by zero/],
    [
      '${true ? 1 : ["a"]}',
      /^Inconsistent conditional .* is number, but the 'false' value is tuple/,
    ],
    ['${true ? 1 : sensitive({ tokens = "a" })}', /but the 'false' value is sensitive\.$/],
    ["${null ? 1 : 2}", /^Null condition/],
    ["${[for x in null : x]}", /^Iteration over null value/],
    ['${{for x in [1, 2] : "k" => x}}', /^Duplicate object key: .*"k"/],
    ['${regex("(?=a)", "a")}', /^Invalid function argument: .*invalid regexp pattern/],
    ["${toset([1])[0]}", /^Invalid index: Elements of a set/],
    ['${join(",", "a")}', /^Invalid function argument: .*list\(string\) required/],
    ["${one([1, 2])}", /zero or one elements/],
  ])("%j", async (json, fault) => {
    const faults = await faultsOf(json);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(fault);
  });
});
