import type { Diagnostic } from "../../core/diagnostics";
import { countChanges, sumCounts, type StackPlan } from "../../core/documents/stack-plan";
import { describeDrift } from "../overview/drift";
import type { Reviewed } from "../overview/reviewed";
import { exclusionsMarkdown } from "./exclusions-markdown";
import { inStacks } from "../exclusions/exclusions-text";
import { groupExclusions } from "../exclusions/group-exclusions";
import { failureDiagnostics } from "../../formats/text/consolidate";
import { reviewPlans, type StackRow } from "../groups/review-groups";
import {
  groupDiagnostics,
  groupWeakenings,
  isEmptyReview,
  sumProtection,
  type StackReview,
} from "../overview/overview";
import { describeHiddenStacks } from "../protection/severity";
import type { Verdict } from "../protection/verdict";
import {
  describeVerdict,
  describeWaiver,
  verdictDiagnostics,
  WAIVED,
} from "../protection/verdict-text";
import {
  describeCounts,
  describeGaps,
  describeRunning,
  describeSame,
  formatProtection,
} from "../protection/protection-text";
import { formatCounts } from "../../formats/text/counts";
import { renderDiagnostic } from "../../formats/text/diagnostic-text";
import { changeBlocks } from "./change-blocks";
import { codeBlock, inlineCode } from "./code";
import { cutLines, fit, lineBlock, type TextBlock } from "./fit";
import { shortened } from "../entries/shortened";
import { FILE_TEXT } from "../../formats/text/style";

interface MarkdownOptions {
  /** The maximum number of characters. Default: the limit of a comment on GitHub. */
  readonly limit?: number;
}

/** For readers who do not know how policies apply. */
const RULE =
  "The first policy whose scope matches a workload decides all checks for it; later policies are not evaluated.";

const COMMENT_BYTES = 65_536;
/** Longer names and values are cut, so that they leave room for the rest. */
const MOST_TEXT_CHARACTERS = 1000;

/** Names the files without a limit, behind the number of what a list leaves out. */
const OTHERS = "The reviews in HTML and JSON have all.";

/**
 * Renders plans as a comment on a pull request: counts, weakened protection and warnings, and folded
 * changes. A text that exceeds the limit is cut, the least important changes first; its last line
 * says so.
 */
export function renderMarkdown(
  { plans, excluded = [], verdict }: Reviewed,
  { limit = COMMENT_BYTES }: MarkdownOptions = {},
): string {
  const { reviews, rows } = reviewPlans(plans);
  const several = plans.length > 1;
  const eventful = reviews.filter((review) => !isEmptyReview(review));
  // Leaves room for the changes and the last line.
  const opening = [
    headline(plans, reviews),
    exclusionsMarkdown(groupExclusions(excluded), plans.length + excluded.length),
    judged(verdict, limit / 8),
    weakenings(eventful, several, limit / 8),
    running(eventful, several, limit / 8),
    waived(verdict, limit / 8),
    warnings(eventful, several, limit / 8),
    summary(rows, eventful, limit / 4),
  ].filter((part) => part !== "");
  const room = limit - opening.join("\n\n").length - 400;
  const blocks = eventful.flatMap((review) => changeBlocks(review, several));
  const { texts, shortened, omitted } = fit(blocks, room);
  const parts = [...opening, texts.join("\n"), cutNote(shortened, omitted.length, limit)];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Renders the diagnostics of a run without a plan as a comment on a pull request. */
export function renderFailureMarkdown(
  diagnostics: readonly Diagnostic[],
  { limit = COMMENT_BYTES }: MarkdownOptions = {},
): string {
  const text = failureDiagnostics(diagnostics)
    .map((diagnostic) => renderDiagnostic(diagnostic, FILE_TEXT).trim())
    .join("\n\n");
  const opening =
    "### Planning failed\n\n❌ **Nothing was changed, and nothing can be applied.**\n\n";
  return `${opening}${codeBlock(cutLines(text, limit - opening.length - 400), "text")}\n`;
}

function headline(plans: readonly StackPlan[], reviews: readonly StackReview[]): string {
  const counts = sumCounts(plans.map(countChanges));
  const [{ workspace } = {}] = plans;
  const place = workspace === undefined ? "" : ` in workspace ${inlineCode(workspace)}`;
  const where = plans.length === 1 ? place : ` in ${plans.length} stacks`;
  const { weaker, stronger } = sumProtection(reviews);
  const isQuiet = reviews.every(({ changes, outputs }) => changes.length + outputs.length === 0);
  const drift = describeDrift(plans, plans.length);
  return [
    ...(isQuiet && drift !== undefined
      ? [`### Drift${place}`]
      : [isQuiet ? `### No changes${where}` : `### Plan: ${formatCounts(counts)}${where}`]),
    ...(weaker + stronger > 0
      ? [`${weaker > 0 ? "⚠️ " : ""}**Protection: ${formatProtection(weaker, stronger)}.** ${RULE}`]
      : unchangedProtection(reviews)),
    ...(drift === undefined ? [] : [`**${drift}.** It was changed outside of the stacks.`]),
    ...gaps(reviews),
    ...(plans.every(({ complete }) => complete)
      ? []
      : ["⚠️ **The plan covers only a part of the stack.**"]),
  ].join("\n\n");
}

/** Says so where policies change without an effect. */
function unchangedProtection(reviews: readonly StackReview[]): readonly string[] {
  const [first, ...others] = reviews.flatMap(({ changes }) =>
    changes.flatMap(({ protection }) => protection ?? []),
  );
  if (!first) return [];
  const shown = others.find(({ complete }) => !complete) ?? first;
  const reason = shown.complete ? [`${capitalized(describeSame(shown))}.`] : [];
  return [[`**${describeCounts(shown)}.**`, ...reason].join(" ")];
}

/** Marks a review that lacks policies. */
function gaps(reviews: readonly StackReview[]): readonly string[] {
  const judged = reviews.flatMap(({ changes }) =>
    changes.flatMap(({ protection }) => protection ?? []),
  );
  return describeGaps(judged).map((gap) => `⚠️ ${inlineCode(gap)}`);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Lists the changes that weaken protection, the worst first, as far as there is room. */
function weakenings(reviews: readonly StackReview[], several: boolean, room: number): string {
  const found = (["changes", "drift"] as const).flatMap((which) =>
    groupWeakenings(reviews, which).flatMap(({ effects, ...group }) =>
      effects.map((effect) => ({
        ...group,
        ...effect,
        mark: which === "drift" ? "changed outside: " : "",
      })),
    ),
  );
  const worst = found.sort((one, other) => Number(other.loses) - Number(one.loses));
  const blocks = worst.map(({ address, text, brief, places, stacks, loses, mark }, index) => {
    const fitting = text.length > MOST_TEXT_CHARACTERS ? brief : text;
    const [first] = places;
    const others = stacks - (first?.review.stacks.length ?? 0);
    const names = inlineCode(first?.review.stack ?? "");
    const where = several ? ` in ${names}${others > 0 ? ` and ${others} more stacks` : ""}` : "";
    const line = `- ${inlineCode(address)}${where}: ${mark}${inlineCode(shortened(fitting, MOST_TEXT_CHARACTERS))}`;
    return {
      ...lineBlock(line, index),
      loses,
      names: places.flatMap(({ review }) => review.stacks),
    };
  });
  const { texts, omitted } = fit(blocks, room);
  const hidden = blocks.filter((block) => omitted.includes(block));
  return [
    ...texts,
    ...(hidden.length > 0 ? [`- … and ${describeHiddenStacks(hidden)}. ${OTHERS}`] : []),
  ].join("\n");
}

/** Lists blocks of one line each, as far as there is room, and the number of those left out. */
function listed(blocks: readonly TextBlock[], room: number): string {
  const { texts, omitted } = fit(blocks, room);
  const more = omitted.length > 0 ? [`- … and ${omitted.length} more. ${OTHERS}`] : [];
  return [...texts, ...more].join("\n");
}

/** The verdict, where it is not that the plans pass, with its errors and warnings. */
function judged(verdict: Verdict | undefined, room: number): string {
  if (!verdict) return "";
  const texts = verdictDiagnostics(verdict, { isWhole: true }).map((found) =>
    renderDiagnostic(found, FILE_TEXT).trim(),
  );
  const isPassed = verdict.outcome === "passed";
  const { clauses } = verdict;
  const isKept = clauses.length > 0 && clauses.every(({ result }) => result === "met");
  return [
    ...(isPassed ? [] : [`❌ **${describeVerdict(verdict)}.**`]),
    ...(isKept ? [`All clauses of the contract are met: ${clauses.length}.`] : []),
    ...(texts.length === 0 ? [] : [codeBlock(cutLines(texts.join("\n\n"), room), "text")]),
  ].join("\n\n");
}

/** Lists who has signed for what the plans weaken, as far as there is room. */
function waived(verdict: Verdict | undefined, room: number): string {
  const used = verdict?.waivers.filter(({ state }) => state === "used") ?? [];
  const blocks = used.map((waiver, index) =>
    lineBlock(
      `- ${inlineCode(shortened(describeWaiver(waiver).toString(), MOST_TEXT_CHARACTERS))}`,
      index,
    ),
  );
  return blocks.length === 0 ? "" : `**${WAIVED}:**\n\n${listed(blocks, room)}`;
}

/** Lists what happens to the containers that run, as far as there is room. */
function running(reviews: readonly StackReview[], several: boolean, room: number): string {
  const blocks = reviews.flatMap(({ stack, changes }) => {
    const where = several ? `${inlineCode(stack)}: ` : "";
    const sentences = changes.flatMap(({ protection }) =>
      protection ? describeRunning(protection, { isWhole: true }) : [],
    );
    return sentences.map((text) =>
      lineBlock(`- ${where}${inlineCode(shortened(text, MOST_TEXT_CHARACTERS))}`, 0),
    );
  });
  return listed(blocks, room);
}

function warnings(reviews: readonly StackReview[], several: boolean, room: number): string {
  const texts = groupDiagnostics(reviews).flatMap(({ diagnostic, stacks }) => [
    renderDiagnostic(diagnostic, FILE_TEXT).trim(),
    ...(several ? [inStacks(stacks)] : []),
  ]);
  return texts.length === 0 ? "" : codeBlock(cutLines(texts.join("\n\n"), room), "text");
}

/** A table of the stacks with changes or warnings. */
function summary(
  stacks: readonly StackRow[],
  eventful: readonly StackReview[],
  room: number,
): string {
  const heading = [
    "| Stack | Console | Import | Add | Change | Destroy | Weaker |",
    "|---|---|--:|--:|--:|--:|--:|",
  ];
  const changing = eventful.filter(({ changes, drift, outputs }) =>
    [changes, drift, outputs].some(({ length }) => length > 0),
  );
  const rows = changing.map((review, index) => ({ ...lineBlock(tableRow(review), index), review }));
  const { texts, omitted } = fit(rows, room);
  const hidden = rows.filter((row) => omitted.includes(row)).map(({ review }) => review);
  const quiet = stacks.filter((row) => row.reviews.every(isEmptyReview)).length;
  const notes = [
    ...(hidden.length > 0 ? [describeHiddenRows(hidden)] : []),
    ...(quiet > 0 ? [`${quiet} of ${stacks.length} stacks: no changes.`] : []),
  ];
  const table = texts.length > 0 ? [[...heading, ...texts].join("\n")] : [];
  return [...table, ...notes].join("\n\n");
}

/** `3 more groups, 61 stacks, none weaker.` */
function describeHiddenRows(hidden: readonly StackReview[]): string {
  const stacks = hidden.reduce((sum, review) => sum + review.stacks.length, 0);
  const weaker = hidden.filter((review) => review.protected.weaker > 0).length;
  return `${hidden.length} more ${hidden.length === 1 ? "group" : "groups"}, ${stacks} ${stacks === 1 ? "stack" : "stacks"}, ${weaker === 0 ? "none weaker" : `${weaker} weaker`}.`;
}

function tableRow({ stack, stacks, endpoints, counts, ...review }: StackReview): string {
  const several = stacks.length > 1 ? `${stacks.length} consoles, each:` : "–";
  const consoles = endpoints.map(inlineCode).join("<br>") || several;
  const numbers = [counts.import, counts.add, counts.change, counts.destroy];
  const { weaker } = review.protected;
  const cells = [inlineCode(stack), consoles, ...numbers, weaker > 0 ? `⚠️ ${weaker}` : 0];
  return `| ${cells.join(" | ")} |`;
}

function cutNote(shortened: number, omitted: number, limit: number): string {
  if (shortened + omitted === 0) return "";
  const notes = [
    ...(shortened > 0 ? [`${shortened} changes are named only`] : []),
    ...(omitted > 0 ? [`${omitted} changes are left out`] : []),
  ];
  const room = limit.toLocaleString("en");
  return `_${notes.join(" and ")}: there is room for ${room} characters. The text and the HTML review of the plan have all changes._`;
}
