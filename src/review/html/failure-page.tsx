import type { Diagnostic } from "../../provider/diagnostics";
import { renderDiagnostic } from "../text/diagnostic-text";
import { failureDiagnostics } from "../failure";
import { createStyle } from "../text/style";

const PLAIN = createStyle(false);

/** Why there is no plan. */
export function FailurePage({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) {
  return (
    <>
      <header>
        <h1>Planning failed</h1>
        <p>Nothing was changed, and nothing can be applied.</p>
      </header>
      <main>
        <section class="failure" aria-labelledby="problems">
          <h2 id="problems">Problems</h2>
          <ul>
            {failureDiagnostics(diagnostics).map((diagnostic) => (
              <li class={diagnostic.severity}>
                <pre>{renderDiagnostic(diagnostic, { style: PLAIN, width: 100 }).trim()}</pre>
              </li>
            ))}
          </ul>
        </section>
      </main>
    </>
  );
}
