import type { Diagnostic } from "../../provider/diagnostics";
import type { StackContext } from "../graph/stack-context";
import { errorAt, type Location } from "../config/located";
import { didYouMean } from "../expressions/suggest";
import type { ResourceNode } from "../graph/configuration";
import { formatResourceAddress, parseAddress } from "../state/address";
import type { InstanceKey } from "../state/state";

export interface ImportTarget {
  /** Undefined where there is none: the diagnostics say why. */
  readonly block?: ResourceNode;
  /** As the address has it; whether there is such an instance is not looked at. */
  readonly key?: InstanceKey | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** The block that an address names, or the path of its construct, or the end of that path. */
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

/** `known`: what there is of the same kind. */
export function notConfigured(where: Location, known: readonly string[], near = ""): Diagnostic {
  const others = known.length > 0 ? ` It has ${known.join(", ")}.` : "";
  return errorAt(
    where,
    "Configuration for import target does not exist",
    `The stack has no ${where.address}. What is imported needs its construct in the stack first.${others}${near}`,
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
