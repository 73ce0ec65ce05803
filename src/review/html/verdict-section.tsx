import { printable } from "../../core/printed";
import { renderDiagnostic } from "../../formats/text/diagnostic-text";
import { FILE_TEXT } from "../../formats/text/style";
import { describeWaiver, WAIVED } from "../protection/signed-waiver";
import { describeVerdict, type ClauseResult, type Verdict } from "../protection/verdict";

const RESULTS = { met: "met", violated: "violated", unknown: "not proved" } as const;

/** The verdict with its errors and warnings, the clauses of the contract, and the waivers in use. */
export function VerdictSection({ verdict }: { readonly verdict: Verdict }) {
  const { outcome, clauses, waivers, diagnostics } = verdict;
  const used = waivers.filter(({ state }) => state === "used");
  const isPassed = outcome === "passed";
  if (isPassed && clauses.length + used.length + diagnostics.length === 0) return null;
  return (
    <section class={isPassed ? "verdict" : "verdict failure"} aria-labelledby="verdict">
      <h2 id="verdict">{describeVerdict(verdict)}</h2>
      {diagnostics.length > 0 && (
        <ul>
          {diagnostics.map((found) => (
            <li class={found.severity}>
              <pre>{renderDiagnostic(found, FILE_TEXT).trim()}</pre>
            </li>
          ))}
        </ul>
      )}
      {clauses.length > 0 && <Clauses clauses={clauses} />}
      {used.length > 0 && (
        <>
          <p>
            <strong>{WAIVED}</strong>
          </p>
          <ul>
            {used.map((waiver) => (
              <li>{describeWaiver(waiver).toString()}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Clauses({ clauses }: { readonly clauses: readonly ClauseResult[] }) {
  const kept = clauses.filter(({ result }) => result === "met").length;
  return (
    <details>
      <summary>
        {kept} of {clauses.length} clauses of the contract are met
      </summary>
      <ul>
        {clauses.map(({ name, place, result }) => (
          <li>
            <strong>{printable(name)}</strong> ({printable(place)}): {RESULTS[result]}
          </li>
        ))}
      </ul>
    </details>
  );
}
