import { memberOf } from "../../core/member-of";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/**
 * Encodes and decodes values of protocol buffers (proto3). A message is a record of fields, from
 * which its types, encoder and decoder derive. Unknown fields are skipped.
 */
export interface Codec<Out, In = Out> {
  readonly wireType: WireType;
  write(writer: BinaryWriter, value: In): void;
  read(reader: BinaryReader): Out;
}

/** A codec of values with a default, which proto3 does not send. */
export interface ScalarField<T> extends Codec<T> {
  readonly zero: T;
  isZero(value: T): boolean;
}

/** A field of a message, which is read as `Out` and written as `In`. Undefined is not written. */
export interface MessageField<Out, In = Out> {
  readonly number: number;
  readonly absent: () => Out;
  read(reader: BinaryReader, before: Out): Out;
  write(writer: BinaryWriter, value: In): void;
}

type Fields = Readonly<Record<string, MessageField<unknown, never>>>;
type OutOf<F> = F extends { readonly absent: () => infer Out } ? Out : never;
type InOf<F> = F extends { write(writer: BinaryWriter, value: infer In): void } ? In : never;

export type MessageOut<F extends Fields> = { readonly [N in keyof F]: OutOf<F[N]> };
export type MessageIn<F extends Fields> = { readonly [N in keyof F]?: InOf<F[N]> | undefined };

/** A message. Members that are not written are read as absent or as their default. */
export interface Message<Out, In = Out> extends Codec<Out, In> {
  encode(value: In): Uint8Array;
  /** Throws on bytes that are not such a message. */
  decode(bytes: Uint8Array): Out;
}

function scalar<T>(
  wireType: WireType,
  zero: T,
  read: (reader: BinaryReader) => T,
  write: (writer: BinaryWriter, value: T) => void,
): ScalarField<T> {
  return { wireType, zero, isZero: (value) => value === zero, read, write };
}

export const string = scalar(
  WireType.LengthDelimited,
  "",
  (reader) => reader.string(),
  (writer, value) => writer.string(value),
);
export const bytes: ScalarField<Uint8Array> = {
  wireType: WireType.LengthDelimited,
  zero: new Uint8Array(0),
  isZero: (value) => value.length === 0,
  read: (reader) => reader.bytes(),
  write: (writer, value) => writer.bytes(value),
};
export const bool = scalar(
  WireType.Varint,
  false,
  (reader) => reader.bool(),
  (writer, value) => writer.bool(value),
);
/** Also for enumerations. The counters of the protocol fit a JavaScript number. */
export const int64 = scalar(
  WireType.Varint,
  0,
  (reader) => Number(reader.int64()),
  (writer, value) => writer.int64(value),
);

/** A field without presence: an absent one has its default. */
export function field<T>(number: number, codec: ScalarField<T>): MessageField<T> {
  return {
    number,
    absent: () => codec.zero,
    read: (reader) => codec.read(reader),
    write: (writer, value) => {
      if (!codec.isZero(value)) codec.write(writer.tag(number, codec.wireType), value);
    },
  };
}

/** A field with presence: a message, a member of a `oneof`, or one marked `optional`. */
export function optional<Out, In>(
  number: number,
  codec: Codec<Out, In>,
): MessageField<Out | undefined, In> {
  return {
    number,
    absent: () => undefined,
    read: (reader) => codec.read(reader),
    write: (writer, value) => {
      codec.write(writer.tag(number, codec.wireType), value);
    },
  };
}

/** A repeated field; not for numbers, which proto3 packs. */
export function repeated<Out, In>(
  number: number,
  codec: Codec<Out, In>,
): MessageField<readonly Out[], readonly In[]> {
  return {
    number,
    absent: () => [],
    read: (reader, before) => [...before, codec.read(reader)],
    write: (writer, values) => {
      for (const value of values) codec.write(writer.tag(number, codec.wireType), value);
    },
  };
}

/** A map with string keys. */
export function map<Out, In>(
  number: number,
  codec: Codec<Out, In>,
): MessageField<Readonly<Record<string, Out>>, Readonly<Record<string, In>>> {
  const key = field(1, string);
  const entry = message({ key, value: optional(2, codec) });
  return {
    number,
    absent: () => ({}),
    read: (reader, before) => {
      const { key, value } = entry.read(reader);
      return value === undefined ? before : { ...before, [key]: value };
    },
    write: (writer, values) => {
      for (const [key, value] of Object.entries(values)) {
        entry.write(writer.tag(number, entry.wireType), { key, value });
      }
    },
  };
}

export function message<F extends Fields>(fields: F): Message<MessageOut<F>, MessageIn<F>> {
  const all = Object.entries(fields) as [string, MessageField<unknown, unknown>][];
  all.sort(([, one], [, other]) => one.number - other.number);
  const byNumber = new Map(all.map(([name, one]) => [one.number, { name, one }]));

  function write(writer: BinaryWriter, value: MessageIn<F>): void {
    const members = value as Readonly<Record<string, unknown>>;
    for (const [name, one] of all) {
      if (memberOf(members, name) !== undefined) one.write(writer, memberOf(members, name));
    }
  }

  function read(reader: BinaryReader, end: number): MessageOut<F> {
    const values = new Map(all.map(([name, one]) => [name, one.absent()]));
    while (reader.pos < end) {
      const [number, wireType] = reader.tag();
      const found = byNumber.get(number);
      if (found) values.set(found.name, found.one.read(reader, values.get(found.name)));
      else reader.skip(wireType, number);
    }
    return Object.fromEntries(values) as MessageOut<F>;
  }

  return {
    wireType: WireType.LengthDelimited,
    write: (writer, value) => {
      writer.fork();
      write(writer, value);
      writer.join();
    },
    read: (reader) => {
      const length = reader.uint32();
      return read(reader, reader.pos + length);
    },
    encode: (value) => {
      const writer = new BinaryWriter();
      write(writer, value);
      return writer.finish();
    },
    decode: (encoded) => {
      const reader = new BinaryReader(encoded);
      return read(reader, reader.len);
    },
  };
}

/** For messages that contain themselves. */
export function lazy<Out, In>(codec: () => Codec<Out, In>): Codec<Out, In> {
  return {
    wireType: WireType.LengthDelimited,
    write: (writer, value) => {
      codec().write(writer, value);
    },
    read: (reader) => codec().read(reader),
  };
}
