import { strictly, type Diagnostic } from "../../core/diagnostics";
import { noteOf } from "../../core/notes";
import { printed } from "../../core/printed";
import { blindCause } from "../../provider/console/not-readable";
import { blindWarning, groupBlind } from "../../review/exclusions/blind-stacks";
import { groupsMessage } from "../../review/exclusions/group-exclusions";
import { isFirstSetup } from "../../review/protection/first-setup";
import { LIVE } from "../../review/protection/live-reading";
import { describeSources } from "../../review/protection/live-text";
import type { StackPlan } from "../../runtime";
import type { Screen } from "../terminal/screen";
import { printExclusions, reportExcluded, reportOfStacks } from "./exclusions";
import type { PlannedRun } from "./planned-run";
import type { RunOptions } from "./run-options";
import { printPlans, type PrintOptions } from "./run-report";

type ReportOptions = PrintOptions & Pick<RunOptions, "consoles" | "strict">;

/** Prints the plans, and the diagnostics of all stacks. */
export function reportPlanned(
  screen: Screen,
  session: Findings & Pick<PlannedRun, "applicable">,
  plans: readonly StackPlan[],
  options: ReportOptions,
): void {
  const several = plans.length + session.excluded.length > 1;
  if (session.applicable) {
    printPlans(screen, plans, several, options);
    if (options.consoles) reportLive(screen, plans);
  }
  reportFindings(screen, session, options);
}

/** The plans and the problems that planning has found. */
export type Findings = Pick<PlannedRun, "plans" | "excluded" | "problems" | "diagnostics">;

/** Prints the diagnostics of all stacks, and those that are excluded. */
export function reportFindings(screen: Screen, session: Findings, options: ReportOptions): void {
  const { plans, excluded, problems } = session;
  const total = plans.length + excluded.length;
  const shown = (found: readonly Diagnostic[]) => (options.strict ? found.map(strictly) : found);
  // Its text has a sentence about the console that cannot be read yet.
  const setups = new Set(screen.stream ? [] : plans.filter(isFirstSetup));
  if (total <= 1) {
    const isSaid = (found: Diagnostic) => setups.size > 0 && isRefused(found);
    screen.report(shown(session.diagnostics.filter((found) => !isSaid(found))));
    return;
  }
  // Validation reports a warning of a block before its plan does.
  const ofPlans = new Set(plans.flatMap(({ diagnostics }) => diagnostics.map(comparableJson)));
  screen.report(shown(problems.filter((problem) => !ofPlans.has(comparableJson(problem)))));
  const blind = groupBlind(
    plans.filter((plan) => !setups.has(plan) || !plan.diagnostics.some(isRefused)),
  );
  // The stream has each warning, too.
  const isSummed = (found: Diagnostic) => !screen.stream && blindCause(found) !== undefined;
  reportOfStacks(
    screen,
    plans.map(({ stack, diagnostics }) => ({
      stack,
      diagnostics: shown(diagnostics.filter((found) => !isSummed(found))),
    })),
  );
  if (blind.length > 0) {
    if (screen.stream) screen.stream.send(groupsMessage("blind_stacks", blind, total));
    else screen.report([blindWarning(blind, total)]);
  }
  reportExcluded(screen, excluded, options);
  printExclusions(screen, "Excluded", excluded, total);
}

/** A new console refuses all credentials. */
function isRefused(diagnostic: Diagnostic): boolean {
  return blindCause(diagnostic) === "refused";
}

function comparableJson(diagnostic: Diagnostic): string {
  return JSON.stringify(diagnostic);
}

/** Says that nothing was read; a stream of messages, which has no review, also what was. */
function reportLive(screen: Screen, plans: readonly StackPlan[]): void {
  const found = plans.flatMap(({ changes }) =>
    changes.flatMap((change) => noteOf(change, LIVE) ?? []),
  );
  if (found.length === 0) {
    screen.print(printed`\nNo plan changes container policies, so no containers were read.\n`);
  } else if (screen.stream) {
    const sources = found.flatMap((live) => describeSources(live, live.counts?.running));
    for (const source of sources) screen.print(printed`${source}\n`);
  }
}
