import { Decoder, Encoder, ExtData } from "@msgpack/msgpack";
import { UNKNOWN } from "../../provider/values";

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
export const packedUnknown = new ExtData(0, new Uint8Array(1));

export function pack(value: unknown): Uint8Array {
  return encoder.encode(value);
}

/** Unpacks maps as objects with any key, unknown values as `UNKNOWN`, 64-bit integers as bigint. */
export function unpack(packed: Uint8Array): unknown {
  return withoutMarks(decoder.decode(packed));
}

function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.slice(MARK.length), withoutMarks(member)]),
  );
}
