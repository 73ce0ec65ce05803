import { joined, printed, type Printed } from "../../core/printed";
import type { Diagnostic } from "../../core/diagnostics";
import {
  EMPTY_SCOPE,
  errorAt,
  type ImportConfig,
  type Location,
  type MoveConfig,
  type ResourceConfig,
  type StackConfig,
} from "../../language";
import { isWhole, moveCycles } from "./moves";
import { formatAddress, formatResourceAddress, sameResource } from "../../core/documents/address";
import type { InstanceKey } from "../../core/documents/state";

/** Validates `moved`, `removed` and `import` blocks without a state. */
export function validateRefactoring(config: StackConfig): readonly Diagnostic[] {
  return [
    ...config.moves.flatMap((move, index) => [
      ...validateMove(move, config),
      ...config.moves.slice(0, index).flatMap((earlier) => ambiguity(earlier, move)),
    ]),
    ...moveCycles(config.moves).map(cyclic),
    ...config.removals
      .filter(({ from }) => config.resources.has(formatResourceAddress(from)))
      .map(({ where, from }) =>
        errorAt(
          where,
          "Removed resource still exists",
          `This statement declares that ${formatResourceAddress(from)} was removed, but it is still declared in configuration.`,
        ),
      ),
    ...config.imports.flatMap((block, index) => [
      ...validateImport(block, config),
      ...config.imports
        .slice(0, index)
        .flatMap((earlier) => (sameTarget(earlier, block) ? [duplicateImport(block)] : [])),
    ]),
  ];
}

/** Returns the error of a move whose source is still declared. */
export function movedObjectStillExists(move: MoveConfig): Diagnostic {
  const noun = isWhole(move) ? "resource" : "resource instance";
  const [from, to] = [formatAddress(move.from), formatAddress(move.to)];
  return errorAt(
    move.where,
    "Moved object still exists",
    printed`This statement declares a move from ${from}, but that ${noun} is still declared.\n\nChange your configuration so that this ${noun} will be declared as ${to} instead.`,
  );
}

/** Returns an error if an instance cannot be imported with this key. */
export function keyProblem(
  { where }: ImportConfig,
  { count, forEach }: ResourceConfig,
  key: InstanceKey | undefined,
): Diagnostic | undefined {
  const problem =
    key === undefined
      ? count
        ? "is using count"
        : forEach && "is using for_each"
      : typeof key === "number"
        ? !count && "does not use count"
        : !forEach && "does not use for_each";
  if (!problem) return undefined;
  return importTargetProblem(where, `The target resource ${problem}.`);
}

export function importTargetProblem(where: Location, detail: string): Diagnostic {
  return errorAt(where, "Invalid import 'to' expression", detail);
}

function validateMove(move: MoveConfig, { resources }: StackConfig): readonly Diagnostic[] {
  const { where, from, to } = move;
  if (formatAddress(from) === formatAddress(to)) {
    return [
      errorAt(
        where,
        "Redundant move statement",
        `This statement declares a move from ${formatAddress(from)} to the same address, which is the same as not declaring this move at all.`,
      ),
    ];
  }
  return isWhole(move) && resources.has(formatResourceAddress(from))
    ? [movedObjectStillExists(move)]
    : [];
}

function ambiguity(earlier: MoveConfig, move: MoveConfig): readonly Diagnostic[] {
  if (isWhole(earlier) !== isWhole(move)) return [];
  const [from, to] = [formatAddress(move.from), formatAddress(move.to)];
  const [otherFrom, otherTo] = [formatAddress(earlier.from), formatAddress(earlier.to)];
  const noun = isWhole(move) ? "resource" : "resource instance";
  const ambiguous = (detail: Printed) => [errorAt(move.where, "Ambiguous move statements", detail)];
  if (from === otherFrom && to !== otherTo) {
    return ambiguous(
      printed`A statement declared that ${from} moved to ${otherTo}, but this statement instead declares that it moved to ${to}.\n\nEach ${noun} can move to only one destination ${noun}.`,
    );
  }
  if (to === otherTo && from !== otherFrom) {
    return ambiguous(
      printed`A statement declared that ${otherFrom} moved to ${to}, but this statement instead declares that ${from} moved there.\n\nEach ${noun} can have moved from only one source ${noun}.`,
    );
  }
  return [];
}

function cyclic(cycle: readonly MoveConfig[]): Diagnostic {
  const steps = [...cycle]
    .reverse()
    .map(({ from, to }) => `  - ${formatAddress(from)} → ${formatAddress(to)}`);
  return errorAt(
    cycle[0]?.where ?? { address: "moved" },
    "Cyclic dependency in move statements",
    printed`The following chained move statements form a cycle, and so there is no final location to move objects to:\n${joined(steps, "\n")}\n\nA chain of move statements must end with an address that doesn't appear in any other statements, and which typically also refers to an object still declared in the configuration.`,
  );
}

function validateImport(block: ImportConfig, { resources }: StackConfig): readonly Diagnostic[] {
  const address = formatResourceAddress(block.to);
  const resource = resources.get(address);
  if (!resource) {
    return [
      errorAt(
        block.where,
        "Configuration for import target does not exist",
        `The configuration for the given import target ${address} does not exist. All target instances must have an associated configuration to be imported.`,
      ),
    ];
  }
  if (block.key && !block.key.isLiteral) return [];
  const problem = keyProblem(block, resource, literalKey(block));
  return problem ? [problem] : [];
}

function literalKey({ key }: ImportConfig): InstanceKey | undefined {
  const value = key?.evaluate(EMPTY_SCOPE).value;
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

/** Reports whether both name the same instance. Computed keys are compared by the plan. */
function sameTarget(a: ImportConfig, b: ImportConfig): boolean {
  if (!sameResource(a.to, b.to)) return false;
  const literal = [a, b].every(({ key }) => key === undefined || key.isLiteral);
  return literal && literalKey(a) === literalKey(b);
}

export function duplicateImport({ where, to }: ImportConfig, key?: InstanceKey): Diagnostic {
  const address = formatAddress({ ...to, key });
  return errorAt(
    where,
    `Duplicate import configuration for ${JSON.stringify(address)}`,
    `An import block for the resource ${JSON.stringify(address)} was already declared. A resource can have only one import block.`,
  );
}
