import { parse } from "lossless-json";
import type { TerraformType } from "../../provider/schema/terraform";
import {
  UNKNOWN,
  canonicalSet,
  isListValue,
  isObjectValue,
  memberOf,
  type ObjectValue,
  type Value,
} from "../../provider/values";
import { ExactNumbers } from "./exact-numbers";
import { pack, packedUnknown, unpack } from "./message-pack";

/** `DynamicValue` of the protocol: one of the two, neither for null. */
export interface DynamicValue {
  readonly msgpack: Uint8Array;
  readonly json: Uint8Array;
}

/** A value that is not as its type says: the two programs speak different schemas. */
export class MalformedValueError extends Error {
  override readonly name = "MalformedValueError";
}

/**
 * Between the protocol's values and the provider's, for one call. What was decoded first decides
 * how a number is given back that JavaScript cannot hold: the configuration comes before a state.
 */
export class DynamicValues {
  readonly #numbers = new ExactNumbers();

  /** Objects come out complete, sets canonical. Throws a MalformedValueError. */
  decode(type: TerraformType, encoded: DynamicValue | undefined): Value {
    if (encoded && encoded.msgpack.length > 0) {
      return this.#read(type, unpack(encoded.msgpack), "");
    }
    if (encoded && encoded.json.length > 0) return this.#read(type, this.parse(encoded.json), "");
    return null;
  }

  /** JSON as a state file has it, whatever its schema. Throws a SyntaxError. */
  parse(json: Uint8Array): unknown {
    return parse(Buffer.from(json).toString("utf8"), undefined, {
      parseNumber: (digits) => this.#numbers.take(digits),
      onDuplicateKey: ({ newValue }) => newValue,
    });
  }

  /** An object, or null where there is none. */
  decodeObject(type: TerraformType, encoded: DynamicValue | undefined): ObjectValue | null {
    const value = this.decode(type, encoded);
    if (value === null || isObjectValue(value)) return value;
    throw new MalformedValueError("an object is due");
  }

  encode(type: TerraformType, value: Value): { readonly msgpack: Uint8Array } {
    return { msgpack: pack(this.#write(type, value)) };
  }

  #read(type: TerraformType, raw: unknown, path: string): Value {
    if (raw === null || raw === UNKNOWN) return raw;
    if (type === "dynamic") return this.#readDynamic(raw, path);
    if (type === "number") return this.#readNumber(raw, path);
    if (typeof type === "string") {
      if (typeof raw === (type === "bool" ? "boolean" : type)) return raw as string | boolean;
      throw malformed(type, path);
    }
    const [kind, inner] = type;
    if (kind === "object") {
      const members = recordOf(raw, kind, path);
      return Object.fromEntries(
        Object.entries(inner).map(([name, member]) => [
          name,
          this.#read(member, memberOf(members, name) ?? null, `${path}.${name}`),
        ]),
      );
    }
    if (kind === "map") {
      const members = recordOf(raw, kind, path);
      return Object.fromEntries(
        Object.entries(members).map(([key, member]) => [
          key,
          this.#read(inner, member, `${path}[${JSON.stringify(key)}]`),
        ]),
      );
    }
    if (!Array.isArray(raw)) throw malformed(kind, path);
    const elements = raw.map((element: unknown, index) => {
      const elementType = kind === "tuple" ? (inner[index] ?? "dynamic") : inner;
      return this.#read(elementType, element, `${path}[${index}]`);
    });
    return kind === "set" ? canonicalSet(elements) : elements;
  }

  #readNumber(raw: unknown, path: string): number {
    const isNumber = typeof raw === "number" || typeof raw === "bigint";
    const isDecimal = typeof raw === "string" && raw !== "" && !Number.isNaN(Number(raw));
    if (isNumber || isDecimal) return this.#numbers.take(raw);
    throw malformed("number", path);
  }

  /** A pair: the type, as JSON, and the value. */
  #readDynamic(raw: unknown, path: string): Value {
    if (Array.isArray(raw) && raw.length === 2 && raw[0] instanceof Uint8Array) {
      return this.#read(parseType(raw[0]), raw[1], path);
    }
    throw malformed("value with its type", path);
  }

  #write(type: TerraformType, value: Value): unknown {
    if (value === null) return null;
    if (value === UNKNOWN) return packedUnknown;
    if (type === "dynamic") {
      const own = typeOf(value);
      return [Buffer.from(JSON.stringify(own)), this.#write(own, value)];
    }
    if (typeof value === "number") return this.#numbers.give(value);
    if (typeof type === "string") return value;
    const [kind, inner] = type;
    if (isListValue(value)) {
      return value.map((element, index) => {
        if (kind === "tuple") return this.#write(inner[index] ?? "dynamic", element);
        if (kind === "object") throw new Error("a list stands where an object is due");
        return this.#write(inner, element);
      });
    }
    if (!isObjectValue(value)) throw new Error(`a ${typeof value} stands where a ${kind} is due`);
    if (kind === "object") {
      return Object.fromEntries(
        Object.entries(inner).map(([name, member]) => [
          name,
          this.#write(member, memberOf(value, name) ?? null),
        ]),
      );
    }
    if (kind !== "map") throw new Error(`an object stands where a ${kind} is due`);
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, this.#write(inner, member)]),
    );
  }
}

function recordOf(raw: unknown, kind: string, path: string): Readonly<Record<string, unknown>> {
  const isRecord = typeof raw === "object" && raw !== null && !Array.isArray(raw);
  if (isRecord && !(raw instanceof Uint8Array)) return raw as Readonly<Record<string, unknown>>;
  throw malformed(kind, path);
}

/** Names the place, never the value. */
function malformed(kind: string, path: string): MalformedValueError {
  return new MalformedValueError(`a ${kind} is due at "${path.replace(/^\./, "")}"`);
}

function parseType(json: Uint8Array): TerraformType {
  return JSON.parse(Buffer.from(json).toString("utf8")) as TerraformType;
}

/** The narrowest type of a value. */
function typeOf(value: Value): TerraformType {
  if (value === null || value === UNKNOWN) return "dynamic";
  if (isListValue(value)) return ["tuple", value.map(typeOf)];
  if (isObjectValue(value)) {
    const members = Object.entries(value).map(([name, member]) => [name, typeOf(member)] as const);
    return ["object", Object.fromEntries(members)];
  }
  if (typeof value === "boolean") return "bool";
  return typeof value === "number" ? "number" : "string";
}
