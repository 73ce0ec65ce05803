import { isExactNumber } from "../../provider/lossless-json";
import { isJsonArray, isJsonObject, type Json } from "../../runtime/state/state-value";
import type { Difference, Scalar } from "./difference";

/**
 * Describes a value of a state as a difference without an effect, for the renderers of plans.
 * `type` is its type in cty's notation; without one, records are objects.
 */
export function describeStored(value: Json, type?: Json): Difference {
  if (isJsonArray(value)) {
    return unchanged({
      kind: "list",
      elements: value.map((element, index) => describeStored(element, partType(type, index))),
      context: false,
    });
  }
  if (!isJsonObject(value) || isExactNumber(value)) return describeScalar(value);
  const isMap = type !== undefined && isJsonArray(type) && type[0] === "map";
  const entries = Object.entries(value)
    // A declared member that is null is absent.
    .filter(([, member]) => isMap || type === undefined || member !== null)
    .map(([key, member]): [string, Difference] => [
      key,
      describeStored(member, partType(type, key)),
    ]);
  const members = new Map(entries);
  return unchanged(
    isMap ? { kind: "map", elements: members } : { kind: "object", members, declared: false },
  );
}

/** A hidden value. */
export const HIDDEN: Difference = unchanged({
  kind: "sensitive",
  inner: "none",
  before: true,
  after: true,
});

function describeScalar(value: Scalar): Difference {
  // Terraform shows an empty string of a state as null.
  const shown = value === "" ? null : value;
  return unchanged({ kind: "primitive", before: shown, after: shown });
}

/** The type of a part of a value, in cty's notation. */
export function partType(type: Json | undefined, step: string | number): Json | undefined {
  const [kind, inner] = type !== undefined && isJsonArray(type) ? type : [];
  if (inner === undefined) return undefined;
  if (kind === "tuple") return isJsonArray(inner) ? inner[Number(step)] : undefined;
  if (kind === "object") return isJsonObject(inner) ? inner[step] : undefined;
  return inner;
}

function unchanged(content: Difference["content"]): Difference {
  return { effect: "none", forcesReplacement: false, content };
}
