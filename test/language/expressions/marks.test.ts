import fc from "fast-check";
import { mark, remark, unmark, type PathMarks } from "../../../src/core/marks";
import { UNKNOWN, type Evaluated, type Value } from "../../../src/core/values";
import { faultsOf, valueOf } from "./scope";

const secret = mark("s3cret", { sensitive: true, ephemeral: true });
const names: Readonly<Record<string, Evaluated>> = {
  "var.secret": secret,
  "var.names": ["a", "b"],
  "var.object": { public: 1, hidden: mark("h", { sensitive: true }) },
  "var.later": UNKNOWN,
  "var.later_secret": mark(UNKNOWN, { sensitive: true }),
};
const both = { sensitive: true, ephemeral: true, hidden: false };
const sensitive = { sensitive: true, ephemeral: false, hidden: false };

describe("marks follow the value", () => {
  test.each<[string, Value, readonly PathMarks[]]>([
    ["${var.secret}", "s3cret", [{ path: [], ...both }]],
    ["x ${var.secret}", "x s3cret", [{ path: [], ...both }]],
    ["${upper(var.secret)}", "S3CRET", [{ path: [], ...both }]],
    ["${[var.secret, 1]}", ["s3cret", 1], [{ path: [0], ...both }]],
    ["${var.object}", { public: 1, hidden: "h" }, [{ path: ["hidden"], ...sensitive }]],
    ["${var.object.public}", 1, []],
    ["${length(var.object)}", 2, []],
    ["${merge(var.object, {a = 1}).a}", 1, []],
    ["${values(var.object)}", ["h", 1], [{ path: [0], ...sensitive }]],
    ["${jsonencode(var.object)}", '{"hidden":"h","public":1}', [{ path: [], ...sensitive }]],
    ['${var.secret == "x" ? 1 : 2}', 2, [{ path: [], ...both }]],
    ["${[for n in var.names : n if var.secret != n]}", ["a", "b"], [{ path: [], ...both }]],
    ["${toset([var.secret])}", ["s3cret"], [{ path: [], ...both }]],
    ["${nonsensitive(var.object.hidden)}", "h", []],
    ["${sensitive(1)}", 1, [{ path: [], ...sensitive }]],
    [
      "${ephemeralasnull({a = var.secret, b = 1})}",
      { a: null, b: 1 },
      [{ path: ["a"], ...sensitive }],
    ],
    ["${{ (var.secret) = 1 }}", { s3cret: 1 }, [{ path: [], ...both }]],
    ["${!(var.secret == 1) || false}", true, [{ path: [], ...both }]],
    ["${try(var.secret, 1)}", "s3cret", [{ path: [], ...both }]],
  ])("%s", async (json, value, marks) => {
    expect(unmark(await valueOf(json, names))).toEqual({ value, marks });
  });
});

describe("unknown values", () => {
  test.each<[string, Value]>([
    ["${var.later}", UNKNOWN],
    ["${var.later.any[0].path}", UNKNOWN],
    ["x ${var.later}", UNKNOWN],
    ["${var.later + 1}", UNKNOWN],
    ["${var.later ? 1 : 2}", UNKNOWN],
    ["${[for x in var.later : x]}", UNKNOWN],
    ["${[for x in [1, var.later] : x]}", [1, UNKNOWN]],
    ["${[for x in [1] : x if var.later]}", UNKNOWN],
    ["${var.later[*].id}", UNKNOWN],
    ["${{a = 1, b = var.later}}", { a: 1, b: UNKNOWN }],
    ["${upper(var.later)}", UNKNOWN],
    ["${length([1, var.later])}", 2],
    ["${keys({a = var.later})}", ["a"]],
    ["${jsonencode([var.later])}", UNKNOWN],
    ["${false && var.later}", UNKNOWN],
    ["${true || var.later}", UNKNOWN],
    ["${var.later && false}", UNKNOWN],
    ["${[1, 2][var.later]}", UNKNOWN],
    ["${var.later == null}", UNKNOWN],
    ["${can(var.later.x)}", UNKNOWN],
    ["${try(var.later.x, 1)}", UNKNOWN],
    ["${timestamp()}", UNKNOWN],
    ["${element([var.later, 2], 1)}", 2],
    ["${concat([1], var.later)}", UNKNOWN],
  ])("%s", async (json, value) => {
    expect(unmark(await valueOf(json, names)).value).toEqual(value);
  });

  test("keep their marks", async () => {
    const value = await valueOf("${var.later_secret ? 1 : 2}", names);
    expect(unmark(value)).toEqual({ value: UNKNOWN, marks: [{ path: [], ...sensitive }] });
  });
});

describe("errors contain no secret", () => {
  test.each([
    "${tonumber(var.secret)}",
    "${var.secret + 1}",
    "${parseint(var.secret, 10)}",
    "${jsondecode(var.secret)}",
    "${{a = 1}[var.secret]}",
    "${lookup({a = 1}, var.secret)}",
    '${regex("^x", var.secret)}',
    "${file(var.secret)}",
    "${index([], var.secret)}",
    "${{for x in [1, 2] : var.secret => x}}",
    "${[1][var.secret]}",
  ])("%s", async (json) => {
    const faults = await faultsOf(json, names);
    expect(faults).toHaveLength(1);
    expect(faults.join()).not.toContain("s3cret");
  });
});

describe("unmark and remark", () => {
  const tree: fc.Arbitrary<Evaluated> = fc.letrec<{ tree: Evaluated }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, true, 1, "a", UNKNOWN),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(fc.string({ maxLength: 3 }), tie("tree"), { maxKeys: 3 }),
      fc
        .tuple(tie("tree"), fc.boolean(), fc.boolean())
        .map(([value, s, e]) => mark(value, { sensitive: s, ephemeral: e })),
    ),
  })).tree;

  test("are inverse", () => {
    fc.assert(
      fc.property(tree, (value) => {
        const { value: bare, marks } = unmark(value);
        expect(remark(bare, marks)).toEqual(value);
      }),
    );
  });
});
