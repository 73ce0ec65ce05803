import {
  countChanges,
  isShown,
  type Action,
  type OutputChange,
  type PlanMode,
  type ResourceChange,
  type StackPlan,
} from "../../runtime/documents/stack-plan";
import { compareUntyped } from "../difference/compare";
import { renderEntries } from "../entries/entries-text";
import { renderProtection } from "../protection/render-protection";
import { countWeaker, reviewDrift, reviewProtection } from "../protection/review-protection";
import { attributeName } from "./quote";
import { formatCounts } from "./counts";
import { renderDifference } from "./difference-text";
import { actionSymbol, compareChange, renderDrift, renderResourceChange } from "./resource-text";
import { symbol, type RenderOptions } from "./render-options";
import type { Style, TextOptions } from "./style";
import { wordWrap } from "./word-wrap";
import {
  isListValue,
  isObjectValue,
  memberOf,
  type ObjectValue,
  type Value,
} from "../../provider/values";
import { PathTree } from "../difference/path-tree";

/** In the order of Terraform's legend. */
const LEGEND: readonly (readonly [Action, string])[] = [
  ["create", "create"],
  ["update", "update in-place"],
  ["delete", "destroy"],
  ["delete-then-create", "destroy and then create replacement"],
  ["create-then-delete", "create replacement and then destroy"],
  ["read", "read (data resources)"],
];

/**
 * Renders a plan in the wording and layout of Terraform 1.11, which tools (Atlantis, tfcmt) parse.
 * The text begins with an empty line and ends with a line break.
 */
export function renderPlan(plan: StackPlan, options: TextOptions): string {
  const { style } = options;
  const effects = reviewProtection(plan);
  const isWeaker = (change: ResourceChange) =>
    !options.attributes && countWeaker(effects.get(change)) > 0;
  const shown = plan.changes.filter(isShown);
  const changes = [...shown.filter(isWeaker), ...shown.filter((change) => !isWeaker(change))];
  const outputs = renderOutputChanges(plan.outputs, style);
  const sections = drift(plan, options);
  if (changes.length === 0 && outputs.length === 0) {
    const showsDrift = plan.mode === "refresh-only" && sections.length > 0;
    return paragraphs(showsDrift ? sections : noChanges(plan, options));
  }
  if (sections.length > 0) sections.push(options.style.dim("─".repeat(options.width - 1)));
  if (changes.length > 0) {
    sections.push(
      ...legend(changes, options),
      "Terraform will perform the following actions:",
      ...changes.map((change) =>
        renderResourceChange(change, options, renderProtection(effects.get(change), options)),
      ),
      ...(options.attributes ? changes.flatMap((change) => renderEntries(change, options)) : []),
      `${style.bold("Plan:")} ${formatCounts(countChanges(plan))}.`,
    );
  }
  if (outputs.length > 0) sections.push(["Changes to Outputs:", ...outputs].join("\n"));
  if (outputs.length > 0 && changes.every(({ action }) => action === "no-op")) {
    sections.push(
      wrap(
        "You can apply this plan to save these new output values to the Terraform state, " +
          "without changing any real infrastructure.",
        options,
      ),
    );
  }
  return paragraphs(sections);
}

/** Empty where objects are only moved or imported. A forgotten object has no symbol. */
function legend(changes: readonly ResourceChange[], options: TextOptions): string[] {
  const symbols = LEGEND.filter(([action]) => changes.some((change) => change.action === action));
  if (changes.every(({ action }) => action === "no-op")) return [];
  const introduction = wrap(
    "Terraform used the selected providers to generate the following execution plan. " +
      "Resource actions are indicated with the following symbols:",
    options,
  );
  const lines = symbols.map(
    ([action, meaning]) => `${actionSymbol(action, options.style)} ${meaning}`,
  );
  return [[introduction, ...lines].join("\n")];
}

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
};

function noChanges({ mode }: StackPlan, options: TextOptions): string[] {
  const { bold, green } = options.style;
  const [headline, explanation] = NO_CHANGES[mode];
  return [`${bold(green("No changes."))} ${bold(headline)}`, wrap(explanation, options)];
}

const RECORDED_ONLY =
  "This is a refresh-only plan, so Terraform will not take any actions to undo these. If you were " +
  "expecting these changes then you can apply this plan to record the updated values in the " +
  "Terraform state without changing any remote objects.";

const RESPONDED_TO =
  "Unless you have made equivalent changes to your configuration, or ignored the relevant " +
  "attributes using ignore_changes, the following plan may include actions to undo or respond to " +
  "these changes.";

/** Empty where nothing was changed outside. */
function drift(plan: StackPlan, options: TextOptions): string[] {
  const { style } = options;
  const refreshOnly = plan.mode === "refresh-only";
  const drifted = relevantDrift(plan).filter(
    (change) =>
      compareChange(change).effect !== "none" ||
      (refreshOnly && change.previousAddress !== undefined),
  );
  if (drifted.length === 0) return [];
  return [
    `${style.bold(style.cyan("Note:"))} ${style.bold("Objects have changed outside of Terraform")}`,
    wrap(
      "Terraform detected the following changes made outside of Terraform since the last " +
        '"terraform apply" which may have affected this plan:',
      options,
    ),
    ...drifted.map((change) =>
      renderDrift(change, options, renderProtection(reviewDrift(change), options)),
    ),
    ...(options.attributes ? drifted.flatMap((change) => renderEntries(change, options)) : []),
    "\n" + wrap(refreshOnly ? RECORDED_ONLY : RESPONDED_TO, options),
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

/** Terraform keeps the last column free. */
function wrap(text: string, { width }: TextOptions): string {
  return wordWrap(text, width - 1);
}

function paragraphs(sections: readonly string[]): string {
  return sections.map((section) => `\n${section}\n`).join("");
}

/**
 * The drift that Terraform shows with a plan: for each object the attributes that contributed to a
 * change; all drift in a refresh-only plan.
 */
function relevantDrift(plan: StackPlan): readonly ResourceChange[] {
  if (plan.mode === "refresh-only") return plan.drift;
  return plan.drift.flatMap((change) => {
    const paths = plan.relevantAttributes
      .filter(({ resource }) => resource === change.address)
      .map(({ attribute }) => attribute);
    if (paths.length === 0) return [];
    const { before, after } = change;
    if (before === null || after === null) return [change];
    return [{ ...change, after: changedAt(new PathTree(paths), before, after) as ObjectValue }];
  });
}

/** `before` with the values of `after` at these paths; undefined for a value that is absent. */
function changedAt(
  paths: PathTree,
  before: Value | undefined,
  after: Value | undefined,
): Value | undefined {
  if (paths.isEmpty) return before;
  if (paths.here) return after;
  if (isObjectValue(before) && isObjectValue(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return Object.fromEntries(
      keys.flatMap((key) => {
        const value = changedAt(paths.at(key), memberOf(before, key), memberOf(after, key));
        return value === undefined ? [] : [[key, value]];
      }),
    );
  }
  if (isListValue(before) && isListValue(after) && before.length === after.length) {
    return before.map(
      (element, index) => changedAt(paths.at(index), element, after[index]) ?? null,
    );
  }
  return after;
}
