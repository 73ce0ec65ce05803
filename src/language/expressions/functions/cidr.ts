import { hasNoFraction, truncate } from "../binary-float";
import { toFloat } from "../numbers";
import type { LanguageFunction, Parameter } from "./language-function";
import {
  define,
  defineVariadic,
  fail,
  integer,
  withName,
  number,
  string,
} from "./language-function";

/** Like `integer`, of any size. */
const bigInteger: Parameter<bigint> = {
  ...number,
  read: (value) => {
    const float = toFloat(number.read(value));
    return hasNoFraction(float) ? truncate(float) : fail("a whole number is required");
  },
};

interface Network {
  /** The first address. */
  readonly base: bigint;
  /** The length of the address in bits: 32 or 128. */
  readonly bits: number;
  /** The bits of the prefix, in a mask as long as the address; negative where a shorter prefix has no mask. */
  readonly prefix: number;
}

function isIpv4(address: bigint, bits: number): boolean {
  return bits === 32 || address >> 32n === 0xffffn;
}

function parseNetwork(text: string): Network {
  const [, address = "", length = ""] = /^([^/]*)\/(\d+)$/.exec(text) ?? [];
  const parsed = address.includes(":") ? parseIpv6(address) : parseIpv4(address);
  const bits = address.includes(":") ? 128 : 32;
  const prefix = Number(length);
  if (parsed === undefined || prefix > bits) {
    return fail("invalid CIDR expression", "prefix");
  }
  return { bits, base: masked(parsed, bits, prefix), prefix };
}

function masked(address: bigint, bits: number, prefix: number): bigint {
  const host = BigInt(bits - prefix);
  return (address >> host) << host;
}

function parseIpv4(text: string): bigint | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d+$/.test(part) && Number(part) < 256)) {
    return undefined;
  }
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function parseIpv6(text: string): bigint | undefined {
  const [, lead = "", ipv4] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text) ?? [];
  const last = ipv4 === undefined ? undefined : parseIpv4(ipv4);
  if (ipv4 !== undefined && last === undefined) return undefined;
  const plain =
    last === undefined
      ? text
      : `${lead}${(last >> 16n).toString(16)}:${(last & 0xffffn).toString(16)}`;
  const halves = plain.split("::");
  const [head = [], tail = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - head.length - tail.length;
  if (halves.length > 2 || (halves.length === 2 ? missing < 1 : missing !== 0)) return undefined;
  const groups = [...head, ...Array.from({ length: missing }, () => "0"), ...tail];
  if (!groups.every((group) => /^0*[\da-f]{1,4}$/i.test(group))) return undefined;
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

function formatAddress(address: bigint, bits: number): string {
  if (isIpv4(address, bits)) {
    return [24n, 16n, 8n, 0n].map((shift) => String((address >> shift) & 0xffn)).join(".");
  }
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((address >> BigInt(112 - index * 16)) & 0xffffn).toString(16),
  );
  const text = groups.join(":");
  // The first of the longest runs of at least two zeros is shortened.
  const [run] = Array.from(text.matchAll(/(?<![^:])0(?::0)+(?![^:])/g), ([zeros]) => zeros).sort(
    (a, b) => b.length - a.length,
  );
  if (run === undefined) return text;
  const at = new RegExp(`(?<![^:])${run}(?![^:])`).exec(text)?.index ?? 0;
  const [before, after] = [text.slice(0, at), text.slice(at + run.length)];
  return `${before.replace(/:$/, "")}::${after.replace(/^:/, "")}`;
}

/** Formats a network with the mask's bits of the address that is shown. */
function formatNetwork({ base, bits, prefix }: Network): string {
  if (prefix < 0) return "<nil>";
  const length = bits === 128 && isIpv4(base, bits) ? Math.max(0, prefix - 96) : prefix;
  return `${formatAddress(base, bits)}/${length}`;
}

/**
 * Puts a number behind a prefix as Terraform's library does: negative numbers in two's complement,
 * of which the magnitude is the address.
 */
function insert({ base, bits }: Network, value: bigint, prefix: number): bigint {
  const inserted = base | (value << BigInt(bits - prefix));
  const address = inserted < 0n ? -inserted : inserted;
  return address >> BigInt(bits) === 0n
    ? address
    : fail("the number does not fit into the address");
}

/** The bits of the magnitude that the library checks. */
function lowBits(value: bigint): bigint {
  return BigInt.asUintN(64, value < 0n ? -value : value);
}

function host(network: Network, number: bigint): string {
  const { base, bits, prefix } = network;
  const last = (1n << BigInt(bits - prefix)) - 1n;
  const position = number < 0n ? last + number + 1n : number;
  const checked = number < 0n ? -number - 1n : BigInt.asIntN(64, lowBits(number));
  if (checked > last) {
    return fail(`prefix of ${prefix} does not accommodate this host number`, "hostnum");
  }
  // In an IPv4 address within IPv6, the number is before the address, as in Terraform.
  return formatAddress(insert(network, position, isIpv4(base, bits) ? 32 : 128), bits);
}

function netmask({ base, bits, prefix }: Network): string {
  if (!isIpv4(base, bits)) {
    return fail("IPv6 addresses cannot have a netmask", "prefix");
  }
  return formatAddress(masked((1n << BigInt(bits)) - 1n, bits, prefix), bits);
}

function subnet(network: Network, newBits: number, number: bigint): string {
  const { bits } = network;
  const prefix = network.prefix + newBits;
  if (prefix > bits) {
    return fail(`not enough remaining address space for ${newBits} bits`, "newbits");
  }
  const isChecked = newBits >= 0 && newBits < 64;
  if (isChecked && lowBits(number) >= 1n << BigInt(newBits)) {
    return fail(`prefix extension of ${newBits} does not accommodate this subnet number`, "netnum");
  }
  return formatNetwork({ base: insert(network, number, prefix), bits, prefix });
}

/**
 * Allocates subnets one after another, each aligned to its size. The first one follows the network
 * before, so there is none from the first address on, and none in or behind IPv4 addresses within IPv6.
 */
function subnets(network: Network, lengths: readonly number[]): string[] {
  const { base, bits, prefix } = network;
  const end = base + (1n << BigInt(bits - prefix));
  const result: string[] = [];
  let next = base;
  for (const length of lengths) {
    const extended = prefix + length;
    if (length < 1 || length > 32 || extended > bits) {
      return fail("a prefix must be extended by 1 to 32 bits", "newbits");
    }
    const size = 1n << BigInt(bits - extended);
    const start = ((next + size - 1n) / size) * size;
    next = start + size;
    const hasMapped = bits === 128 && [start, start - 1n].some((one) => isIpv4(one, bits));
    if (start === 0n || hasMapped || next > end) {
      return fail("not enough remaining address space for all subnets", "newbits");
    }
    result.push(formatNetwork({ base: start, bits, prefix: extended }));
  }
  return result;
}

const prefix = withName("prefix", string);

export const cidrFunctions: Readonly<Record<string, LanguageFunction>> = {
  cidrhost: define([prefix, withName("hostnum", bigInteger)], ([text, number]) =>
    host(parseNetwork(text), number),
  ),
  cidrnetmask: define([prefix], ([text]) => netmask(parseNetwork(text))),
  cidrsubnet: define(
    [prefix, withName("newbits", integer), withName("netnum", bigInteger)],
    ([text, bits, number]) => subnet(parseNetwork(text), bits, number),
  ),
  cidrsubnets: defineVariadic([prefix], withName("newbits", integer), ([text], lengths) =>
    subnets(parseNetwork(text), lengths),
  ),
};
