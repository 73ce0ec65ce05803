import type { Diagnostic } from "../../core/diagnostics";
import { printable } from "../../core/printed";
import { renderDiagnostic } from "../../formats/text/diagnostic-text";
import { FILE_TEXT } from "../../formats/text/style";
import { shortStackList } from "../exclusions/exclusions-text";
import type { ClauseResult, Verdict } from "../protection/verdict";
import {
  describeVerdict,
  describeWaiver,
  verdictDiagnostics,
  WAIVED,
} from "../protection/verdict-text";

const RESULTS = { met: "met", violated: "violated", unknown: "not proved" } as const;

/** Stacks that a line names. */
const NAMED_STACKS = 3;

/**
 * The verdict, the clauses of the contract, and the waivers in use. Its errors are folded: the lists of
 * clauses and of weakened protection have a line for each.
 */
export function VerdictSection({ verdict }: { readonly verdict: Verdict }) {
  const { outcome, clauses, waivers } = verdict;
  const diagnostics = verdictDiagnostics(verdict, { isWhole: true });
  const used = waivers.filter(({ state }) => state === "used");
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const isPassed = outcome === "passed";
  if (isPassed && clauses.length + used.length + diagnostics.length === 0) return null;
  return (
    <section class={isPassed ? "verdict" : "verdict failure"} aria-labelledby="verdict">
      <h2 id="verdict">{describeVerdict(verdict)}</h2>
      <Clauses clauses={clauses} />
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
      <Diagnostics diagnostics={diagnostics.filter(({ severity }) => severity === "warning")} />
      {errors.length > 0 && (
        <details>
          <summary>
            {errors.length === 1 ? "The error" : `${errors.length} errors`} of the command
          </summary>
          <Diagnostics diagnostics={errors} />
        </details>
      )}
    </section>
  );
}

function Diagnostics({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) {
  return (
    <ul>
      {diagnostics.map((found) => (
        <li class={found.severity}>
          <pre>{renderDiagnostic(found, FILE_TEXT).trim()}</pre>
        </li>
      ))}
    </ul>
  );
}

/** The clauses that are not met; the others are folded. */
function Clauses({ clauses }: { readonly clauses: readonly ClauseResult[] }) {
  const kept = clauses.filter(({ result }) => result === "met");
  const broken = clauses.filter((clause) => !kept.includes(clause));
  return (
    <>
      <ClauseList clauses={broken} />
      {kept.length > 0 && (
        <details>
          <summary>
            {kept.length} of {clauses.length} clauses of the contract are met
          </summary>
          <ClauseList clauses={kept} />
        </details>
      )}
    </>
  );
}

function ClauseList({ clauses }: { readonly clauses: readonly ClauseResult[] }) {
  return (
    <ul>
      {clauses.map(({ name, place, result, breaches }) => (
        <li>
          <strong>{printable(name)}</strong> ({printable(place)}): {RESULTS[result]}
          {breaches.length > 0 && ` in ${shortStackList(stacksOf(breaches), NAMED_STACKS)}`}
        </li>
      ))}
    </ul>
  );
}

function stacksOf(breaches: ClauseResult["breaches"]): readonly string[] {
  return [...new Set(breaches.map(({ stack }) => stack))];
}
