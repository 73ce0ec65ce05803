import fc from "fast-check";
import type { Attribute, Attributes, Kind } from "../../../src/core/schema/attribute";
import { canonicalSet, type ObjectValue, type Value } from "../../../src/core/values";
import { extraJsonAttribute } from "../../../src/provider/resources/extra-json";
import { objectText, unknownMembers } from "./arbitraries";

const TEXTS = ["", "one", "two", "a-b/*", "ä ö, ü", "41", "true", "1.50"];
const NUMBERS = [0, 1, 7, 30];
const KEYS = ["one", "a.b", "41", "599"];

type Check = { safeParse(value: unknown): { readonly success: boolean } } | undefined;

const passing = <T>(values: readonly T[], check: Check) =>
  fc.constantFrom(...values.filter((value) => !check || check.safeParse(value).success));

/** Values of a type, as a state has them. Those that its checks refuse are left out. */
function valueOf(kind: Kind): fc.Arbitrary<Value> {
  switch (kind.kind) {
    case "string":
      return passing(TEXTS, kind.check);
    case "number":
      return passing(NUMBERS, kind.check);
    case "bool":
      return fc.boolean();
    case "any":
      return fc.constantFrom<Value>("one", 1, true, ["a"]);
    case "object":
      return objectOf(kind.attributes);
    case "map":
      return fc
        .uniqueArray(fc.tuple(passing(KEYS, kind.keys), valueOf(kind.element)), {
          maxLength: 3,
          selector: ([key]) => key,
        })
        .map((members) => Object.fromEntries(members));
    case "set":
      return fc
        .array(valueOf(kind.element), { maxLength: 3 })
        .filter((elements) => !kind.check || kind.check.safeParse(elements).success)
        .map(canonicalSet);
    case "list":
      return fc.array(valueOf(kind.element), { maxLength: 2 });
  }
}

/** Objects with any of the attributes that a stack may set, but for secrets. */
export function objectOf(attributes: Attributes): fc.Arbitrary<ObjectValue> {
  return fc.record(
    Object.fromEntries(
      Object.entries(attributes).map(([name, attribute]) => [name, attributeOf(attribute)]),
    ),
  );
}

function attributeOf(attribute: Attribute): fc.Arbitrary<Value> {
  const { mode, writeOnly, type } = attribute;
  if (mode === "computed" || writeOnly) return fc.constant(null);
  const value = attribute === extraJsonAttribute ? unknownMembers.map(objectText) : valueOf(type);
  return mode === "required" ? value : fc.option<Value>(value, { nil: null, freq: 2 });
}
