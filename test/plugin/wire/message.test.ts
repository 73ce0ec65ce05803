import fc from "fast-check";
import {
  bool,
  bytes,
  field,
  int64,
  lazy,
  map,
  message,
  optional,
  repeated,
  string,
  type Message,
} from "../../../src/plugin/wire/message";
import {
  attributePath,
  diagnostic,
  rawState,
  schemaAttribute,
} from "../../../src/plugin/wire/messages";

const sample = message({
  number: field(1, int64),
  text: field(2, string),
  flag: field(3, bool),
  data: field(4, bytes),
  presentNumber: optional(5, int64),
  inner: optional(6, message({ text: field(1, string) })),
  texts: repeated(7, string),
  byName: map(16, string),
});

const ABSENT = {
  number: 0,
  text: "",
  flag: false,
  data: new Uint8Array(0),
  presentNumber: undefined,
  inner: undefined,
  texts: [],
  byName: {},
};

const hex = (encoded: Uint8Array) => Buffer.from(encoded).toString("hex");
const unhex = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(" ", ""), "hex"));

describe("the wire format", () => {
  // The encoding is described on protobuf.dev.
  test.each([
    ["a varint", { number: 150 }, "08 9601"],
    ["a negative one", { number: -1 }, "08 ffffffffffffffffff01"],
    ["a string", { text: "testing" }, "12 07 74657374696e67"],
    ["a bool", { flag: true }, "18 01"],
    ["bytes", { data: unhex("00ff") }, "22 02 00ff"],
    ["a zero with presence", { presentNumber: 0 }, "28 00"],
    ["a message", { inner: { text: "a" } }, "32 03 0a0161"],
    ["a message with nothing in it", { inner: { text: "" } }, "32 00"],
    ["repeated strings, an empty one too", { texts: ["a", ""] }, "3a 0161 3a 00"],
    ["a map, by a tag of two bytes", { byName: { a: "b" } }, "8201 06 0a0161 120162"],
    ["nothing", {}, ""],
  ])("encodes %s", (_, value, encoded) => {
    expect(hex(sample.encode(value))).toBe(encoded.replaceAll(" ", ""));
    expect(sample.decode(unhex(encoded))).toEqual({ ...ABSENT, ...value });
  });

  test("omits default values", () => {
    expect(hex(sample.encode(ABSENT))).toBe("");
  });

  test("skips unknown fields of every wire type", () => {
    const strange = "f80101" + "f90100000000000000f0" + "fa01026162" + "fd0100000000";
    expect(sample.decode(unhex(`0805${strange}1801`))).toEqual({
      ...ABSENT,
      number: 5,
      flag: true,
    });
  });

  test("takes the last of repeated fields", () => {
    expect(sample.decode(unhex("0801 0802")).number).toBe(2);
  });

  test("refuses truncated messages", () => {
    const whole = sample.encode({ text: "testing", inner: { text: "a" } });
    for (const length of [1, 4, whole.length - 1]) {
      expect(() => sample.decode(whole.subarray(0, length))).toThrow();
    }
  });
});

describe("round trips", () => {
  interface Tree {
    readonly name?: string | undefined;
    readonly branches?: readonly Tree[] | undefined;
  }
  const tree: Message<Tree> = message({
    name: field(1, string),
    branches: repeated(
      2,
      lazy(() => tree),
    ),
  });
  const { trees } = fc.letrec<{ trees: Tree; branches: readonly Tree[] }>((tie) => ({
    trees: fc.record({ name: fc.string({ unit: "grapheme" }), branches: tie("branches") }),
    branches: fc.oneof({ maxDepth: 4 }, fc.constant([]), fc.array(tie("trees"), { maxLength: 2 })),
  }));
  const integer = fc.maxSafeInteger();
  const data = fc.uint8Array({ maxLength: 300 });
  const text = fc.string({ unit: "grapheme" });

  test("keep recursive messages", () => {
    fc.assert(
      fc.property(trees, (given) => {
        expect(tree.decode(tree.encode(given))).toEqual(given);
      }),
    );
  });

  test("keep every kind of field", () => {
    const anything = fc.record({
      number: integer,
      text,
      flag: fc.boolean(),
      data,
      presentNumber: fc.option(integer, { nil: undefined }),
      inner: fc.option(fc.record({ text }), { nil: undefined }),
      texts: fc.array(text),
      byName: fc.dictionary(text, text, { noNullPrototype: true }),
    });
    fc.assert(
      fc.property(anything, (given) => {
        expect(sample.decode(sample.encode(given))).toEqual(given);
      }),
    );
  });
});

describe("messages of the protocol", () => {
  test("keep the kind of a path step, including element 0", () => {
    const path = {
      steps: [{ attributeName: "policies" }, { elementKeyInt: 0 }, { elementKeyString: "" }],
    };
    expect(attributePath.decode(attributePath.encode(path)).steps).toEqual([
      { attributeName: "policies", elementKeyString: undefined, elementKeyInt: undefined },
      { attributeName: undefined, elementKeyString: undefined, elementKeyInt: 0 },
      { attributeName: undefined, elementKeyString: "", elementKeyInt: undefined },
    ]);
  });

  test("have the field numbers of protocol 6.8", () => {
    expect(hex(diagnostic.encode({ severity: 1, summary: "s", detail: "d" }))).toBe(
      "08011201731a0164",
    );
    expect(hex(rawState.encode({ json: unhex("7b7d") }))).toBe("0a027b7d");
    expect(
      hex(
        schemaAttribute.encode({
          name: "n",
          type: unhex("22"),
          description: "d",
          required: true,
          optional: true,
          computed: true,
          sensitive: true,
          descriptionKind: 1,
          nestedType: { nesting: 2 },
          writeOnly: true,
        }),
      ),
    ).toBe("0a016e120122" + "1a0164" + "20012801300138014001" + "52021802" + "5801");
  });
});
