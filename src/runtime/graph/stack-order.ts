import { error, type Diagnostic } from "../../core/diagnostics";
import { Graph } from "./graph";
import type { StackContext } from "./stack-context";

/** The errors of single stacks, by name. They exclude a stack and those that depend on it. */
export type StackFaults = ReadonlyMap<string, readonly Diagnostic[]>;

type Contexts = ReadonlyMap<string, StackContext>;

/** Returns the selected stacks whose outputs a stack reads. */
export function readBy({ remoteStates }: StackContext): ReadonlySet<string> {
  return new Set(
    [...remoteStates.values()]
      .flat()
      .flatMap(({ source }) => (source.kind === "selected" ? [source.stack] : [])),
  );
}

/** Returns the stacks that must be applied before a stack, selected or not. */
export function stacksBefore(context: StackContext): ReadonlySet<string> {
  return new Set([...readBy(context), ...context.after]);
}

/**
 * Finds the stacks that depend on some, transitively, each with the one that it depends on. In
 * direction `before`, those that they depend on.
 */
export function relatedStacks(
  contexts: Contexts,
  some: Iterable<string>,
  direction: "after" | "before",
): ReadonlyMap<string, string> {
  const next = direction === "before" ? neededStacks(contexts) : dependentStacks(contexts);
  const start = new Set(some);
  const found = new Map<string, string>();
  const reached = [...start];
  for (const stack of reached) {
    for (const related of next(stack)) {
      if (start.has(related) || found.has(related) || !contexts.has(related)) continue;
      found.set(related, stack);
      reached.push(related);
    }
  }
  return found;
}

/** Reports stacks that come after each other: at least one of them reads an output. */
export function stackCycles(contexts: Contexts): readonly Diagnostic[] {
  const order = new Graph<string>();
  for (const [name, context] of contexts) {
    for (const before of stacksBefore(context)) order.connect(name, before);
  }
  return order
    .cycles()
    .map((cycle) =>
      error(
        "Cycle between stacks",
        `Each of these stacks comes after the next one, or reads its outputs: ${[...cycle, ...cycle.slice(0, 1)].join(" -> ")}. Remove one of these references, or select one stack in each run, which reads the states that the others have.`,
      ),
    );
}

function neededStacks(contexts: Contexts): (stack: string) => Iterable<string> {
  return (stack) => {
    const context = contexts.get(stack);
    return context ? stacksBefore(context) : [];
  };
}

function dependentStacks(contexts: Contexts): (stack: string) => Iterable<string> {
  const dependents = new Map<string, string[]>();
  for (const [name, context] of contexts) {
    for (const before of stacksBefore(context)) {
      const list = dependents.get(before);
      if (list) list.push(name);
      else dependents.set(before, [name]);
    }
  }
  return (stack) => dependents.get(stack) ?? [];
}
