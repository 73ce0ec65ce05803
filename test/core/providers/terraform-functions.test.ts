import { terraformProvider } from "../../../src/core/providers/terraform-provider";
import { Functions } from "../../../src/core/operations/function-operations";
import type { KnownValue } from "../../../src/core/values";

const functions = new Functions(terraformProvider.functions);

/** The results of Terraform 1.11. */
test.each<[KnownValue, string]>([
  [{}, "{}"],
  [-1.5, "-1.5"],
  [[], "[]"],
  [{ a: "b", long: "c" }, '{\n  a    = "b"\n  long = "c"\n}'],
  [
    '$x %y ${ %{ " \\ \n\t\r \u2028 \u00a0 \u200b \u0000 😀 \u{e0001}',
    '"$x %y $${ %%{ \\" \\\\ \\n\\t\\r \\u2028 \\u00a0 \\u200b \\u0000 😀 \\U000e0001"',
  ],
  [
    [{ a: 1, b: [{ c: 1 }] }, 3, { d: 2 }],
    "[{\n  a = 1\n  b = [{\n    c = 1\n  }]\n  }, 3, {\n  d = 2\n}]",
  ],
  [
    { x: [1, [2, { y: 1 }], {}], z: {}, k: [{}, [], ""] },
    '{\n  k = [{}, [], ""]\n  x = [1, [2, {\n    y = 1\n  }], {}]\n  z = {}\n}',
  ],
  [
    { "": 3, "-a": 5, "1": 2, _x: 6, "a-b": 4, "a.b": 7, for: null, é: true },
    '{\n  ""    = 3\n  "-a"  = 5\n  "1"   = 2\n  _x    = 6\n  a-b   = 4\n  "a.b" = 7\n  for   = null\n  é     = true\n}',
  ],
  [{ abc: { x: 1 }, d: 2, ef: 3 }, "{\n  abc = {\n    x = 1\n  }\n  d  = 2\n  ef = 3\n}"],
])("encode_expr writes %j as Terraform does", (value, expected) => {
  expect(functions.call("encode_expr", [value])).toEqual({ value: expected });
});

test("encode_tfvars writes a line for each variable, and refuses other names and values", () => {
  const value = { abc: 1, d: 2, ef: { x: 1 }, g: 3 };
  expect(functions.call("encode_tfvars", [value])).toEqual({
    value: "abc = 1\nd   = 2\nef = {\n  x = 1\n}\ng = 3\n",
  });
  expect(functions.call("encode_tfvars", [{}])).toEqual({ value: "" });
  expect(functions.call("encode_tfvars", [["a"]])).toMatchObject({ error: {} });
  expect(functions.call("encode_tfvars", [{ "a.b": 1 }])).toMatchObject({ error: {} });
});
