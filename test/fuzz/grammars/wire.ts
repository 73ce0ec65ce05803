import type { Mutations } from "../mutations";
import { name } from "./json";

/*
 * Bytes by the documents of their formats: "Encoding" of protocol buffers, and the specification of
 * MessagePack with the extension that Terraform's plugin protocol adds for unknown values.
 */

/** A message with fields of any number and wire type; nested ones are messages, texts or values. */
export function message(m: Mutations, depth = 3): Buffer {
  const fields = Array.from({ length: 1 + m.below(6) }, () => {
    const number = m.chance(0.95) ? 1 + m.below(12) : m.pick([0, 100, 536_870_911]);
    const type = m.pick([2, 2, 2, 2, 0, 0, 1, 5, 3, 4, 6, 7]);
    return Buffer.concat([varint((BigInt(number) << 3n) | BigInt(type)), content(m, type, depth)]);
  });
  return Buffer.concat(fields);
}

function content(m: Mutations, type: number, depth: number): Buffer {
  switch (type) {
    case 0:
      return varint(m.pick([0n, 1n, 2n, 300n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 70n]));
    case 1:
      return Buffer.alloc(8, m.below(256));
    case 5:
      return Buffer.alloc(4, m.below(256));
    case 2: {
      const inner = delimited(m, depth);
      const length = m.chance(0.95) ? inner.length : inner.length + m.below(1000);
      return Buffer.concat([varint(BigInt(length)), inner]);
    }
    default:
      return Buffer.alloc(0);
  }
}

const TYPES = ["cwp_compliance_policy_set", "cwp_license", "memory_thing", "cwp_console_token"];

function delimited(m: Mutations, depth: number): Buffer {
  switch (m.below(depth === 0 ? 3 : 5)) {
    case 0:
      return Buffer.from(m.chance(0.5) ? m.pick(TYPES) : name(m));
    case 1:
      return Buffer.from(m.pick(["{}", "[]", "null", '{"__proto__":{"a":1}}', '{"a":']));
    case 2:
      return m.chance(0.2) ? Buffer.from([0xff, 0xfe, 0x80]) : messagePack(m);
    default:
      return message(m, depth - 1);
  }
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (; value > 127n; value >>= 7n) bytes.push(Number(value & 127n) | 128);
  return Buffer.from([...bytes, Number(value)]);
}

/** A value of each format of MessagePack. */
export function messagePack(m: Mutations, depth = 3): Buffer {
  const one = () => messagePack(m, depth - 1);
  switch (m.below(depth === 0 ? 9 : 13)) {
    case 0:
      return Buffer.from([m.pick([0xc0, 0xc1, 0xc2, 0xc3])]);
    case 1:
      return Buffer.from([m.below(128)]);
    case 2:
      return Buffer.from([0xe0 + m.below(32)]);
    case 3: {
      const [head, size] = m.pick(NUMBERS);
      return Buffer.from([head, ...Array.from({ length: size }, () => m.pick([0, 127, 128, 255]))]);
    }
    case 4:
    case 5:
      return text(name(m));
    case 6:
      return Buffer.concat([Buffer.from([0xc4, 3]), Buffer.from([1, 2, 255])]);
    case 7:
      // An unknown value: extension 0, which may have refinements as MessagePack in extension 12.
      return m.chance(0.5) ? Buffer.from([0xd4, 0, 0]) : extension(12, refinements(m));
    case 8:
      return extension(m.pick([0, 1, 12, -1, 127]), Buffer.alloc(m.below(20), m.below(256)));
    case 9:
    case 10: {
      const elements = Array.from({ length: m.below(4) }, one);
      return Buffer.concat([Buffer.from([0x90 + elements.length]), ...elements]);
    }
    default: {
      const pairs = Array.from({ length: m.below(5) }, () => [member(m, one), one()]);
      return Buffer.concat([Buffer.from([0x80 + pairs.length]), ...pairs.flat()]);
    }
  }
}

const ATTRIBUTES = ["id", "policies", "name", "checks", "ownership", "key", "size", "tags"];

function member(m: Mutations, one: () => Buffer): Buffer {
  if (m.chance(0.1)) return one();
  return text(m.chance(0.6) ? m.pick(ATTRIBUTES) : name(m));
}

const NUMBERS: readonly (readonly [head: number, size: number])[] = [
  ...([
    [0xca, 4],
    [0xcb, 8],
    [0xcc, 1],
    [0xcd, 2],
    [0xce, 4],
    [0xcf, 8],
  ] as const),
  ...([
    [0xd0, 1],
    [0xd1, 2],
    [0xd2, 4],
    [0xd3, 8],
  ] as const),
];

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([0xd9, bytes.length]), bytes]);
}

function extension(type: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xc7, data.length, type & 255]), data]);
}

/** A map of refinements: 1 says null or not, 2 a prefix, 3 and 4 bounds, 5 and 6 lengths. */
function refinements(m: Mutations): Buffer {
  const key = 1 + m.below(7);
  return Buffer.concat([Buffer.from([0x81, key]), messagePack(m, 0)]);
}
