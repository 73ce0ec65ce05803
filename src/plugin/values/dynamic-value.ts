import { Decoder, Encoder, ExtData } from "@msgpack/msgpack";
import { formatPath } from "../../core/diagnostics";
import { JSON_DEPTH, parseJson } from "../../core/json/lossless-json";
import { isRecord } from "../../core/member-of";
import { dynamicTypeOf, withDynamicType } from "../../core/schema/dynamic";
import { buildsValues, foldValue, type Place } from "../../core/schema/fold";
import { decodeType, encodeType } from "../../core/type-json";
import type { Type, Typed } from "../../core/types";
import {
  exactNumber,
  ExactNumber,
  isListValue,
  isNullValue,
  isObjectValue,
  TypedUnknown,
  UNKNOWN,
  type AttributePath,
  type NumberValue,
  type Value,
} from "../../core/values";
import { MalformedValueError } from "../call-errors";
import type { dynamicValue } from "../wire/messages";

/** Prefix of keys while decoding, since the decoder refuses the key `__proto__`. */
const MARK = ".";

const decoder = new Decoder({
  useBigInt64: true,
  // Every ext type is an unknown value: 0 without refinements, 12 with refinements.
  extensionCodec: { tryToEncode: () => null, decode: () => UNKNOWN },
  keyDecoder: {
    canBeCached: () => true,
    decode: (bytes: Uint8Array, start: number, length: number) =>
      MARK + Buffer.from(bytes.subarray(start, start + length)).toString("utf8"),
  },
});
const encoder = new Encoder({ ignoreUndefined: true });

/** An unknown value to be packed. */
const packedUnknown = new ExtData(0, new Uint8Array(1));

function pack(value: unknown): Uint8Array {
  return encoder.encode(value);
}

/**
 * Unpacks maps as objects with any key, unknown values as `UNKNOWN`, 64-bit integers as bigint.
 * Throws a MalformedValueError.
 */
function unpack(packed: Uint8Array): unknown {
  return withoutMarks(wellFormed("msgpack", [], () => decoder.decode(packed)));
}

/** Calls a reader of bytes that throws if they are malformed. */
function wellFormed<T>(format: string, path: AttributePath, read: () => T): T {
  try {
    return read();
  } catch {
    throw new MalformedValueError(format, path);
  }
}

function withoutMarks(value: unknown, depth = 0): unknown {
  if (depth > JSON_DEPTH) throw new MalformedValueError(`at most ${JSON_DEPTH} levels`, []);
  if (Array.isArray(value)) return value.map((one) => withoutMarks(one, depth + 1));
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key.slice(MARK.length),
      withoutMarks(member, depth + 1),
    ]),
  );
}

function typeBytes(type: Type): Uint8Array {
  return Buffer.from(JSON.stringify(encodeType(type)));
}

/** A `string` is a decimal, which Terraform sends for a number that no float can hold. */
type Sent = number | bigint | string;

function isOfAnyType(place: Place<Typed>): boolean {
  return place.isInside(({ type }) => type.kind === "any");
}

/** One of the two members is set, neither for null. */
export type DynamicValue = ReturnType<typeof dynamicValue.decode>;

/**
 * Converts between the protocol's values and the provider's, for one call.
 *
 * Terraform's numbers have 512 bits, JavaScript's 53. Each number of a call is kept as it was sent,
 * so that a value that passes through is returned unchanged: Terraform compares bit by bit. If two
 * spellings give the same number, the first one decoded wins: decode the configuration before a
 * state. In values of any type, a number that JavaScript would round is an `ExactNumber`.
 */
export class DynamicValues {
  readonly #spellings = new Map<number, number | string>();

  /** Completes objects and makes sets canonical. Throws a MalformedValueError. */
  decode(type: Type, encoded: DynamicValue | undefined): Value {
    if (encoded && encoded.msgpack.length > 0) return this.#read(type, unpack(encoded.msgpack));
    if (encoded && encoded.json.length > 0) return this.#read(type, this.parse(encoded.json));
    return null;
  }

  /** Parses JSON as a state file has it, of any schema. Throws a MalformedValueError. */
  parse(json: Uint8Array): unknown {
    const text = Buffer.from(json).toString("utf8");
    return wellFormed("JSON", [], () =>
      parseJson(text, (digits) => {
        this.#takeNumber(digits);
        return exactNumber(digits);
      }),
    );
  }

  encode(type: Type, value: Value): { readonly msgpack: Uint8Array } {
    return { msgpack: pack(this.#write(type, value)) };
  }

  #read(type: Type, raw: unknown, start?: Place<Typed>): Value {
    return foldValue<unknown, Value, Typed>(
      type,
      raw,
      {
        ...buildsValues,
        absent: null,
        settle: (one) => (one === null || one === UNKNOWN ? one : undefined),
        primitive: (one, { kind }, place) => this.#readPrimitive(one, kind, place),
        elements: (one) => (Array.isArray(one) ? one : undefined),
        members: (one) => (isRecord(one) ? one : undefined),
        mismatch: (_, { kind }, place) => {
          throw new MalformedValueError(kind, place.path);
        },
      },
      start,
    );
  }

  #readPrimitive(raw: unknown, kind: string, place: Place<Typed>): Value | undefined {
    if (kind === "any") return this.#readTyped(raw, place);
    if (kind === "number") {
      if (raw instanceof ExactNumber) return Number(raw.value);
      const isDecimal = typeof raw === "string" && raw !== "" && !Number.isNaN(Number(raw));
      const isNumber = typeof raw === "number" || typeof raw === "bigint" || isDecimal;
      if (!isNumber) return undefined;
      return isOfAnyType(place) ? this.#takeExact(raw) : this.#takeNumber(raw);
    }
    if (kind === "bool") return typeof raw === "boolean" ? raw : undefined;
    return typeof raw === "string" ? raw : undefined;
  }

  /** Reads a pair of a type, as JSON, and a value. */
  #readTyped(raw: unknown, place: Place<Typed>): Value {
    if (!Array.isArray(raw) || raw.length !== 2 || !(raw[0] instanceof Uint8Array)) {
      throw new MalformedValueError("value with its type", place.path);
    }
    const text = Buffer.from(raw[0]).toString("utf8");
    const type = decodeType(wellFormed("type", place.path, () => parseJson(text)));
    if (!type) throw new MalformedValueError("type", place.path);
    return withDynamicType(this.#read(type, raw[1], place), type);
  }

  #write(type: Type, value: Value, start?: Place<Typed>): unknown {
    return foldValue<Value, unknown, Typed>(
      type,
      value,
      {
        absent: null,
        settle: (one, { kind }) => {
          if (one instanceof TypedUnknown) return [typeBytes(one.type), packedUnknown];
          if (one === UNKNOWN) return packedUnknown;
          return isNullValue(one) && (one === null || kind !== "any") ? null : undefined;
        },
        primitive: (one, { kind }, place) => this.#writePrimitive(one, kind, place),
        elements: (one) => (isListValue(one) ? one : undefined),
        members: (one) => (isObjectValue(one) ? one : undefined),
        list: (elements) => elements,
        record: (members) => members,
        mismatch: (_, { kind }, { path }) => {
          throw new Error(`the provider gave no ${kind} at "${formatPath(path)}"`);
        },
      },
      start,
    );
  }

  #writePrimitive(value: Value, kind: string, place: Place<Typed>): unknown {
    if (kind === "any") {
      const own = dynamicTypeOf(value);
      return [typeBytes(own), this.#write(own, value, place)];
    }
    if (value instanceof ExactNumber) return value.exact;
    if (typeof value !== "number") return value;
    return isOfAnyType(place) && Number.isInteger(value) && !Number.isSafeInteger(value)
      ? String(value)
      : this.#giveNumber(value);
  }

  /** Reads a number whose digits count: one that JavaScript would round is an `ExactNumber`. */
  #takeExact(sent: Sent): NumberValue {
    const isFloat = typeof sent === "number" && !Number.isInteger(sent);
    const exact = isFloat
      ? sent
      : exactNumber(typeof sent === "string" ? sent : String(BigInt(sent)));
    return typeof exact === "number" ? this.#takeNumber(sent) : exact;
  }

  #takeNumber(sent: Sent): number {
    const value = Number(sent);
    if (!Number.isSafeInteger(value) && !this.#spellings.has(value)) {
      this.#spellings.set(value, typeof sent === "bigint" ? sent.toString() : sent);
    }
    return value;
  }

  /** A number that Terraform did not send is meant in decimal. */
  #giveNumber(value: number): number | string {
    if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
    return this.#spellings.get(value) ?? String(value);
  }
}
