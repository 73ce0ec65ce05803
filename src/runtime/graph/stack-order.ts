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

/**
 * Reports stacks that were declared to come after others which need their outputs. Stacks that only read
 * outputs of each other have an order, unless their blocks have a cycle.
 */
export function contradictions(contexts: Contexts): readonly Diagnostic[] {
  const order = new Graph<string>();
  for (const [name, context] of contexts) {
    for (const before of stacksBefore(context)) order.connect(name, before);
  }
  return [...order.order().cyclic].flatMap((name) => {
    const behind = relatedStacks(contexts, [name], "after");
    const declared = (contexts.get(name)?.after ?? []).filter((stack) => behind.has(stack));
    return declared.map((stack) =>
      error(
        "Cycle between stacks",
        `Stack "${name}" was declared to come after stack "${stack}", which needs outputs of "${name}", or of a stack behind it. Remove the dependency or the reference.`,
      ),
    );
  });
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
