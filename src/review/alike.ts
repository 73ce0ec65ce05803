import type { Diagnostic } from "../provider/diagnostics";
import type { StackReview } from "./overview";
import { printable } from "./text/quote";

/** A diagnostic, and the stacks that it is about. */
export interface Told {
  readonly diagnostic: Diagnostic;
  readonly stacks: readonly string[];
}

/** What several stacks are told stands once. */
export function groupAlike(reviews: readonly StackReview[]): readonly Told[] {
  const groups = new Map<string, { diagnostic: Diagnostic; stacks: string[] }>();
  for (const { stack, diagnostics } of reviews) {
    for (const diagnostic of diagnostics) {
      const { severity, summary, detail, address = "", path = [] } = diagnostic;
      const key = JSON.stringify([severity, summary, detail, address, path]);
      const group = groups.get(key) ?? { diagnostic, stacks: [] };
      group.stacks.push(stack);
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}

/** `Stack a and 2 more` */
export function inStacks([first = "", ...others]: readonly string[]): string {
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return `Stack ${printable(first)}${more}`;
}
