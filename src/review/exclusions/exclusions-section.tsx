import type { ExcludedStack } from "../../core/documents/excluded-stack";
import { renderDiagnostic } from "../../formats/text/diagnostic-text";
import { printable } from "../../core/printed";
import { FILE_TEXT } from "../../formats/text/style";
import { groupExclusions } from "./group-exclusions";

interface ExclusionsSectionProps {
  readonly excluded: readonly ExcludedStack[];
  /** The number of all selected stacks. */
  readonly total: number;
}

/** The stacks that could not be planned, by their reasons. */
export function ExclusionsSection({ excluded, total }: ExclusionsSectionProps) {
  if (excluded.length === 0) return null;
  return (
    <section class="failure" aria-labelledby="excluded">
      <h2 id="excluded">
        Excluded: {excluded.length} of {total} stacks
      </h2>
      <p>They were not planned, and an apply does not change them.</p>
      <ul>
        {groupExclusions(excluded).map(({ reason, stacks, example }) => (
          <li class="error">
            <strong>{printable(reason)}</strong> ({stacks.length})
            <pre>{renderDiagnostic(example, FILE_TEXT).trim()}</pre>
            <details>
              <summary>{stacks.length === 1 ? "1 stack" : `${stacks.length} stacks`}</summary>
              <p>{stacks.map(printable).join(", ")}</p>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
