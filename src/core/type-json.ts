import { isRecord, mapMembers } from "./member-of";
import { ANY, objectOf, type Type } from "./types";

/** A type as Terraform's JSON formats spell it: `"string"`, `["list", "string"]`. */
export type TypeJson =
  | "string"
  | "number"
  | "bool"
  | "dynamic"
  | readonly ["list" | "set" | "map", TypeJson]
  | readonly ["object", { readonly [name: string]: TypeJson }]
  | readonly ["tuple", readonly TypeJson[]];

/** Encodes a type; `any` is `"dynamic"`. */
export function encodeType(type: Type): TypeJson {
  switch (type.kind) {
    case "any":
      return "dynamic";
    case "object":
      return ["object", mapMembers(type.attributes, (one) => encodeType(one.type))];
    case "tuple":
      return ["tuple", type.elements.map(encodeType)];
    case "list":
    case "set":
    case "map":
      return [type.kind, encodeType(type.element)];
    default:
      return type.kind;
  }
}

/** Decodes a type; undefined if the JSON is not one. */
export function decodeType(json: unknown): Type | undefined {
  if (json === "dynamic") return ANY;
  if (json === "string" || json === "number" || json === "bool") return { kind: json };
  if (!Array.isArray(json) || json.length < 2) return undefined;
  const [kind, inner] = json as readonly unknown[];
  if (kind === "list" || kind === "set" || kind === "map") {
    const element = decodeType(inner);
    return element && { kind, element };
  }
  if (kind === "tuple") {
    const elements = Array.isArray(inner) ? decodeAll(inner) : undefined;
    return elements && { kind, elements };
  }
  if (kind !== "object" || !isRecord(inner)) return undefined;
  const types = decodeAll(Object.values(inner));
  return types && objectOf(Object.keys(inner).map((name, index) => [name, types[index] ?? ANY]));
}

function decodeAll(all: readonly unknown[]): readonly Type[] | undefined {
  const types = all.map(decodeType).filter((type) => type !== undefined);
  return types.length === all.length ? types : undefined;
}
