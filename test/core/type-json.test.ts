import fc from "fast-check";
import { decodeType, encodeType, type TypeJson } from "../../src/core/type-json";
import { sameType, STRING, typeAlone, type Type } from "../../src/core/types";

const { types } = fc.letrec<{ types: TypeJson }>((tie) => ({
  types: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<TypeJson>("string", "number", "bool", "dynamic"),
    fc.tuple(fc.constantFrom("list" as const, "set" as const, "map" as const), tie("types")),
    fc.tuple(fc.constant("tuple" as const), fc.array(tie("types"), { maxLength: 3 })),
    fc.tuple(
      fc.constant("object" as const),
      fc.dictionary(fc.oneof(fc.string(), fc.constant("__proto__")), tie("types"), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    ),
  ),
}));

const decoded = (json: unknown): Type => {
  const type = decodeType(json);
  if (!type) throw new Error(`not a type: ${JSON.stringify(json)}`);
  return type;
};

test("keeps a type in JSON to the byte", () => {
  fc.assert(
    fc.property(types, (json) => {
      expect(JSON.stringify(encodeType(decoded(json)))).toBe(JSON.stringify(json));
    }),
  );
});

test("finds a type the same without the facets of attributes", () => {
  fc.assert(
    fc.property(types, (json) => {
      expect(sameType(decoded(json), typeAlone(decoded(json)))).toBe(true);
    }),
  );
});

test.each([
  [["object", { a: "string", b: "bool" }], ["object", { b: "bool", a: "string" }], true],
  [["object", { a: "string" }], ["object", { b: "string" }], false],
  [["object", { a: "string" }], ["object", { a: "string", b: "string" }], false],
  [["tuple", ["string"]], ["tuple", ["string", "string"]], false],
  [["list", "string"], ["set", "string"], false],
  ["dynamic", "string", false],
])("compares %j with %j: %j", (one, other, isSame) => {
  expect(sameType(decoded(one), decoded(other))).toBe(isSame);
  expect(sameType(decoded(other), decoded(one))).toBe(isSame);
});

test.each([
  null,
  "text",
  ["list"],
  ["list", "text"],
  ["tuple", "string"],
  ["tuple", ["string", null]],
  ["object", ["string"]],
  ["object", { a: 1 }],
  ["any", "string"],
])("refuses %j", (json) => {
  expect(decodeType(json)).toBeUndefined();
});

test("leaves out what a schema says of attributes", () => {
  const attribute = { type: STRING, mode: "required", description: "A name." };
  expect(typeAlone({ kind: "object", attributes: { name: attribute } })).toEqual({
    kind: "object",
    attributes: { name: { type: STRING } },
  });
});
