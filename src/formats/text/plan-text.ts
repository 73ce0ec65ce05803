import {
  countChanges,
  isShown,
  type Action,
  type OutputChange,
  type PlanMode,
  type ResourceChange,
  type StackPlan,
} from "../../core/documents/stack-plan";
import { NOT_ROLLED_BACK } from "../../core/documents/run-record";
import { compareUntyped } from "../difference/compare";
import { attributeName, rendered, type Printable, type Printed } from "../../core/printed";
import { formatCounts } from "./counts";
import { renderDifference } from "./difference-text";
import { renderRelevantDrift } from "./drift-text";
import { inWordingOf } from "./program-name";
import { actionSymbol, renderResourceChange, type ChangeSections } from "./resource-text";
import { symbol, type RenderOptions } from "./render-options";
import type { Style, TextOptions } from "./style";
import { wrapParagraph } from "./word-wrap";

/** In the order of Terraform's legend. */
const LEGEND: readonly (readonly [Action, string])[] = [
  ["create", "create"],
  ["update", "update in-place"],
  ["delete", "destroy"],
  ["delete-then-create", "destroy and then create replacement"],
  ["create-then-delete", "create replacement and then destroy"],
  ["read", "read (data resources)"],
];

/** Sections that a review adds to the text of a plan. Without them the text is Terraform's. */
export interface PlanSections extends ChangeSections {
  /** Paragraphs in front of everything else. */
  readonly opening?: readonly Printed[];
  /** A sentence behind the counts, without a full stop. */
  readonly closing?: string | undefined;
  /** Paragraphs above the changes. Default: the drift that Terraform shows. */
  readonly drift?: readonly Printed[];
}

/**
 * Renders a plan: with `attributes` in the wording and layout of Terraform 1.11, which tools
 * (Atlantis, tfcmt) parse; otherwise in a short form, which does not name Terraform. The text begins
 * with an empty line and ends with a line break.
 */
export function renderPlan(
  plan: StackPlan,
  options: TextOptions,
  review: PlanSections = {},
): Printable {
  const { style } = options;
  const { closing } = review;
  const changes = plan.changes.filter(isShown);
  const outputs = renderOutputChanges(plan.outputs, style);
  const sections = (review.drift ?? renderRelevantDrift(plan, options)).map(String);
  if (changes.length === 0 && outputs.length === 0) {
    const showsDrift = plan.mode === "refresh-only" || !options.attributes;
    return paragraphs(showsDrift && sections.length > 0 ? sections : noChanges(plan, options));
  }
  if (sections.length > 0) sections.push(options.style.dim("─".repeat(options.width - 1)));
  sections.unshift(...(review.opening ?? []).map(String));
  if (changes.length > 0) {
    sections.push(
      ...(options.attributes ? legend(changes, options) : []),
      inWordingOf(options, "Terraform will perform the following actions:"),
      ...renderResourceChanges(changes, options, review),
      ...changes.flatMap((change) => review.after?.(change).map(String) ?? []),
      `${style.bold("Plan:")} ${formatCounts(countChanges(plan))}.${closing === undefined ? "" : ` ${closing}.`}`,
    );
  }
  if (outputs.length > 0) sections.push(["Changes to Outputs:", ...outputs].join("\n"));
  if (outputs.length > 0 && changes.every(({ action }) => action === "no-op")) {
    sections.push(wrapParagraph(inWordingOf(options, SAVES_OUTPUTS), options));
  }
  return paragraphs(sections);
}

/** Renders changes in their order; those without their objects are one paragraph, behind the others. */
function renderResourceChanges(
  changes: readonly ResourceChange[],
  options: TextOptions,
  review: PlanSections,
): string[] {
  const [named = [], shown = []] = [true, false].map((isNamed) =>
    changes.filter((change) => (review.instead?.(change) !== undefined) === isNamed),
  );
  const render = (change: ResourceChange) => renderResourceChange(change, options, review);
  return [...shown.map(render), ...(named.length > 0 ? [named.map(render).join("\n")] : [])];
}

/** Empty where objects are only moved or imported. A forgotten object has no symbol. */
function legend(changes: readonly ResourceChange[], options: TextOptions): string[] {
  const symbols = LEGEND.filter(([action]) => changes.some((change) => change.action === action));
  if (changes.every(({ action }) => action === "no-op")) return [];
  const introduction = wrapParagraph(
    "Terraform used the selected providers to generate the following execution plan. " +
      "Resource actions are indicated with the following symbols:",
    options,
  );
  const lines = symbols.map(
    ([action, meaning]) => `${actionSymbol(action, options.style)} ${meaning}`,
  );
  return [[introduction, ...lines].join("\n")];
}

const SAVES_OUTPUTS =
  "You can apply this plan to save these new output values to the Terraform state, without " +
  "changing any real infrastructure.";

const NO_CHANGES: Readonly<Record<PlanMode, readonly [headline: string, explanation: string]>> = {
  normal: [
    "Your infrastructure matches the configuration.",
    "Terraform has compared your real infrastructure against your configuration and found no " +
      "differences, so no changes are needed.",
  ],
  destroy: [
    "No objects need to be destroyed.",
    "Either you have not created any objects yet or the existing objects were already deleted " +
      "outside of Terraform.",
  ],
  "refresh-only": [
    "Your infrastructure still matches the configuration.",
    "Terraform has checked that the real remote objects still match the result of your most " +
      "recent changes, and found no differences.",
  ],
  rollback: [
    "There is nothing to roll back.",
    "The objects of the state and the consoles are as they were before the run.",
  ],
};

/** A rollback without changes, of a run that has changed what cannot be rolled back. */
const ALL_STAYS = [
  "Nothing of the run can be rolled back.",
  "The run has changed objects that a rollback leaves as they are. The warning names them.",
] as const;

function noChanges({ mode, diagnostics }: StackPlan, options: TextOptions): string[] {
  const { bold, green } = options.style;
  const stays = diagnostics.some(({ summary }) => summary === NOT_ROLLED_BACK);
  const [headline, explanation] = stays ? ALL_STAYS : NO_CHANGES[mode];
  return [
    `${bold(green("No changes."))} ${bold(headline)}`,
    wrapParagraph(inWordingOf(options, explanation), options),
  ];
}

/** Renders a line for each output that changes. */
export function renderOutputChanges(outputs: readonly OutputChange[], style: Style): string[] {
  const width = Math.max(0, ...outputs.map(({ name }) => attributeName(name).length));
  const options: RenderOptions = { style, symbols: true, unchanged: false, nullSuffix: true };
  return outputs.flatMap(({ name, before, after, sensitive }) => {
    const compared = compareUntyped(before ?? undefined, after ?? undefined, sensitive);
    if (compared.effect === "none") return [];
    const value = renderDifference(compared, 0, options);
    return [`${symbol(compared.effect, options)}${attributeName(name).padEnd(width)} = ${value}`];
  });
}

function paragraphs(sections: readonly string[]): Printable {
  return rendered(sections.map((section) => `\n${section}\n`).join(""));
}
