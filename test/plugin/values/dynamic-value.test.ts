import { decode as unpack } from "@msgpack/msgpack";
import fc from "fast-check";
import { MalformedValueError } from "../../../src/plugin/call-errors";
import { DynamicValues } from "../../../src/plugin/values/dynamic-value";
import { decodeType, type TypeJson } from "../../../src/core/type-json";
import { ANY, type Type } from "../../../src/core/types";
import { canonicalSet, exactNumber, UNKNOWN, type Value } from "../../../src/core/values";

const unhex = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(" ", ""), "hex"));
const parseType = (json: TypeJson): Type => decodeType(json) ?? ANY;
const NONE = new Uint8Array(0);

function decode(type: TypeJson, encoded: string, values = new DynamicValues()): Value {
  return values.decode(parseType(type), { msgpack: unhex(encoded), json: NONE });
}

function encode(type: TypeJson, value: Value, values = new DynamicValues()): string {
  return Buffer.from(values.encode(parseType(type), value).msgpack).toString("hex");
}

const policy: TypeJson = ["object", { name: "string", verbose: "bool" }];

describe("decoding", () => {
  test.each<[string, TypeJson, string, Value]>([
    ["null", "string", "c0", null],
    ["a string", "string", "a3 616263", "abc"],
    ["a bool", "bool", "c3", true],
    ["a small number", "number", "05", 5],
    ["a number of 32 bits", "number", "ce ffffffff", 4_294_967_295],
    ["one of 64 bits that fits", "number", "cf 0000000100000000", 4_294_967_296],
    ["a negative one of 64 bits", "number", "d3 fffffffeffffffff", -4_294_967_297],
    ["a float", "number", "cb 3fe0000000000000", 0.5],
    ["a decimal that no float can hold", "number", "a3 302e31", 0.1],
    ["unknown: ext type 0", "string", "d4 00 00", UNKNOWN],
    ["unknown with refinements: ext type 12", "string", "c7 03 0c 8101c2", UNKNOWN],
    ["unknown of an ext type to come", "string", "c7 03 63 010203", UNKNOWN],
    ["a list with an unknown element", ["list", "string"], "92 a161 d40000", ["a", UNKNOWN]],
    ["a set, which comes out canonical", ["set", "string"], "93 a162 a161 a162", ["a", "b"]],
    ["a map", ["map", "bool"], "81 a134 c2", { 4: false }],
    [
      "a map with a key that JavaScript's objects have",
      ["map", "bool"],
      "81 a95f5f70726f746f5f5f c2",
      JSON.parse('{ "__proto__": false }') as Value,
    ],
    [
      "an object, which comes out complete",
      policy,
      "81 a46e616d65 a161",
      { name: "a", verbose: null },
    ],
    ["a value with its type", "dynamic", "92 c4 08 22737472696e6722 a161", "a"],
    ["a tuple", ["tuple", ["string", "bool"]], "92 a161 c3", ["a", true]],
  ])("%s", (_, type, encoded, value) => {
    expect(decode(type, encoded)).toEqual(value);
  });

  test("reads JSON", () => {
    const json = Buffer.from('{"name": "a", "verbose": true}');
    const value = new DynamicValues().decode(parseType(policy), { msgpack: NONE, json });
    expect(value).toEqual({ name: "a", verbose: true });
  });

  test.each(["{", "[".repeat(100_000)])("refuses JSON that cannot be read: %.10s", (text) => {
    const read = () =>
      new DynamicValues().decode(parseType(policy), { msgpack: NONE, json: Buffer.from(text) });
    expect(read).toThrow(MalformedValueError);
  });

  test("returns null for an absent value", () => {
    expect(new DynamicValues().decode(parseType(policy), undefined)).toBeNull();
  });

  test.each<[string, TypeJson, string, RegExp]>([
    ["a string for a number", "number", "a3 616263", /^number required at ""$/],
    ["a list for an object", ["list", policy], "91 91 a161", /^object required at "\[0\]"$/],
    ["a number inside", policy, "81 a46e616d65 05", /^string required at "name"$/],
    ["a bare value for one with a type", "dynamic", "a161", /^value with its type required/],
    ["a type that is no JSON", "dynamic", "92 c4017b a161", /^type required/],
    ["a type that there is not", "dynamic", "92 c403226122 a161", /^type required/],
    ["bytes that end early", policy, "82 a161", /^msgpack required/],
    ["another format", "string", "c1", /^msgpack required/],
    ["a map with a list for a key", policy, "81 90 c0", /^msgpack required/],
    ["many levels", "dynamic", "91".repeat(600), /^msgpack required/],
    ["many complete levels", "dynamic", `${"91".repeat(600)}c0`, /^at most 500 levels required/],
  ])("refuses %s", (_, type, encoded, message) => {
    expect(() => decode(type, encoded)).toThrow(MalformedValueError);
    expect(() => decode(type, encoded)).toThrow(message);
  });
});

describe("encoding", () => {
  test.each<[string, TypeJson, Value, string]>([
    ["unknown, as a plain one", "string", UNKNOWN, "d40000"],
    ["an integer", "number", 7, "07"],
    ["a fraction, meant in decimal", "number", 0.1, "a3302e31"],
    ["a set", ["set", "string"], ["a", "b"], "92a161a162"],
    ["an object, complete", policy, { name: "a" }, "82a46e616d65a161a7766572626f7365c0"],
  ])("%s", (_, type, value, encoded) => {
    expect(encode(type, value)).toBe(encoded);
  });
});

describe("a value of any type", () => {
  const typed = (json: string, value: string) =>
    `92c4${(json.length + 0x100).toString(16).slice(1)}${Buffer.from(json).toString("hex")}${value}`;

  test.each([
    ["a list, which is no tuple", typed('["list","string"]', "91a161")],
    ["a map, which is no object", typed('["map","bool"]', "81a161c3")],
    ["a set", typed('["set","string"]', "91a161")],
    ["an object with a null", typed('["object",{"a":"dynamic"}]', "81a161c0")],
    ["a null of a type", typed('["list","string"]', "c0")],
    ["an unknown of a type", typed('["list","string"]', "d40000")],
    ["a list with an unknown element", typed('["list","string"]', "91d40000")],
  ])("keeps its type: %s", (_, encoded) => {
    const body: TypeJson = ["object", { id: "string", body: "dynamic" }];
    const object = `82a26964a161a4626f6479${encoded}`;
    const values = new DynamicValues();
    expect(encode(body, decode(body, object, values), values)).toBe(object);
  });
});

describe("a number that JavaScript cannot hold", () => {
  /** Encodes a number that fits neither a 64-bit integer nor a float, as Terraform does. */
  const decimal = (text: string) => {
    const header = Buffer.from([0xda, 0, 0]);
    header.writeUInt16BE(text.length, 1);
    return Buffer.concat([header, Buffer.from(text)]).toString("hex");
  };

  test.each([
    ["above 2^53", "cf0020000000000001"],
    ["the largest of 64 bits", "cfffffffffffffffff"],
    ["the smallest of 64 bits", "d38000000000000000"],
    ["longer than any float", decimal("0.3333333333333333333333333333333333333333333333333")],
    ["larger than any integer", decimal("123456789012345678901234567890.5")],
    ["larger than any float", decimal(`1${"0".repeat(400)}`)],
    ["a float that is no short decimal", "cb3fb999999999999a"],
  ])("keeps its spelling: %s", (_, encoded) => {
    const values = new DynamicValues();
    const back = values.encode({ kind: "number" }, decode("number", encoded, values)).msgpack;
    expect(spelling(back)).toBe(spelling(unhex(encoded)));
  });

  test("keeps its spelling in a state file", () => {
    const values = new DynamicValues();
    const stored = values.parse(Buffer.from('{"n": 9007199254740993}')) as { n: Value };
    const numbers: readonly Value[] = [stored.n, Number(stored.n)];
    for (const n of numbers) {
      expect(spelling(values.encode({ kind: "number" }, n).msgpack)).toBe("9007199254740993");
    }
  });

  test("differs from its neighbour in a value of any type", () => {
    const type: TypeJson = ["object", { body: "dynamic" }];
    const typed = Buffer.from('["list","number"]').toString("hex");
    const list = (...numbers: readonly string[]) =>
      `81a4626f647992c411${typed}${(0x90 + numbers.length).toString(16)}${numbers.join("")}`;
    const decimals = ["9007199254740993", "9007199254740992", "1180591620717411303424"] as const;
    const sent = list("cf0020000000000001", "cf0020000000000000", "cb4450000000000000");
    const values = new DynamicValues();
    const decoded: Value = decode(type, sent, values);
    expect(decoded).toEqual({ body: decimals.map((digits) => exactNumber(digits)) });
    expect(encode(type, decoded, values)).toBe(list(...decimals.map(packed)));
  });

  test("keeps the spelling of the configuration if it occurs twice", () => {
    const values = new DynamicValues();
    decode("number", "a3302e31", values);
    const prior = decode("number", "cb3fb999999999999a", values);
    expect(spelling(values.encode({ kind: "number" }, prior).msgpack)).toBe("0.1");
  });
});

function packed(text: string): string {
  return (0xa0 + text.length).toString(16) + Buffer.from(text).toString("hex");
}

/** The digits of an encoded integer or decimal, or the float. */
function spelling(msgpack: Uint8Array): string {
  const raw = unpack(msgpack, { useBigInt64: true });
  return typeof raw === "number" ? `the float ${raw}` : String(raw);
}

describe("round trips", () => {
  const primitive = fc.constantFrom<TypeJson>("string", "number", "bool");
  const name = fc.oneof(
    { weight: 9, arbitrary: fc.string({ minLength: 1, maxLength: 5 }) },
    fc.constantFrom("__proto__", "constructor"),
  );
  const { types } = fc.letrec<{ types: TypeJson }>((tie) => ({
    types: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      primitive,
      fc.tuple(fc.constantFrom("list" as const, "map" as const), tie("types")),
      fc.tuple(fc.constant("set" as const), primitive),
      fc.tuple(
        fc.constant("object" as const),
        fc.dictionary(name, tie("types"), { maxKeys: 3, noNullPrototype: true }),
      ),
    ),
  }));

  function valueOf(type: TypeJson): fc.Arbitrary<Value> {
    const known = knownOf(type);
    return fc.oneof({ weight: 6, arbitrary: known }, fc.constantFrom<Value>(null, UNKNOWN));
  }

  function knownOf(type: TypeJson): fc.Arbitrary<Value> {
    if (type === "string" || type === "dynamic") return fc.string({ unit: "grapheme" });
    if (type === "bool") return fc.boolean();
    if (type === "number") {
      return fc.oneof(
        fc.maxSafeInteger(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
      );
    }
    const [kind, inner] = type;
    if (kind === "object") {
      const members = Object.entries(inner).map(([key, member]) => [key, valueOf(member)] as const);
      return fc.record(Object.fromEntries(members), { noNullPrototype: true });
    }
    if (kind === "map") {
      return fc.dictionary(name, valueOf(inner), { maxKeys: 3, noNullPrototype: true });
    }
    if (kind === "tuple") return fc.tuple(...inner.map(valueOf));
    const elements = fc.array(kind === "set" ? knownOf(inner) : valueOf(inner), { maxLength: 3 });
    return kind === "set" ? elements.map(canonicalSet) : elements;
  }

  const typed = types.chain((type) => fc.tuple(fc.constant(type), valueOf(type)));

  test("keep values of a known type", () => {
    fc.assert(
      fc.property(typed, ([type, value]) => {
        const { msgpack } = new DynamicValues().encode(parseType(type), value);
        const back = new DynamicValues().decode(parseType(type), { msgpack, json: NONE });
        expect(back).toEqual(value);
      }),
    );
  });

  test("keep values with their type", () => {
    fc.assert(
      fc.property(typed, ([, value]) => {
        const { msgpack } = new DynamicValues().encode({ kind: "any" }, value);
        const back = new DynamicValues().decode({ kind: "any" }, { msgpack, json: NONE });
        expect(back).toEqual(value);
      }),
    );
  });
});
