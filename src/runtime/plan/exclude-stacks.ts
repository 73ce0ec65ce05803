import { error, type Diagnostic } from "../../core/diagnostics";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import type { PlanMode } from "../../core/documents/stack-plan";
import type { StackContext } from "../graph/stack-context";
import { relatedStacks, type StackFaults } from "../graph/stack-order";

/**
 * Excludes stacks with faults and those that depend on them. A destroy excludes those that they depend
 * on instead, because these are destroyed after them.
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
  const [direction, reason] =
    mode === "destroy"
      ? (["before", neededByExcluded] as const)
      : (["after", dependsOnExcluded] as const);
  const related = relatedStacks(contexts, faults.keys(), direction);
  return [...contexts.keys()].flatMap((stack): ExcludedStack[] => {
    const own = faults.get(stack);
    if (own) return [{ stack, diagnostics: own }];
    const cause = related.get(stack);
    return cause === undefined ? [] : [{ stack, diagnostics: [reason(stack, cause)] }];
  });
}

/** Removes the excluded stacks from a list. */
export function keepIncluded<T extends { readonly run: { readonly name: string } }>(
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
