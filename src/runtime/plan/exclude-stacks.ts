import { error, type Diagnostic } from "../../core/diagnostics";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import type { PlanMode } from "../../core/documents/stack-plan";
import type { StackContext } from "../graph/stack-context";
import { relatedStacks, type StackFaults } from "../graph/stack-order";

/**
 * Excludes stacks with faults and those that depend on them. A destroy excludes what these depend on
 * too, because it is destroyed after them.
 */
export function excludeStacks(
  contexts: ReadonlyMap<string, StackContext>,
  faults: StackFaults,
  mode: PlanMode,
): readonly ExcludedStack[] {
  if (faults.size === 0) return [];
  // Each stack goes back on its own.
  if (mode === "rollback") {
    return [...faults].map(([stack, diagnostics]) => ({ stack, diagnostics }));
  }
  const dependents = relatedStacks(contexts, faults.keys(), "after");
  const kept =
    mode === "destroy"
      ? relatedStacks(contexts, [...faults.keys(), ...dependents.keys()], "before")
      : new Map<string, string>();
  return [...contexts.keys()].flatMap((stack): ExcludedStack[] => {
    const own = faults.get(stack);
    if (own) return [{ stack, diagnostics: own }];
    const above = dependents.get(stack);
    if (above !== undefined) return [{ stack, diagnostics: [dependsOnExcluded(stack, above)] }];
    const behind = kept.get(stack);
    return behind === undefined ? [] : [{ stack, diagnostics: [neededByExcluded(stack, behind)] }];
  });
}

/** Removes the excluded stacks from a list. */
export function without<T extends { readonly run: { readonly name: string } }>(
  opened: readonly T[],
  excluded: readonly ExcludedStack[],
): readonly T[] {
  const names = new Set(excluded.map(({ stack }) => stack));
  return opened.filter(({ run }) => !names.has(run.name));
}

function dependsOnExcluded(stack: string, other: string): Diagnostic {
  return error(
    "Depends on an excluded stack",
    `Stack "${stack}" depends on stack "${other}", which is excluded from this run.`,
  );
}

function neededByExcluded(stack: string, other: string): Diagnostic {
  return error(
    "Needed by an excluded stack",
    `Stack "${stack}" can only be destroyed after stack "${other}", which is excluded from this run.`,
  );
}
