import type { Diagnostic } from "../../provider/diagnostics";
import { sumCounts, type ResourceChange, type StackPlan } from "../../runtime/documents/stack-plan";
import type { ExcludedStack } from "../../runtime/documents/excluded-stack";
import { exclusionsMarkdown } from "../exclusions/exclusions-markdown";
import { groupExclusions } from "../exclusions/group-exclusions";
import { describeWeakeningCount } from "../entries/entry-text";
import { renderEntries } from "../entries/entries-text";
import { failureDiagnostics } from "../grouping";
import {
  changeWord,
  groupDiagnostics,
  groupWeakenings,
  inStacks,
  isEmptyReview,
  reviewStack,
  sumWeakening,
  type ReviewedChange,
  type StackReview,
} from "../overview";
import { formatCounts } from "../text/counts";
import { renderDiagnostic } from "../text/diagnostic-text";
import { renderDrift, renderResourceChange } from "../text/resource-text";
import { codeBlock, inlineCode } from "./code";
import { shortened } from "../text/shortened";
import { FILE_TEXT } from "../text/style";

interface MarkdownOptions {
  /** The maximum number of characters. Default: the limit of a comment on GitHub. */
  readonly limit?: number;
}

interface PlanMarkdownOptions extends MarkdownOptions {
  /** Stacks that could not be planned. */
  readonly excluded?: readonly ExcludedStack[];
}

const COMMENT_OF_GITHUB = 65_536;
/** More weakenings are listed with the changes only. */
const MOST_WEAKENINGS = 25;
/** Longer names and values are cut, so that they leave room for the rest. */
const LONGEST_WORDS = 300;
const LONGEST_LINE = 2000;

/**
 * Renders plans as a comment on a pull request: counts, weakened protection and warnings, and folded
 * changes. A text that exceeds the limit is cut, the least important changes first; its last line
 * says so.
 */
export function renderMarkdown(
  plans: readonly StackPlan[],
  { limit = COMMENT_OF_GITHUB, excluded = [] }: PlanMarkdownOptions = {},
): string {
  const reviews = plans.map(reviewStack);
  const several = reviews.length > 1;
  const eventful = reviews.filter((review) => !isEmptyReview(review));
  // Leaves room for the changes and the last line.
  const opening = [
    headline(reviews),
    exclusionsMarkdown(groupExclusions(excluded), plans.length + excluded.length),
    weakenings(eventful, limit / 8),
    warnings(eventful, several, limit / 8),
    summary(reviews, eventful, limit / 4),
  ].filter((part) => part !== "");
  const room = limit - opening.join("\n\n").length - 400;
  const blocks = eventful.flatMap((review) => blocksOf(review, several));
  const { texts, shortened, omitted } = fit(blocks, room);
  const parts = [...opening, texts.join("\n"), cutNote(shortened, omitted, limit)];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** Renders the diagnostics of a run without a plan as a comment on a pull request. */
export function renderFailureMarkdown(
  diagnostics: readonly Diagnostic[],
  { limit = COMMENT_OF_GITHUB }: MarkdownOptions = {},
): string {
  const text = failureDiagnostics(diagnostics)
    .map((diagnostic) => renderDiagnostic(diagnostic, FILE_TEXT).trim())
    .join("\n\n");
  const opening =
    "### Planning failed\n\n❌ **Nothing was changed, and nothing can be applied.**\n\n";
  return `${opening}${codeBlock(cutLines(text, limit - opening.length - 400), "text")}\n`;
}

function headline(reviews: readonly StackReview[]): string {
  const counts = sumCounts(reviews.map((review) => review.counts));
  const [{ workspace } = {}] = reviews;
  const place = workspace === undefined ? "" : ` in workspace ${inlineCode(workspace)}`;
  const where = reviews.length === 1 ? place : ` in ${reviews.length} stacks`;
  const weakening = sumWeakening(reviews);
  const isQuiet = reviews.every(({ changes, outputs }) => changes.length + outputs.length === 0);
  const drifted = reviews.reduce((sum, { drift }) => sum + drift.length, 0);
  const outside = drifted === 1 ? "1 object was" : `${drifted} objects were`;
  return [
    isQuiet ? `### No changes${where}` : `### Plan: ${formatCounts(counts)}${where}`,
    ...(drifted > 0 ? [`${outside} changed outside of Terraform.`] : []),
    ...(weakening > 0 ? [`⚠️ **${describeWeakeningCount(weakening)}**`] : []),
    ...(reviews.every(({ complete }) => complete)
      ? []
      : ["⚠️ **The plan covers only a part of the stack.**"]),
  ].join("\n\n");
}

/** Lists the changes that weaken protection, as far as there is room. */
function weakenings(reviews: readonly StackReview[], room: number): string {
  const blocks = groupWeakenings(reviews).map(({ address, text, places }, index) => {
    const [first = "", ...others] = places.map(({ review }) => inlineCode(review.stack));
    const stacks = others.length === 0 ? first : `${first} and ${others.length} more stacks`;
    const where = reviews.length === 1 ? "" : ` in ${stacks}`;
    const line = `- ${inlineCode(address)}${where}: ${inlineCode(shortened(text, LONGEST_WORDS))}`;
    return lineBlock(line, index);
  });
  const { texts } = fit(blocks.slice(0, MOST_WEAKENINGS), room);
  const missing = blocks.length - texts.length;
  return [...texts, ...(missing > 0 ? [`- … and ${missing} more`] : [])].join("\n");
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
  reviews: readonly StackReview[],
  eventful: readonly StackReview[],
  room: number,
): string {
  const heading = [
    "| Stack | Console | Import | Add | Change | Destroy | Weakens |",
    "|---|---|--:|--:|--:|--:|--:|",
  ];
  const rows = eventful.map((review) => lineBlock(tableRow(review), -review.weakening));
  const { texts, omitted } = fit(rows, room);
  const quiet = reviews.length - eventful.length;
  const notes = [
    ...(omitted > 0 ? [`${omitted} more stacks with changes are not in this table.`] : []),
    ...(quiet > 0 ? [`${quiet} of ${reviews.length} stacks: no changes.`] : []),
  ];
  const table = texts.length > 0 ? [[...heading, ...texts].join("\n")] : [];
  return [...table, ...notes].join("\n\n");
}

function tableRow({ stack, endpoints, counts, weakening }: StackReview): string {
  const consoles = endpoints.map(inlineCode).join("<br>") || "–";
  const numbers = [counts.import, counts.add, counts.change, counts.destroy];
  const cells = [inlineCode(stack), consoles, ...numbers, weakening > 0 ? `⚠️ ${weakening}` : 0];
  return `| ${cells.join(" | ")} |`;
}

/** The rank of a change by its action; 0 is for changes that weaken protection. */
const RANKS = {
  destroy: 1,
  replace: 1,
  update: 2,
  create: 3,
  forget: 3,
  import: 4,
  move: 4,
  read: 5,
} as const;

function blocksOf(review: StackReview, several: boolean): readonly Block[] {
  const prefix = several ? `${inlineCode(review.stack)} ` : "";
  return [
    ...review.changes.map((reviewed) => changeBlock(reviewed, prefix)),
    ...(review.outputs.length > 0
      ? [folded(`${prefix}changes to outputs`, review.outputs.join("\n"), RANKS.update)]
      : []),
    ...review.drift.map(({ change }) => driftBlock(change, prefix)),
  ];
}

function changeBlock({ change, weakening }: ReviewedChange, prefix: string): Block {
  const word = changeWord(change);
  const marked = weakening > 0 ? `: ⚠️ <b>${describeWeakeningCount(weakening)}</b>` : "";
  const body = [...renderEntries(change, FILE_TEXT), renderResourceChange(change, FILE_TEXT.style)];
  return folded(
    `${prefix}${inlineCode(change.address)} ${word}${marked}`,
    body.join("\n\n"),
    weakening > 0 ? 0 : RANKS[word],
  );
}

function driftBlock(change: ResourceChange, prefix: string): Block {
  return folded(
    `${prefix}${inlineCode(change.address)} changed outside of Terraform`,
    [...renderEntries(change, FILE_TEXT), renderDrift(change, FILE_TEXT.style)].join("\n\n"),
    RANKS.import,
  );
}

/** A shorter rest of a body is left out. */
const LEAST_BODY = 200;

function folded(title: string, text: string, rank: number): Block {
  const lines = text.split("\n").map((line) => shortened(symbolFirst(line), LONGEST_LINE));
  const diff = lines.join("\n");
  const enclose = (body: string) =>
    `<details><summary>${title}</summary>\n\n${codeBlock(body, "diff")}\n\n</details>`;
  const frame = enclose(diff).length - diff.length;
  return {
    line: `<p>${title}</p>`,
    full(room) {
      const left = room - frame;
      if (left < Math.min(LEAST_BODY, diff.length)) return undefined;
      return enclose(cutLines(diff, left));
    },
    rank,
  };
}

/** Highlighters of diffs look for the symbol in the first column, and use `!` for a change. */
function symbolFirst(line: string): string {
  const match = /^( *)(-\/\+|\+\/-|[-+~])( .*)$/.exec(line);
  if (!match) return line;
  const [, margin = "", symbol = "", rest = ""] = match;
  return `${symbol === "~" ? "!" : symbol}${margin}${rest}`;
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

/** A text with a full form and a form of one line. */
interface Block {
  readonly line: string;
  /** The full form, of at most `room` characters; undefined where too little would be left. */
  full(room: number): string | undefined;
  /** The lowest ranks have priority. */
  readonly rank: number;
}

/** A block of one line only. */
function lineBlock(line: string, rank: number): Block {
  return { line, full: () => line, rank };
}

interface Fitted {
  /** In the order of the blocks. */
  readonly texts: readonly string[];
  /** The numbers of blocks in the form of one line, and of blocks that are left out. */
  readonly shortened: number;
  readonly omitted: number;
}

/**
 * Fits blocks in `room` characters, including line breaks between them: first the line of every
 * block, in at most half of the room, then the full form of the blocks with the lowest ranks.
 */
function fit(blocks: readonly Block[], room: number): Fitted {
  const ranked = [...blocks].sort((a, b) => a.rank - b.rank);
  const texts = new Map<Block, string>();
  let left = room;
  for (const block of ranked) {
    const length = block.line.length + 1;
    if (left - length < room / 2) continue;
    texts.set(block, block.line);
    left -= length;
  }
  let shortened = 0;
  for (const block of ranked) {
    const line = texts.get(block);
    if (line === undefined) continue;
    const full = block.full(left + line.length);
    if (full === undefined) {
      shortened += 1;
      continue;
    }
    texts.set(block, full);
    left -= full.length - line.length;
  }
  return {
    texts: blocks.flatMap((block) => texts.get(block) ?? []),
    shortened,
    omitted: blocks.length - texts.size,
  };
}

/** Cuts a text to the lines that have room, with a last line that counts the missing ones. */
function cutLines(text: string, room: number): string {
  if (text.length <= room) return text;
  const lines = text.split("\n");
  const note = (missing: number) => `… ${missing} more ${missing === 1 ? "line" : "lines"}`;
  let length = note(lines.length).length;
  let kept = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > room) break;
    kept += 1;
  }
  return [...lines.slice(0, kept), note(lines.length - kept)].join("\n");
}
