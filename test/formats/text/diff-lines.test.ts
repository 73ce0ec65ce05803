import fc from "fast-check";
import type { Action, ResourceChange } from "../../../src/core/documents/stack-plan";
import { diffLines } from "../../../src/formats/text/diff-lines";
import { renderResourceChange } from "../../../src/formats/text/resource-text";
import { FILE_TEXT, MARKED_TEXT } from "../../../src/formats/text/style";
import { cases } from "../../support/cases";

const ATTRIBUTES = {
  input: { type: { kind: "string" }, mode: "optional", description: "" },
} as const;

function change(action: Action, before: string | null, after: string | null): ResourceChange {
  const object = (input: string | null) => (input === null ? null : { input });
  return {
    address: "terraform_data.value",
    mode: "managed",
    type: "terraform_data",
    name: "value",
    provider: "terraform.io/builtin/terraform",
    action,
    before: object(before),
    after: object(after),
    beforeSensitive: [],
    afterSensitive: [],
    replacePaths: [],
    attributes: ATTRIBUTES,
  };
}

const kindsOf = (given: ResourceChange) =>
  diffLines(renderResourceChange(given, { ...MARKED_TEXT, attributes: true })).map(
    ({ kind, margin, symbol, rest }) => `${kind}|${margin}${symbol}${rest}`,
  );

test("the lines of a value are plain, whatever they begin with", () => {
  const value = "rules:\n  - name: x\n  + plus\n  ~ tilde\n  # hash\n-/+ both\nend\n";
  expect(kindsOf(change("create", null, value))).toEqual([
    "comment|  # terraform_data.value will be created",
    'added|  + resource "terraform_data" "value" {',
    "added|      + input = <<-EOT",
    "plain|            rules:",
    "plain|              - name: x",
    "plain|              + plus",
    "plain|              ~ tilde",
    "plain|              # hash",
    "plain|            -/+ both",
    "plain|            end",
    "plain|        EOT",
    "plain|    }",
  ]);
});

test("of a changed value, the lines that the plan adds and removes have a kind", () => {
  const before = "rules:\n  - name: x\n  - name: y\n";
  expect(kindsOf(change("update", before, "rules:\n  - name: x\n  - name: z\n"))).toEqual([
    "comment|  # terraform_data.value will be updated in-place",
    'changed|  ~ resource "terraform_data" "value" {',
    "changed|      ~ input = <<-EOT",
    "plain|            rules:",
    "plain|              - name: x",
    "removed|          -   - name: y",
    "added|          +   - name: z",
    "plain|        EOT",
    "plain|    }",
  ]);
});

test("reasons of a change are comments", () => {
  const given = change("delete", "a", null);
  expect(kindsOf({ ...given, reason: "delete_because_no_resource_config" })[1]).toBe(
    "comment|  # (because terraform_data.value is not in configuration)",
  );
});

test("lines keep the text of the plan, and no line of a new value has a kind", () => {
  const line = fc.string({
    unit: fc.constantFrom("-", "+", "~", "#", "/", " ", "a", "\u001b", "["),
  });
  fc.assert(
    fc.property(fc.array(line, { minLength: 2, maxLength: 6 }), (lines) => {
      const given = change("create", null, `x\n${lines.join("\n")}\nx`);
      const found = diffLines(renderResourceChange(given, MARKED_TEXT));
      const text = found.map(({ margin, symbol, rest }) => margin + symbol + rest).join("\n");
      expect(text).toBe(renderResourceChange(given, FILE_TEXT));
      expect(new Set(found.slice(3).map(({ kind }) => kind))).toEqual(new Set(["plain"]));
    }),
    { numRuns: cases(50) },
  );
});
