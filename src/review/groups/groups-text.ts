import { shortStackList } from "../exclusions/exclusions-text";
import { renderChanges, renderEffects, renderReviewedPlan } from "../text/reviewed-plan";
import { joined, printable, Printed, printed } from "../../core/printed";
import type { StackPlan } from "../../core/documents/stack-plan";
import type { TextOptions } from "../../formats/text/style";
import { wrappedLines } from "../../formats/text/word-wrap";
import type { GroupedPlans } from "./group-plans";
import type { PlanGroup } from "./plan-group";

/** Names in the heading of a group. */
const NAMED_STACKS = 5;

/**
 * Renders plans by groups, one after the other: thousands that differ have a long text. Each begins
 * with the names of its stacks. Diagnostics are not included.
 *
 * @param total The number of stacks.
 */
export function* renderGroups(
  { groups, unchanged }: GroupedPlans,
  total: number,
  options: TextOptions,
): Generator<Printed> {
  for (const group of groups) {
    if (!hasText(group.plan) && group.ownOutputs.length === 0) continue;
    yield printed`${renderHeading(group.stacks, total, options)}${renderGroup(group, options)}`;
  }
  if (unchanged.length > 0) yield renderUnchanged(unchanged, total, options);
}

/** Renders the names of the stacks of a group. */
export function renderHeading(
  stacks: readonly string[],
  total: number,
  options: TextOptions,
): Printed {
  return printed`\n${options.style.bold(paragraph(stacksTitle(stacks, total), options))}\n`;
}

function renderGroup(group: PlanGroup, whole: TextOptions): Printed {
  const { plan, variants, stacks } = group;
  const options = { ...whole, brief: stacks.length > 1 && !whole.attributes };
  if (variants.length > 0) return renderVariants(plan, variants, options);
  const text = hasText(plan) ? Printed.of(renderReviewedPlan(plan, options)) : "";
  return printed`${text}${renderOwnOutputs(group, options)}`;
}

/** Variants with a text. */
const SHOWN_VARIANTS = 10;

/** The effect on protection once, then the changes that have it. */
function renderVariants(
  plan: StackPlan,
  variants: readonly PlanGroup[],
  options: TextOptions,
): Printed {
  const texts = variants.slice(0, SHOWN_VARIANTS).map((variant) => {
    const stacks = shortStackList(variant.stacks, NAMED_STACKS);
    const text = Printed.of(renderChanges(variant.plan, options));
    return printed`\n${options.style.bold(paragraph(`In ${stacks}:`, options))}\n${text}`;
  });
  const effects = renderEffects(plan, options).map((effect) => printed`\n${effect}\n`);
  const hidden = variants.length - texts.length;
  const more =
    hidden > 0
      ? printed`\n${paragraph(`And ${hidden} more changes with this effect. Use --expand to see them.`, options)}\n`
      : printed``;
  return joined([...effects, ...texts, more], "");
}

function paragraph(text: string, { width }: TextOptions): Printed {
  return joined(wrappedLines(text, width - 1), "\n");
}

function hasText({ changes, drift, outputs }: PlanGroup["plan"]): boolean {
  return changes.length + drift.length + outputs.length > 0;
}

/** `Stack a`, or `412 of 1000 stacks: a, b and 410 more`; the workspace of all of them stands once. */
export function stacksTitle(stacks: readonly string[], total: number): string {
  const [first = ""] = stacks;
  if (stacks.length === 1) return `Stack ${printable(first)}`;
  const [workspace = ""] = / \(workspace [^()]+\)$/.exec(first) ?? [];
  const isShared = stacks.every((title) => title.endsWith(workspace));
  const names = stacks.map((title) =>
    isShared ? title.slice(0, title.length - workspace.length) : title,
  );
  const count = stacks.length === total ? `All ${total}` : `${stacks.length} of ${total}`;
  return `${count} stacks${isShared ? printable(workspace) : ""}: ${shortStackList(names, NAMED_STACKS)}`;
}

function renderOwnOutputs({ ownOutputs }: PlanGroup, options: TextOptions): Printed {
  if (ownOutputs.length === 0) return printed``;
  const names = ownOutputs.map(printable).join(", ");
  const text = `Outputs that change to another value in each stack: ${names}. Use --expand to see them.`;
  return printed`\n${paragraph(text, options)}\n`;
}

/** Names the stacks without changes. */
function renderUnchanged(
  unchanged: readonly string[],
  total: number,
  options: TextOptions,
): Printed {
  const { bold, green } = options.style;
  const [first = ""] = unchanged;
  const title =
    unchanged.length === 1
      ? `1 of ${total} stacks: ${printable(first)}`
      : stacksTitle(unchanged, total);
  const text = paragraph(title, options);
  return printed`\n${bold(green(printed`No changes.`))} ${bold(printed`Your infrastructure matches the configuration.`)}\n${text}\n`;
}
