import type { Diagnostic } from "../../provider/diagnostics";
import type { StackContext } from "../graph/stack-context";
import { errorAt, type Location } from "../config/located";
import { didYouMean } from "../expressions/suggest";
import type { ResourceNode } from "../graph/configuration";
import { formatResourceAddress, parseAddress } from "../state/address";
import type { InstanceKey } from "../state/state";

export interface ImportTarget {
  /** Undefined if there is none: the diagnostics have the error. */
  readonly block?: ResourceNode;
  /** The instance key of the address. The instance need not exist. */
  readonly key?: InstanceKey | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds a block by its address, or by the path of its construct or the end of it. */
export function findImportTarget({ nodes }: StackContext, text: string): ImportTarget {
  const blocks = [...nodes.resources.values()].filter(({ config }) => config.mode === "managed");
  const address = parseAddress(text);
  const wanted = address && formatResourceAddress(address);
  const named = blocks.filter((block) =>
    wanted === undefined ? isConstruct(block, text) : block.address === wanted,
  );
  const [block, ...others] = named;
  if (block && others.length === 0) return { block, key: address?.key, diagnostics: [] };
  const where = { address: text };
  if (block) {
    const detail = `${JSON.stringify(text)} is the path of several constructs. Name one of them by its address: ${named.map(describe).join(", ")}.`;
    return { diagnostics: [errorAt(where, "Ambiguous import target", detail)] };
  }
  const alike = blocks.filter(({ config }) => config.type === address?.type);
  const near = didYouMean(
    wanted ?? text,
    blocks.map((candidate) => candidate.address),
  );
  return { diagnostics: [notConfigured(where, alike.map(describe), near)] };
}

/** @param known Addresses of the same kind. */
export function notConfigured(where: Location, known: readonly string[], near = ""): Diagnostic {
  const others = known.length > 0 ? ` It has ${known.join(", ")}.` : "";
  return errorAt(
    where,
    "Configuration for import target does not exist",
    `The stack has no ${where.address}. Add its construct to the stack first.${others}${near}`,
  );
}

function isConstruct({ config: { where } }: ResourceNode, path: string): boolean {
  return where.constructPath !== undefined && `/${where.constructPath}`.endsWith(`/${path}`);
}

function describe({ address, config: { where } }: ResourceNode): string {
  return where.constructPath === undefined
    ? address
    : `${address} (construct ${where.constructPath})`;
}
