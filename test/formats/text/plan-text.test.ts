import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { exactNumber } from "../../../src/core/values";
import { renderOutputChanges, renderPlan } from "../../../src/formats/text/plan-text";
import { createStyle } from "../../../src/formats/text/style";
import { toStackPlan, type TerraformPlan } from "../terraform-plan";

/**
 * Each pair holds a plan that Terraform 1.11.4 made (`terraform show -json`) and what it printed of
 * it (`terraform show -no-color`), with its built-in provider and one whose schemas are in
 * terraform-plan.ts.
 */
const FIXTURES = join(__dirname, "../fixtures", "plan");

/** The mode of a plan by the name of its pair. */
const MODES = [
  ["destroy-all", "destroy"],
  ["refresh-only", "refresh-only"],
] as const;

const names = readdirSync(FIXTURES)
  .filter((file) => file.endsWith(".txt"))
  .map((file) => file.slice(0, -".txt".length));

describe("renders a plan as Terraform does", () => {
  test.each(names)("%s", (name) => {
    const plan = JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), "utf8")) as TerraformPlan;
    const expected = readFileSync(join(FIXTURES, `${name}.txt`), "utf8");
    const mode = MODES.find(([prefix]) => name.startsWith(prefix))?.[1];
    const text = renderPlan(toStackPlan(plan, mode), {
      style: createStyle(false),
      width: 78,
      attributes: true,
    });
    expect(text).toBe(expected);
  });
});

test("shows a negative zero as zero, and pads keys by code points up to a width in bytes", () => {
  const output = { name: "n", action: "create", sensitive: false, before: null } as const;
  const after = { "😀": -0, ab: 1, é: 2 };
  expect(renderOutputChanges([{ ...output, after }], createStyle(false)).join("\n")).toBe(`\
  + n = {
      + ab     = 1
      + é      = 2
      + "😀"    = 0
    }`);
});

test("renders all digits of numbers that a double cannot hold", () => {
  const large = exactNumber("9007199254740993");
  const output = { name: "n", action: "update", sensitive: false } as const;
  expect(
    renderOutputChanges(
      [
        { ...output, before: null, after: large },
        { ...output, before: 1, after: large },
        { ...output, before: [large], after: [large, { a: large }] },
      ],
      createStyle(false),
    ).join("\n"),
  ).toBe(`\
  + n = 9007199254740993
  ~ n = 1 -> 9007199254740993
  ~ n = [
        9007199254740993,
      + {
          + a = 9007199254740993
        },
    ]`);
});
