import { printed } from "../../core/printed";
import { inStacks, renderExclusions } from "../../review/exclusions/exclusions-text";
import { groupExclusions, groupsMessage } from "../../review/exclusions/group-exclusions";
import { hasErrors, withParagraph, type Diagnostic } from "../../core/diagnostics";
import { groupBy } from "../../core/group-by";
import { keyInStacks } from "../../formats/text/consolidate";
import { diagnosticMessage } from "../../formats/ui-stream/message";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import type { Screen } from "../terminal/screen";

/** Reports the errors of excluded stacks: one for each reason, or with `expand` all of each stack. */
export function reportExcluded(
  screen: Screen,
  excluded: readonly ExcludedStack[],
  { expand = false }: { readonly expand?: boolean | undefined } = {},
): void {
  if (expand && !screen.stream) {
    for (const { stack, diagnostics } of excluded) {
      screen.printHeading(stack);
      screen.report(diagnostics);
    }
    return;
  }
  for (const { example, stacks } of groupExclusions(excluded)) {
    if (screen.stream) screen.stream.send(diagnosticMessage(example), stacks);
    else screen.report([withParagraph(example, inStacks(stacks))]);
  }
}

/**
 * Reports the diagnostics of several stacks: those that are identical once, with the names of their
 * stacks, and as text warnings with one summary, because their details name the console. Returns true
 * for errors.
 */
export function reportOfStacks(
  screen: Screen,
  stacks: readonly Pick<ExcludedStack, "stack" | "diagnostics">[],
): boolean {
  const found = stacks.flatMap(({ stack, diagnostics }) =>
    diagnostics.map((diagnostic) => ({ stack, diagnostic })),
  );
  const groups = groupBy(found, ({ diagnostic }) =>
    screen.stream ? JSON.stringify(diagnostic) : keyInStacks(diagnostic),
  );
  const named: Diagnostic[] = [];
  for (const group of groups) {
    const [{ diagnostic }] = group;
    const names = [...new Set(group.map(({ stack }) => stack))];
    if (screen.stream) screen.stream.send(diagnosticMessage(diagnostic), names);
    else named.push(withParagraph(diagnostic, inStacks(names)));
  }
  screen.report(named);
  return hasErrors(found.map(({ diagnostic }) => diagnostic));
}

/** Prints which stacks were excluded or failed, grouped by their reasons. */
export function printExclusions(
  screen: Screen,
  title: "Excluded" | "Failed",
  excluded: readonly ExcludedStack[],
  total: number,
): void {
  if (excluded.length === 0) return;
  const groups = groupExclusions(excluded);
  const type = title === "Excluded" ? "excluded_stacks" : "failed_stacks";
  if (screen.stream) screen.stream.send(groupsMessage(type, groups, total));
  else screen.print(printed`\n${renderExclusions(title, groups, total)}\n`);
}
