import type { FunctionDefinition } from "./language-function";
import { define, defineVariadic, fail, integer, named, string } from "./language-function";

interface Network {
  /** 32 or 128 bits. */
  readonly bits: number;
  /** The first address. */
  readonly base: bigint;
  readonly prefix: number;
}

function parseNetwork(text: string): Network {
  const [, address = "", length = ""] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const parsed = address.includes(":") ? parseIpv6(address) : parseIpv4(address);
  const bits = address.includes(":") ? 128 : 32;
  const prefix = Number(length);
  if (parsed === undefined || prefix > bits) {
    return fail("invalid CIDR expression", "prefix");
  }
  if (bits === 128 && parsed >> 32n === 0xffffn) {
    return fail("this executor does not take IPv4 addresses in IPv6", "prefix");
  }
  const host = BigInt(bits - prefix);
  return { bits, base: (parsed >> host) << host, prefix };
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
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

function formatAddress(address: bigint, bits: number): string {
  if (bits === 32) {
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

function formatNetwork({ base, bits, prefix }: Network): string {
  return `${formatAddress(base, bits)}/${prefix}`;
}

function host({ base, bits, prefix }: Network, number: bigint): string {
  const size = 1n << BigInt(bits - prefix);
  const position = number < 0n ? size + number : number;
  return position < 0n || position >= size
    ? fail(`prefix of ${prefix} does not accommodate this host number`, "hostnum")
    : formatAddress(base + position, bits);
}

function netmask({ bits, prefix }: Network): string {
  if (bits === 128) {
    return fail("IPv6 addresses cannot have a netmask", "prefix");
  }
  return formatAddress(((1n << BigInt(prefix)) - 1n) << BigInt(bits - prefix), bits);
}

function subnet({ base, bits, prefix }: Network, newBits: number, number: bigint): string {
  if (newBits < 0 || number < 0n) {
    return fail("this executor does not take negative numbers");
  }
  const extended = prefix + newBits;
  if (extended > bits) {
    return fail(`not enough remaining address space for ${newBits} bits`, "newbits");
  }
  if (number >= 1n << BigInt(newBits)) {
    return fail(`prefix extension of ${newBits} does not accommodate this subnet number`, "netnum");
  }
  return formatNetwork({
    base: base + (number << BigInt(bits - extended)),
    bits,
    prefix: extended,
  });
}

/** Allocates subnets one after another, each aligned to its size. */
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
    if (next > end) {
      return fail("not enough remaining address space for all subnets", "newbits");
    }
    result.push(formatNetwork({ base: start, bits, prefix: extended }));
  }
  return result;
}

const prefix = named("prefix", string);

export const cidrFunctions: Readonly<Record<string, FunctionDefinition>> = {
  cidrhost: define([prefix, named("hostnum", integer)], ([text, number]) =>
    host(parseNetwork(text), BigInt(number)),
  ),
  cidrnetmask: define([prefix], ([text]) => netmask(parseNetwork(text))),
  cidrsubnet: define(
    [prefix, named("newbits", integer), named("netnum", integer)],
    ([text, bits, number]) => subnet(parseNetwork(text), bits, BigInt(number)),
  ),
  cidrsubnets: defineVariadic([prefix], named("newbits", integer), ([text], lengths) =>
    subnets(parseNetwork(text), lengths),
  ),
};
