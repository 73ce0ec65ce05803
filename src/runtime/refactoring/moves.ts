import { joined, printed } from "../../core/printed";
import { hasErrors, warning, type Diagnostic } from "../../core/diagnostics";
import { compareStrings } from "../../core/values";
import type { MoveConfig, StackConfig } from "../../language";
import type { Providers } from "../evaluation/providers";
import { Graph } from "../graph/graph";
import {
  formatAddress,
  formatResourceAddress,
  parseAddress,
  sameResource,
  type InstanceAddress,
} from "../../core/documents/address";
import { MutableState } from "../../backends";
import type { InstanceKey, State } from "../../core/documents/state";
import { typeChange } from "./type-change";

/** A move between addresses. Without keys it moves a resource with all its instances. */
type Move = Pick<MoveConfig, "from" | "to">;

export interface MovedState {
  readonly state: State;
  /** The stored addresses of instances, by their present ones. */
  readonly previous: ReadonlyMap<string, string>;
  /** Moves to an address that has an object already. */
  readonly blocked: readonly { readonly from: string; readonly to: string }[];
  /** The errors of objects that cannot move to another type. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Moves the objects of a state to their addresses in the configuration: by `moved` blocks, and when
 * `count` is added or removed. Objects are not moved over others.
 */
export function moveObjects(state: State, config: StackConfig, providers: Providers): MovedState {
  const diagnostics: Diagnostic[] = [];
  const previous = new Map<string, string>();
  const blocked: { from: string; to: string }[] = [];
  const moved = new MutableState(state);
  const take = (from: InstanceAddress, to: InstanceAddress) => {
    const [before, after] = [formatAddress(from), formatAddress(to)];
    previous.set(after, previous.get(before) ?? before);
    previous.delete(before);
  };
  for (const { from, to } of [...sortMoves(config.moves), ...impliedMoves(state, config)]) {
    const whole = isWhole({ from, to });
    const has = (at: InstanceAddress) => (whole ? moved.hasResource(at) : moved.has(at));
    if (!has(from)) continue;
    if (has(to)) {
      blocked.push({ from: formatAddress(from), to: formatAddress(to) });
      continue;
    }
    const keys = whole ? [...moved.keysOf(from)] : [from.key];
    if (from.type !== to.type) {
      const problems = changeType(moved, { from, to }, keys, { config, providers });
      diagnostics.push(...problems);
      if (hasErrors(problems)) continue;
    }
    if (whole) {
      for (const key of keys) take({ ...from, key }, { ...to, key });
      moved.renameResource(from, to);
    } else {
      take(from, to);
      moved.rename(from, to);
    }
  }
  return { state: moved.current(), previous, blocked, diagnostics };
}

/** Moves the objects of instances to another type; none after an error. */
function changeType(
  state: MutableState,
  { from, to }: Move,
  keys: readonly (InstanceKey | undefined)[],
  { config, providers }: { readonly config: StackConfig; readonly providers: Providers },
): readonly Diagnostic[] {
  const change = typeChange({ from, to }, state.providerOf(from) ?? "", config, providers);
  if ("problem" in change) return [change.problem];
  const changed = keys.flatMap((key) =>
    state.objectsAt({ ...from, key }).map((stored) => ({ key, ...change.convert(stored) })),
  );
  const diagnostics = changed.flatMap((one) => one.diagnostics);
  if (hasErrors(diagnostics)) return diagnostics;
  for (const { key, object } of changed) {
    if (!object) continue;
    state.remove({ ...from, key }, object.deposed);
    state.set(isWhole({ from, to }) ? { ...to, key } : to, change.provider, object);
  }
  return diagnostics;
}

export function isWhole({ from, to }: Move): boolean {
  return from.key === undefined && to.key === undefined;
}

/** Finds moves that form a cycle. */
export function moveCycles<M extends Move>(moves: readonly M[]): readonly (readonly M[])[] {
  return chainOf(moves).cycles();
}

export function unresolvedMoves({ blocked }: MovedState): readonly Diagnostic[] {
  if (blocked.length === 0) return [];
  const lines = blocked
    .map(({ from, to }) => `  - ${from} could not move to ${to}`)
    .sort(compareStrings);
  return [
    warning(
      "Unresolved resource instance address changes",
      printed`Terraform tried to adjust resource instance addresses in the prior state based on change information recorded in the configuration, but some adjustments did not succeed due to existing objects already at the intended addresses:\n${joined(lines, "\n")}\n\nTerraform has planned to destroy these objects. If Terraform's proposed changes aren't appropriate, you must first resolve the conflicts using the "state" subcommands and then create a new plan.`,
    ),
  ];
}

/**
 * Returns a function that adds the present addresses of recorded dependencies. Moves leave the
 * recorded ones unchanged, as in Terraform; objects that moved are still destroyed in order.
 */
export function followMoves({
  previous,
}: MovedState): (recorded: readonly string[]) => readonly string[] {
  const present = new Map<string, Set<string>>();
  for (const [to, from] of previous) {
    const [before, after] = [resourceOf(from), resourceOf(to)];
    if (before !== after) present.set(before, (present.get(before) ?? new Set()).add(after));
  }
  return (recorded) => [
    ...new Set(recorded.flatMap((address) => [address, ...(present.get(address) ?? [])])),
  ];
}

function resourceOf(instance: string): string {
  const address = parseAddress(instance);
  return address ? formatResourceAddress(address) : instance;
}

/** Sorts moves to an address before the moves from it. */
function sortMoves(moves: readonly Move[]): readonly Move[] {
  return moves.length < 2 ? moves : chainOf(moves).order().ordered;
}

function chainOf<M extends Move>(moves: readonly M[]): Graph<M> {
  const chain = new Graph<M>();
  for (const move of moves) {
    chain.add(move);
    for (const other of moves) {
      if (other !== move && leadsTo(other, move)) chain.connect(move, other);
    }
  }
  return chain;
}

/** Reports whether the second move applies to objects of the first. */
function leadsTo(first: Move, next: Move): boolean {
  return (
    sameResource(first.to, next.from) &&
    (isWhole(first) || isWhole(next) || first.to.key === next.from.key)
  );
}

/**
 * Returns the moves of added `count`, from no key to 0, and of removed `count`, the reverse. There
 * are none of a resource that a `moved` block names at either end.
 */
function impliedMoves(
  state: State,
  { resources, dataSources, moves }: StackConfig,
): readonly Move[] {
  return state.resources.flatMap((resource) => {
    const declared = resource.mode === "data" ? dataSources : resources;
    const config = declared.get(formatResourceAddress(resource));
    if (!config || config.forEach) return [];
    const { module, mode, type, name, instances } = resource;
    const at = { module, mode, type, name };
    const [from, to] = config.count ? [undefined, 0] : [0, undefined];
    const has = (key: number | undefined) => instances.some(({ indexKey }) => indexKey === key);
    const move = { from: { ...at, key: from }, to: { ...at, key: to } };
    const isNamed = moves.some((one) => sameResource(one.from, at) || sameResource(one.to, at));
    return has(from) && !has(to) && !isNamed ? [move] : [];
  });
}
