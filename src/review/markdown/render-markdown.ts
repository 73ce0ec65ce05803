import type { Diagnostic } from "../../core/diagnostics";
import type { StackPlan } from "../../core/documents/stack-plan";
import { inStacks, shortStackList } from "../exclusions/exclusions-text";
import { countStacks } from "../exclusions/group-exclusions";
import { failureDiagnostics } from "../../formats/text/consolidate";
import { reviewPlans, type Review, type Reviewed } from "../groups/review";
import { isEmptyReview, type StackReview } from "../overview/overview";
import { describeHiddenStacks } from "../protection/severity";
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
import { cutLines, fit, lineBlock } from "./fit";
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
/** The room of the cause of an excluded stack. */
const MOST_CAUSE_CHARACTERS = 200;

/** Names the files without a limit, behind the number of what a list leaves out. */
const OTHERS = "The reviews in HTML and JSON have all.";

/**
 * Renders plans as a comment on a pull request: counts, weakened protection and warnings, and folded
 * changes. A text that exceeds the limit is cut, the least important changes first; its last line
 * says so.
 */
export function renderMarkdown(
  reviewed: Reviewed,
  { limit = COMMENT_BYTES }: MarkdownOptions = {},
): string {
  const review = reviewPlans(reviewed);
  const several = review.rows.length > 1;
  const room = limit / 8;
  // Leaves room for the changes and the last line.
  const opening = [
    headline(review, reviewed.plans),
    excludedStacks(review),
    judged(review, room),
    weakenings(review, several, room),
    running(review, several, room),
    waived(review, room),
    diagnosticsBlock(
      review.warnings.flatMap(({ diagnostic, stacks }) => [
        describe(diagnostic),
        ...(several ? [inStacks(stacks)] : []),
      ]),
      room,
    ),
    summary(review, limit / 4),
  ].filter((part) => part !== "");
  const left = limit - opening.join("\n\n").length - 400;
  const blocks = review.groups.flatMap((one) => changeBlocks(one, several));
  const { texts, shortened, omitted } = fit(blocks, left);
  const parts = [...opening, texts.join("\n"), cutNote(shortened, omitted.length, limit)];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Renders the diagnostics of a run without a plan as a comment on a pull request. */
export function renderFailureMarkdown(
  diagnostics: readonly Diagnostic[],
  { limit = COMMENT_BYTES }: MarkdownOptions = {},
): string {
  const opening =
    "### Planning failed\n\n❌ **Nothing was changed, and nothing can be applied.**\n\n";
  const texts = failureDiagnostics(diagnostics).map(describe);
  return `${opening}${diagnosticsBlock(texts, limit - opening.length - 400)}\n`;
}

function describe(diagnostic: Diagnostic): string {
  return renderDiagnostic(diagnostic, FILE_TEXT).trim();
}

function diagnosticsBlock(texts: readonly string[], room: number): string {
  return texts.length === 0 ? "" : codeBlock(cutLines(texts.join("\n\n"), room), "text");
}

function headline(review: Review, plans: readonly StackPlan[]): string {
  const { groups, counts, weaker, stronger, drift } = review;
  const [{ workspace } = {}] = plans;
  const place = workspace === undefined ? "" : ` in workspace ${inlineCode(workspace)}`;
  const where = plans.length === 1 ? place : ` in ${plans.length} stacks`;
  const isQuiet = groups.every(({ changes, outputs }) => changes.length + outputs.length === 0);
  const title = isQuiet ? `No changes${where}` : `Plan: ${formatCounts(counts)}${where}`;
  const effects = groups.flatMap(({ changes }) =>
    changes.flatMap(({ protection }) => protection ?? []),
  );
  const [first] = effects;
  const shown = effects.find(({ complete }) => !complete) ?? first;
  const same = shown?.complete ? ` ${capitalized(describeSame(shown))}.` : "";
  return [
    `### ${isQuiet && drift !== undefined ? `Drift${place}` : title}`,
    ...(weaker + stronger > 0
      ? [`${weaker > 0 ? "⚠️ " : ""}**Protection: ${formatProtection(weaker, stronger)}.** ${RULE}`]
      : shown
        ? [`**${describeCounts(shown)}.**${same}`]
        : []),
    ...(drift === undefined ? [] : [`**${drift}.** It was changed outside of the stacks.`]),
    ...describeGaps(effects).map((gap) => `⚠️ ${inlineCode(gap)}`),
    ...(review.partial.length > 0 ? ["⚠️ **The plan covers only a part of the stack.**"] : []),
  ].join("\n\n");
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A heading and a line for each reason; empty where no stack was excluded. */
function excludedStacks({ excluded, total }: Review): string {
  if (excluded.length === 0) return "";
  const lines = excluded.map(({ reason, stacks, example }) => {
    const [cause = ""] = example.detail.toString().split("\n");
    const detail = cause === "" ? "" : `. ${inlineCode(shortened(cause, MOST_CAUSE_CHARACTERS))}`;
    return `- ${inlineCode(reason)} (${stacks.length}): ${inlineCode(shortStackList(stacks))}${detail}`;
  });
  return [`❌ **Excluded: ${countStacks(excluded)} of ${total} stacks**`, "", ...lines].join("\n");
}

/** The verdict, where it is not that the plans pass, with its errors and warnings. */
function judged({ verdict }: Review, room: number): string {
  if (!verdict) return "";
  const { outcome, clauses } = verdict;
  const isKept = clauses.length > 0 && clauses.every(({ result }) => result === "met");
  return [
    ...(outcome === "passed" ? [] : [`❌ **${describeVerdict(verdict)}.**`]),
    ...(isKept ? [`All clauses of the contract are met: ${clauses.length}.`] : []),
    diagnosticsBlock(verdictDiagnostics(verdict, { isWhole: true }).map(describe), room),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Lists the changes that weaken protection, the worst first, as far as there is room. */
function weakenings(review: Review, several: boolean, room: number): string {
  const found = [
    ...review.weakenings.map((group) => ({ ...group, mark: "" })),
    ...review.driftedWeakenings.map((group) => ({ ...group, mark: "changed outside: " })),
  ].flatMap(({ effects, ...group }) => effects.map((effect) => ({ ...group, ...effect })));
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
      names: places.flatMap((place) => place.review.stacks),
    };
  });
  const { texts, omitted } = fit(blocks, room);
  const more = omitted.length > 0 ? [`- … and ${describeHiddenStacks(omitted)}. ${OTHERS}`] : [];
  return [...texts, ...more].join("\n");
}

/** Lists texts, each as code behind its place, as far as there is room, and counts those left out. */
function listed(
  lines: readonly { readonly place?: string; readonly text: string }[],
  room: number,
): string {
  const blocks = lines.map(({ place = "", text }, index) =>
    lineBlock(`- ${place}${inlineCode(shortened(text, MOST_TEXT_CHARACTERS))}`, index),
  );
  const { texts, omitted } = fit(blocks, room);
  const more = omitted.length > 0 ? [`- … and ${omitted.length} more. ${OTHERS}`] : [];
  return [...texts, ...more].join("\n");
}

/** Lists who has signed for what the plans weaken. */
function waived({ verdict }: Review, room: number): string {
  const used = verdict?.waivers.filter(({ state }) => state === "used") ?? [];
  const lines = used.map((waiver) => ({ text: describeWaiver(waiver).toString() }));
  return lines.length === 0 ? "" : `**${WAIVED}:**\n\n${listed(lines, room)}`;
}

/** Lists what happens to the containers that run. */
function running({ groups }: Review, several: boolean, room: number): string {
  const lines = groups.flatMap(({ stack, changes }) => {
    const place = several ? `${inlineCode(stack)}: ` : "";
    return changes
      .flatMap(({ protection }) => protection ?? [])
      .flatMap((protection) => describeRunning(protection, { isWhole: true }))
      .map((text) => ({ place, text }));
  });
  return listed(lines, room);
}

/** A table of the stacks with changes or warnings. */
function summary({ groups, rows: stacks }: Review, room: number): string {
  const heading = [
    "| Stack | Console | Import | Add | Change | Destroy | Weaker |",
    "|---|---|--:|--:|--:|--:|--:|",
  ];
  const changing = groups.filter(({ changes, drift, outputs }) =>
    [changes, drift, outputs].some(({ length }) => length > 0),
  );
  const rows = changing.map((review, index) => ({ ...lineBlock(tableRow(review), index), review }));
  const { texts, omitted } = fit(rows, room);
  const quiet = stacks.filter((row) => row.groups.every(isEmptyReview)).length;
  return [
    ...(texts.length > 0 ? [[...heading, ...texts].join("\n")] : []),
    ...(omitted.length > 0 ? [describeHiddenRows(omitted.map(({ review }) => review))] : []),
    ...(quiet > 0 ? [`${quiet} of ${stacks.length} stacks: no changes.`] : []),
  ].join("\n\n");
}

/** `3 more groups, 61 stacks, none weaker.` */
function describeHiddenRows(hidden: readonly StackReview[]): string {
  const stacks = countStacks(hidden);
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
