import { printable } from "../../core/printed";
import { shortStackList } from "../exclusions/exclusions-text";
import { countStacks } from "../exclusions/group-exclusions";
import type { Review } from "../groups/review";
import type { ClauseResult } from "../protection/verdict";
import {
  describeVerdict,
  describeWaiver,
  verdictDiagnostics,
  WAIVED,
} from "../protection/verdict-text";
import { Diagnostics, DiagnosticText } from "./diagnostics";

const RESULTS = { met: "met", violated: "violated", unknown: "not proved" } as const;

/** Stacks that a line names. */
const NAMED_STACKS = 3;

/**
 * The verdict, the clauses of the contract, and the waivers in use. Its errors are folded: the lists of
 * clauses and of weakened protection have a line for each.
 */
export function VerdictSection({ verdict }: Pick<Review, "verdict">) {
  if (!verdict) return null;
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

/** The clauses that are not met; the others are folded. */
function Clauses({ clauses }: { readonly clauses: readonly ClauseResult[] }) {
  const kept = clauses.filter(({ result }) => result === "met");
  return (
    <>
      <ClauseList clauses={clauses.filter(({ result }) => result !== "met")} />
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
  const stacksOf = ({ breaches }: ClauseResult) => [...new Set(breaches.map(({ stack }) => stack))];
  return (
    <ul>
      {clauses.map((clause) => (
        <li>
          <strong>{printable(clause.name)}</strong> ({printable(clause.place)}):{" "}
          {RESULTS[clause.result]}
          {clause.breaches.length > 0 && ` in ${shortStackList(stacksOf(clause), NAMED_STACKS)}`}
        </li>
      ))}
    </ul>
  );
}

/** The stacks that could not be planned, by their reasons. */
export function ExcludedSection({ review: { excluded, total } }: { readonly review: Review }) {
  if (excluded.length === 0) return null;
  return (
    <section class="failure" aria-labelledby="excluded">
      <h2 id="excluded">
        Excluded: {countStacks(excluded)} of {total} stacks
      </h2>
      <p>They were not planned, and an apply does not change them.</p>
      <ul>
        {excluded.map(({ reason, stacks, example }) => (
          <li class="error">
            <strong>{printable(reason)}</strong> ({stacks.length})
            <DiagnosticText diagnostic={example} />
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
