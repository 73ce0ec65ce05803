import { formatSubject } from "../../../src/language/expressions/reference";
import { parseTraversal, scanTemplate } from "../../../src/language/expressions/template";
import { faultsOf, parsed, scopeOf, valueOf } from "./scope";

/** Fails if a test loads the parser. */
jest.mock("@cdktn/hcl2json", () => {
  throw new Error("the parser was loaded");
});

describe("plain references need no parser", () => {
  const up = { id: "17", triggers: { a: "1", "b c": "2" }, list: [{ x: "first" }] };
  test.each([
    ["${null_resource.up.id}", "17"],
    ["${ null_resource.up.id }", "17"],
    ["${null_resource.up.list[0].x}", "first"],
    ["${null_resource.up.list.0.x}", "first"],
    ['${null_resource.up.triggers["b c"]}', "2"],
    ["a ${null_resource.up.id} b ${var.n}", "a 17 b 3"],
    ["${var.n}", 3],
    ["$${var.n} %%{if}", "${var.n} %{if}"],
    ['say "hi"\\n', 'say "hi"\\n'],
    ["100% $5", "100% $5"],
    ["${local.x-y}", true],
    ["${data.cwp_containers.all.count}", 4],
    ["${path.module}/${terraform.workspace}", "./default"],
    ["", ""],
    [
      [1, { k: "${var.n}" }, null],
      [1, { k: 3 }, null],
    ],
  ])("%j is %j", async (json, expected) => {
    const names = {
      "null_resource.up": up,
      "var.n": 3,
      "local.x-y": true,
      "data.cwp_containers.all": { count: 4 },
    };
    expect(await valueOf(json, names)).toEqual(expected);
  });

  test("reads each, count and self where the scope has them", async () => {
    const more = { each: { key: "k", value: { n: 1 } }, countIndex: 2, self: { id: "s" } };
    const json = "${each.key} ${each.value.n} ${count.index} ${self.id}";
    expect(await valueOf(json, {}, more)).toBe("k 1 2 s");
  });

  test("finds instances by key", async () => {
    const names = {
      "null_resource.counted": [{ id: "0" }, { id: "1" }],
      "null_resource.each": { a: { id: "x" } },
    };
    expect(await valueOf("${null_resource.counted[1].id}", names)).toBe("1");
    expect(await valueOf('${null_resource.each["a"].id}', names)).toBe("x");
    expect(await valueOf("${null_resource.each.a.id}", names)).toBe("x");
  });

  test.each(["${a.b + 1}", "${upper(a.b)}", "%{if a}x%{endif}", "${a.b[c.d]}", "${true}", "${a.b"])(
    "leaves %s to the parser",
    (template) => {
      expect(scanTemplate(template)).toBeUndefined();
    },
  );
});

describe("references", () => {
  test("are found statically, with their paths", async () => {
    const expression = await parsed({
      a: "${null_resource.up.triggers[0].b}",
      b: ["${var.x} and ${local.y.z}"],
    });
    const found = expression.references().map((r) => [formatSubject(r.subject), r.path]);
    expect(found).toEqual([
      ["null_resource.up", ["triggers", 0, "b"]],
      ["var.x", []],
      ["local.y", ["z"]],
    ]);
  });

  test("are parsed as bare traversals", () => {
    expect(parseTraversal('a.b[0]["c"].d')).toEqual(["a", "b", 0, { key: "c" }, "d"]);
    expect(parseTraversal("a.b + 1")).toBeUndefined();
  });
});

describe("an invalid reference", () => {
  const names = { "null_resource.ready": { id: "1" }, "var.names": ["a"], "null_resource.n": [{}] };
  test.each([
    [
      "${null_resource.redy.id}",
      'Reference to undeclared resource: A managed resource "null_resource" "redy" has not been declared in this stack. Did you mean "null_resource.ready"?',
    ],
    [
      "${var.name}",
      'Reference to undeclared input variable: An input variable with the name "name" has not been declared. Did you mean "var.names"?',
    ],
    [
      "${null_resource.ready.idd}",
      'Unsupported attribute: This object does not have an attribute named "idd". Did you mean "id"?',
    ],
    [
      "${null_resource.ready.constructor}",
      'Unsupported attribute: This object does not have an attribute named "constructor".',
    ],
    [
      "${var.names[1]}",
      "Invalid index: The given key does not identify an element in this collection value: the given index is greater than or equal to the length of the collection.",
    ],
    [
      "${null_resource.n.id}",
      'Missing resource instance key: Because null_resource.n has "count" set, its attributes must be accessed on specific instances, as in null_resource.n[count.index].',
    ],
    [
      "${each.key}",
      'Reference to "each" in context without for_each: The "each" object can be used only in "resource" and "data" blocks, and only when the "for_each" argument is set.',
    ],
    [
      "${module.x.y}",
      "Unsupported reference: The expression refers to a module. This executor does not load modules. Write a construct, or declare the resources in the stack. Terraform can run the stack.",
    ],
    [
      "${undefined}",
      "Invalid reference: A reference to a resource type must be followed by at least one attribute access, specifying the resource name.",
    ],
    [
      "a ${var.names}",
      "Invalid template interpolation value: Cannot include the given value in a string template: string required.",
    ],
  ])("%s", async (json, fault) => {
    expect(await faultsOf(json, names)).toEqual([fault]);
  });

  test("is reported at every place, with block, construct and path", async () => {
    const expression = await parsed({ a: "${var.x}", b: ["${var.y}"] });
    const { value, diagnostics } = expression.evaluate(scopeOf());
    expect(diagnostics.map(({ address, path }) => [address, path])).toEqual([
      ["null_resource.a", ["triggers", "a"]],
      ["null_resource.a", ["triggers", "b", 0]],
    ]);
    expect(typeof value).toBe("object");
  });
});
