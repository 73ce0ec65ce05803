import { mapMembers } from "../../core/member-of";
import { Printed, printed } from "../../core/printed";
import { hasErrors } from "../../core/diagnostics";
import type { RunOperation } from "../../fleet/run-log/entries";
import {
  formatCompletion,
  formatCounts,
  formatDone,
  formatStackCount,
} from "../../formats/text/counts";
import { shortStackList } from "../../review/exclusions/exclusions-text";
import { groupBy } from "../../core/group-by";
import { groupAlike, groupPlans, type AlikePlans } from "../../review/groups/group-plans";
import { renderGroups, renderHeading } from "../../review/groups/groups-text";
import { renderOutputs } from "../../formats/text/state-text";
import { describeCounts } from "../../review/protection/protection-text";
import { protectionHeadline } from "../../review/protection/render-protection";
import { shownEffects } from "../../review/protection/first-setup";
import { countWeaker } from "../../review/protection/review-protection";
import { renderDriftHeadline } from "../../review/text/drift-text";
import { renderReviewedPlan } from "../../review/text/reviewed-plan";
import { stackTitle } from "../../formats/text/stack-title";
import type { TextOptions } from "../../formats/text/style";
import {
  appliedMessages,
  planMessages,
  savedPlanMessages,
} from "../../formats/ui-stream/plan-messages";
import type { UiMessage } from "../../formats/ui-stream/message";
import type { AppliedStack, ApplyResult } from "../../runtime";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import { countChanges, sumCounts, type StackPlan } from "../../core/documents/stack-plan";
import type { State } from "../../core/documents/state";
import { ExitCode } from "../exit-code";
import type { RolloutOptions } from "./rollout-settings";
import type { Screen } from "../terminal/screen";
import { printExclusions, reportExcluded, reportOfStacks } from "./exclusions";

/** Options of the text of plans. */
export interface PrintOptions {
  /** Print each stack instead of groups of them. */
  readonly expand?: boolean | undefined;
  /** Print whole attributes, in Terraform's layout. */
  readonly attributes?: boolean | undefined;
}

/**
 * Prints the plans. In a run of several stacks, parts that are alike are printed once with the names
 * of their stacks, or with `expand` each stack below a heading; then a total.
 */
export function printPlans(
  screen: Screen,
  plans: readonly StackPlan[],
  several: boolean,
  { expand = false, attributes = false }: PrintOptions = {},
): void {
  const { style, width, stream } = screen;
  const options: TextOptions = { style, width, attributes };
  if (stream) {
    streamPlans(stream, alikeOf(plans, expand), several, planMessages);
    return;
  }
  const protection = several ? describeProtectionOf(plans) : undefined;
  if (protection) {
    const headline = protectionHeadline(protection.text, protection.isWeaker, options);
    screen.print(printed`\n${headline}\n`);
  }
  if (several) screen.print(renderDriftHeadline(plans, options));
  if (several && !expand) {
    const groups = groupPlans(plans, { attributes });
    for (const text of renderGroups(groups, plans.length, options)) screen.print(text);
  } else {
    for (const plan of plans) {
      if (several || plan.workspace !== undefined) screen.printHeading(stackTitle(plan));
      screen.print(renderReviewedPlan(plan, options));
    }
  }
  if (several) printPlanTotal(screen, plans, protection?.text);
}

/** Describes saved plans in the stream before they are applied. Their text was shown when they were made. */
export function printSavedPlans(
  { stream }: Screen,
  plans: readonly StackPlan[],
  several: boolean,
  { expand = false }: PrintOptions,
): void {
  if (stream) streamPlans(stream, alikeOf(plans, expand), several, savedPlanMessages);
}

function streamPlans(
  stream: NonNullable<Screen["stream"]>,
  alike: readonly AlikePlans[],
  several: boolean,
  describe: (plan: StackPlan) => readonly UiMessage[],
): void {
  for (const { plan, stacks } of alike) {
    for (const message of describe(plan)) stream.send(message, several ? stacks : []);
  }
}

/** The effects of all plans on protection; undefined if there is none to speak of. */
export function describeProtectionOf(
  plans: readonly StackPlan[],
): { readonly text: string; readonly isWeaker: boolean } | undefined {
  const reviews = plans.flatMap((plan) => [...shownEffects(plan).values()]);
  if (reviews.length === 0) return undefined;
  const isWeaker = reviews.some((review) => countWeaker(review) > 0);
  return { text: describeCounts(...reviews), isWeaker };
}

function alikeOf(plans: readonly StackPlan[], expand: boolean): readonly AlikePlans[] {
  return expand ? plans.map((plan) => ({ plan, stacks: [plan.stack] })) : groupAlike(plans);
}

function printPlanTotal(
  screen: Screen,
  plans: readonly StackPlan[],
  protection: string | undefined,
): void {
  const effect = protection === undefined ? "" : ` ${protection}.`;
  printTotal(screen, plans, `${formatCounts(sumCounts(plans.map(countChanges)))}.${effect}`);
}

/** The result of a run, with the stacks that were not planned. */
interface RunResult extends ApplyResult {
  readonly excluded: readonly ExcludedStack[];
}

/** Prints the result of an apply or a destroy, and returns its exit code. */
export function reportApplied(
  screen: Screen,
  operation: RunOperation,
  result: RunResult,
  options: PrintOptions & Pick<RolloutOptions, "runLog"> = {},
): ExitCode {
  const { stacks, excluded, skipped, interrupted, diagnostics } = result;
  const total = stacks.length + skipped.length + excluded.length;
  const several = total > 1;
  screen.report(diagnostics);
  if (several && !screen.stream && options.expand !== true) {
    printAppliedGroups(screen, operation, result);
  } else {
    for (const applied of stacks) {
      // A stack that an interrupt left unfinished only has diagnostics to show.
      if (interrupted && applied.diagnostics.length === 0) continue;
      if (several) screen.printHeading(stackTitle(applied));
      if (!interrupted && !hasErrors(applied.diagnostics)) {
        printApplied(screen, operation, applied, several ? applied.stack : undefined);
      }
      if (!several || !screen.stream) screen.report(applied.diagnostics);
    }
    if (several && screen.stream) reportOfStacks(screen, stacks);
  }
  const counts = formatDone(sumCounts(stacks.map(({ counts }) => counts)));
  if (interrupted) {
    const complete = stacks.filter((stack) => stack.complete).length;
    const reached = several ? ` ${complete} of ${formatStackCount(total)} are complete.` : "";
    const log = options.runLog === undefined ? "" : ` with --resume ${options.runLog}`;
    screen.print(
      printed`\nInterrupted. Resources: ${counts}${reached} Run ${operation} again${log} to continue.\n`,
    );
    return ExitCode.INTERRUPTED;
  }
  const failed = stacks.filter((stack) => hasErrors(stack.diagnostics));
  const number = formatStackCount(failed.length);
  if (several) {
    printTotal(screen, stacks, `${counts}${failed.length === 0 ? "" : ` ${number} failed.`}`);
    printExclusions(screen, "Failed", failed, total);
    printExclusions(screen, "Excluded", excluded, total);
    if (skipped.length > 0) {
      const names = shortStackList(skipped);
      screen.print(printed`\nNot started: ${skipped.length} of ${total} stacks\n  - ${names}\n`);
    }
  }
  return failed.length > 0 ? ExitCode.ERROR : ExitCode.DONE;
}

/** More groups are formed by their numbers of changes only, without outputs. */
const MOST_GROUPS = 10;

/** Prints stacks with the same result once, and errors by their reasons. */
function printAppliedGroups(
  screen: Screen,
  operation: RunOperation,
  { stacks, interrupted }: ApplyResult,
): void {
  const applied = interrupted ? [] : stacks.filter(({ diagnostics }) => !hasErrors(diagnostics));
  const exact = groupBy(applied, (one) => JSON.stringify([one.counts, outputsOf(one)]));
  const hasMany = exact.length > MOST_GROUPS;
  const groups = hasMany ? groupBy(applied, ({ counts }) => JSON.stringify(counts)) : exact;
  for (const group of groups) {
    screen.print(renderHeading(group.map(stackTitle), stacks.length, screen));
    const { state, ...first } = group[0];
    printApplied(screen, operation, { ...first, state: hasMany ? undefined : state }, undefined);
  }
  const failed = stacks.filter(({ diagnostics }) => hasErrors(diagnostics));
  reportOfStacks(
    screen,
    stacks.filter(({ diagnostics }) => !hasErrors(diagnostics)),
  );
  reportExcluded(screen, failed);
}

/** Returns the outputs to print: those that are sensitive in another stack are, too. */
function outputsOf({ state, hiddenOutputs }: AppliedStack): State["outputs"] {
  return mapMembers(state?.outputs ?? {}, (output, name) =>
    hiddenOutputs?.has(name) ? { ...output, sensitive: true } : output,
  );
}

function printApplied(
  screen: Screen,
  operation: RunOperation,
  applied: AppliedStack,
  stack: string | undefined,
): void {
  const { counts } = applied;
  const outputs = outputsOf(applied);
  if (screen.stream) {
    const messages = appliedMessages(operation, counts, outputs, applied);
    for (const message of messages) {
      screen.stream.send(message, stack === undefined ? [] : [stack]);
    }
    return;
  }
  const { bold, green } = screen.style;
  screen.print(printed`\n${bold(green(printed`${formatCompletion(operation, counts)}`))}\n`);
  const text = renderOutputs(outputs);
  if (text !== "") screen.print(printed`\n${bold(printed`Outputs:`)}\n\n${Printed.of(text)}`);
}

function printTotal(screen: Screen, { length }: readonly unknown[], text: string): void {
  screen.print(
    printed`\n${screen.style.bold(printed`Total of ${formatStackCount(length)}:`)} ${text}\n`,
  );
}
