import type { Diagnostic } from "../../../provider/diagnostics";
import { renderDiagnostic } from "../diagnostic-text";
import { weakeningWords } from "../entries/entry-words";
import type { StackReview } from "../overview";
import { printable } from "../quote";
import { createStyle } from "../style";

const PLAIN = createStyle(false);

/** What has to be known before anything else. */
export function WarningsSection({ reviews }: { readonly reviews: readonly StackReview[] }) {
  const weaker = reviews.filter(({ weakening }) => weakening > 0);
  const told = groupAlike(reviews);
  const parts = reviews.filter(({ complete }) => !complete);
  if (weaker.length + told.length + parts.length === 0) return null;
  return (
    <section class="warnings" aria-labelledby="warnings">
      <h2 id="warnings">Warnings</h2>
      <ul>
        {weaker.map(({ stack, weakening }) => (
          <li>
            <strong>{weakeningWords(weakening)}</strong> Stack {printable(stack)}
          </li>
        ))}
        {parts.map(({ stack }) => (
          <li>
            <strong>The plan is about a part of the stack only.</strong> Stack {printable(stack)}
          </li>
        ))}
        {told.map(({ diagnostic, stacks }) => (
          <li>
            <pre>{renderDiagnostic(diagnostic, { style: PLAIN, width: 100 }).trim()}</pre>
            <p class="note">{inStacks(stacks)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Told {
  readonly diagnostic: Diagnostic;
  readonly stacks: readonly string[];
}

/** What several stacks are told stands once. */
function groupAlike(reviews: readonly StackReview[]): readonly Told[] {
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

function inStacks(stacks: readonly string[]): string {
  const [first = ""] = stacks;
  const others = stacks.length - 1;
  if (others === 0) return `Stack ${printable(first)}`;
  return `Stack ${printable(first)} and ${others} more`;
}
