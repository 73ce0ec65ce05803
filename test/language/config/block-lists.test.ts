import fc from "fast-check";
import { mergeLists } from "../../../src/language/config/block-lists";

const name = fc.constantFrom("a", "b", "__proto__", "constructor", "terraform_data");
const body = fc.dictionary(name, fc.jsonValue({ maxDepth: 1 }), {
  maxKeys: 3,
  noNullPrototype: true,
});
const labelled = (inner: fc.Arbitrary<unknown>) =>
  fc.dictionary(name, inner, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
/** A configuration as cdktf writes it. */
const configuration = fc.record(
  {
    resource: labelled(labelled(body)),
    output: labelled(body),
    moved: fc.array(body, { minLength: 2, maxLength: 3 }),
  },
  { noNullPrototype: true },
);

test("a configuration without lists stays as it is", () => {
  fc.assert(
    fc.property(configuration, (json) => {
      expect(mergeLists(json)).toEqual(json);
    }),
  );
});

test("a list of one object at any level is that object", () => {
  fc.assert(
    fc.property(configuration, ({ resource, ...others }) => {
      const types = Object.entries(resource as Record<string, object>);
      const listed = [
        {
          resource: types.map(([type, names]) => Object.fromEntries([[type, [names]]])),
          ...others,
        },
      ];
      expect(mergeLists(listed)).toEqual({ resource, ...others });
    }),
  );
});

test.each([null, 1, "x", [], [1], { resource: "x" }, { output: ["a"] }])("%j stays", (json) => {
  expect(mergeLists(json)).toEqual(json);
});

test("names are collected from all lists", () => {
  expect(
    mergeLists([{ variable: [{ a: {} }, { b: [{}, {}] }] }, { variable: { a: { default: 1 } } }]),
  ).toEqual({ variable: { a: [{}, { default: 1 }], b: [{}, {}] } });
});
