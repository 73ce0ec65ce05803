import { renderDrift, renderResourceChange } from "../../formats/text/resource-text";
import { diffLines, type DiffLine } from "../../formats/text/diff-lines";
import { MARKED_TEXT } from "../../formats/text/style";
import { shortened } from "../entries/shortened";
import { shortStackList } from "../exclusions/exclusions-text";
import { changeWord, type ReviewedChange, type StackReview } from "../overview/overview";
import { describeCounts } from "../protection/protection-text";
import { NOT_WEAKER, worstOf } from "../protection/severity";
import { renderProtection } from "../protection/render-protection";
import { reviewSections } from "../text/review-sections";
import { codeBlock, inlineCode } from "./code";
import { cutLines, type TextBlock } from "./fit";

/** Longer lines are cut, so that they leave room for the rest. */
const MOST_LINE_CHARACTERS = 2000;

/** The rank of a change by its action; those that weaken protection come first, the worst first. */
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

/** Renders each change of a stack as a folded block. */
export function changeBlocks(review: StackReview, several: boolean): readonly TextBlock[] {
  const prefix = several ? `${inlineCode(review.stack)} ` : "";
  return [
    ...review.changes.map((reviewed) => changeBlock(reviewed, prefix, false)),
    ...(review.outputs.length > 0
      ? [folded(`${prefix}changes to outputs`, review.outputs.join("\n"), RANKS.update)]
      : []),
    ...review.drift.map((reviewed) => changeBlock(reviewed, prefix, true)),
  ];
}

/** The body has the effect on protection in front. */
const SHORT = reviewSections(MARKED_TEXT, () => undefined);

function changeBlock(reviewed: ReviewedChange, prefix: string, isDrift: boolean): TextBlock {
  const { change, stacks, protection, isWeaker } = reviewed;
  const word = changeWord(change);
  const whose = stacks ? `${inlineCode(shortStackList(stacks))} ` : prefix;
  const mark = protection && isWeaker ? `: ⚠️ <b>${describeCounts(protection)}</b>` : "";
  const text = isDrift
    ? renderDrift(change, MARKED_TEXT, SHORT).toString()
    : renderResourceChange(change, MARKED_TEXT, SHORT);
  const effects = renderProtection(protection, MARKED_TEXT).map(String).join("\n");
  const severity = worstOf(protection ? [protection] : []);
  return folded(
    `${whose}${inlineCode(change.address)} ${isDrift ? "changed outside of the stacks" : word}${mark}`,
    [effects, text].filter((part) => part !== "").join("\n\n"),
    severity < NOT_WEAKER ? severity / NOT_WEAKER : isDrift ? RANKS.import : RANKS[word],
  );
}

/** A shorter rest of a body is left out. */
const LEAST_BODY_CHARACTERS = 200;

function folded(title: string, text: string, rank: number): TextBlock {
  const diff = diffLines(text)
    .map((line) => shortened(symbolFirst(line), MOST_LINE_CHARACTERS))
    .join("\n");
  const enclose = (body: string) =>
    `<details><summary>${title}</summary>\n\n${codeBlock(body, "diff")}\n\n</details>`;
  const frame = enclose(diff).length - diff.length;
  return {
    line: `<p>${title}</p>`,
    full(room) {
      const left = room - frame;
      if (left < Math.min(LEAST_BODY_CHARACTERS, diff.length)) return undefined;
      return enclose(cutLines(diff, left));
    },
    rank,
  };
}

/** Highlighters of diffs look for the symbol in the first column, and use `!` for a change. */
function symbolFirst({ kind, margin, symbol, rest }: DiffLine): string {
  if (kind === "plain" || kind === "comment") return `${margin}${symbol}${rest}`;
  return `${kind === "changed" ? "!" : symbol}${margin}${rest}`;
}
