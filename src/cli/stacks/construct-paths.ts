import { error, type Diagnostic } from "../../core/diagnostics";
import {
  type ConstructAddress,
  constructAddresses,
  endsConstructPath,
  namesOf,
  readConfiguration,
  type StackEntry,
} from "../../language";
import { didYouMean } from "../../core/suggest";
import { parseAddress, parseModulePath } from "../../core/documents/address";

/** The blocks of one stack. */
export interface StackBlocks {
  readonly stack: string;
  readonly blocks: readonly ConstructAddress[];
}

/** Addresses in the order of the texts, or the errors. */
export type Resolved =
  { readonly addresses: readonly string[] } | { readonly problems: readonly Diagnostic[] };

/**
 * Converts paths of constructs to addresses, as `import` takes them: `prod/policies`, or the end of
 * a path, with an instance key behind it. Addresses and all else stay as they are.
 */
export function resolveConstructPaths(
  texts: readonly string[],
  stacks: readonly StackBlocks[],
): Resolved {
  const found = texts.map((text) => resolve(text, stacks));
  const problems = found.flatMap((one) => ("problem" in one ? [one.problem] : []));
  if (problems.length > 0) return { problems };
  return { addresses: found.flatMap((one) => ("addresses" in one ? one.addresses : [])) };
}

/** Resolves texts in the configurations of stacks, which are read only if a text is no address. */
export async function resolveInStacks(
  texts: readonly string[],
  stacks: readonly StackEntry[],
): Promise<Resolved> {
  if (texts.every(isAddress)) return { addresses: texts };
  const read = await Promise.all(
    stacks.map(async (stack): Promise<StackBlocks> => {
      const configuration = await readConfiguration(stack);
      // The run reports what cannot be read.
      const json = "json" in configuration ? configuration.json : undefined;
      return { stack: stack.name, blocks: constructAddresses(json) };
    }),
  );
  return resolveConstructPaths(texts, read);
}

function isAddress(text: string): boolean {
  return parseAddress(text) !== undefined || parseModulePath(text) !== undefined;
}

function resolve(
  text: string,
  stacks: readonly StackBlocks[],
): { readonly addresses: readonly string[] } | { readonly problem: Diagnostic } {
  if (isAddress(text)) return { addresses: [text] };
  const [, path = "", key = ""] = /^(.*?)(\[[^\]]*\])?$/s.exec(text) ?? [];
  const named = stacks.map(({ stack, blocks }) => ({
    stack,
    all: new Set(blocks.map(({ address }) => address)),
    found: blocks.filter(({ constructPath }) => endsConstructPath(constructPath, path)),
  }));
  const several = named.find(({ found }) => found.length > 1);
  if (several) return { problem: ambiguous(text, several.found) };
  const addresses = new Set(named.flatMap(({ found }) => found.map(({ address }) => address)));
  for (const address of addresses) {
    const other = named.find(({ all, found }) => found.length === 0 && all.has(address));
    if (other) return { problem: inOtherStack(text, address, other.stack) };
  }
  if (addresses.size === 0) return { problem: noSuchConstruct(text, stacks) };
  return { addresses: [...addresses].map((address) => `${address}${key}`) };
}

function ambiguous(text: string, found: readonly ConstructAddress[]): Diagnostic {
  const each = found.map(
    ({ address, constructPath = "" }) => `${address} (construct ${constructPath})`,
  );
  return error(
    "Ambiguous construct path",
    `${JSON.stringify(text)} is the path of several constructs. Name one of them by its address: ${each.join(", ")}.`,
  );
}

function inOtherStack(text: string, address: string, stack: string): Diagnostic {
  return error(
    "Ambiguous construct path",
    `${JSON.stringify(text)} is ${address}. Stack "${stack}" has another construct with that address. Select the stack of the construct.`,
  );
}

function noSuchConstruct(text: string, stacks: readonly StackBlocks[]): Diagnostic {
  const known = stacks.flatMap(({ blocks }) => blocks.flatMap(namesOf));
  return invalidAddress(text, didYouMean(text, [...new Set(known)]));
}

/** @param suggestion A sentence with a blank in front, or nothing. */
export function invalidAddress(text: string, suggestion = ""): Diagnostic {
  return error(
    "Invalid address",
    `${JSON.stringify(text)} is neither the address of a resource, such as cwp_license.main or null_resource.gate[0], nor the path of its construct.${suggestion || ' "state list" shows the addresses that are stored.'}`,
  );
}
