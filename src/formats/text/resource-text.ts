import type { Action, ActionReason, ResourceChange } from "../../core/documents/stack-plan";
import { compareResource } from "../difference/compare";
import type { Difference } from "../difference/difference";
import { PathTree } from "../difference/path-tree";
import { inWordingOf } from "./program-name";
import { joined, printable, Printed, printed, quote, rendered } from "../../core/printed";
import { renderDifference } from "./difference-text";
import type { Style, TextOptions } from "./style";

/** Sections that a review adds to the text of a change. Without them the text is Terraform's. */
export interface ChangeSections {
  /** Lines between the comment and the object. */
  readonly before?: (change: ResourceChange) => readonly Printed[];
  /** Lines in place of the object; undefined where it is shown. */
  readonly instead?: (change: ResourceChange) => readonly Printed[] | undefined;
  /** Returns the comparison of the object as it is shown. */
  readonly within?: (whole: Difference, change: ResourceChange) => Difference;
  /** Paragraphs after all objects. */
  readonly after?: (change: ResourceChange) => readonly Printed[];
}

/** Renders a resource's change as Terraform does: a comment and the attributes. */
export function renderResourceChange(
  change: ResourceChange,
  options: TextOptions,
  sections: ChangeSections = {},
): string {
  const before = sections.before?.(change).map(String) ?? [];
  const shown = sections.instead?.(change)?.map(String) ?? [body(change, options, sections)];
  return [...comment(change, options), ...before, ...shown].join("\n");
}

/** Renders a change that was made outside. */
export function renderDrift(
  change: ResourceChange,
  options: TextOptions,
  sections: ChangeSections = {},
): Printed {
  if (change.action === "no-op")
    return Printed.of(rendered(renderResourceChange(change, options, sections)));
  const action = change.after === null ? "delete" : "update";
  const changed = Printed.of(rendered(body({ ...change, action }, options, sections)));
  return joined(
    [driftHeading(change, options), ...(sections.before?.(change) ?? []), changed],
    "\n",
  );
}

/** `# cwp_license.license has changed` */
export function driftHeading(change: ResourceChange, { style }: TextOptions): Printed {
  const verb = change.after === null ? "has been deleted" : "has changed";
  return printed`  ${style.bold(printed`# ${displayAddress(change)}`)} ${verb}`;
}

export function compareChange(change: ResourceChange): Difference {
  // A forgotten object stays unchanged.
  const forgotten = change.action === "forget";
  return compareResource(change.attributes, {
    before: change.before ?? undefined,
    after: (forgotten ? change.before : change.after) ?? undefined,
    beforeSensitive: new PathTree(change.beforeSensitive),
    afterSensitive: new PathTree(forgotten ? change.beforeSensitive : change.afterSensitive),
    replace: new PathTree(change.replacePaths),
  });
}

function body(
  change: ResourceChange,
  { style }: TextOptions,
  { within = (whole) => whole }: ChangeSections,
): string {
  const keyword = change.mode === "managed" ? "resource" : "data";
  const value = renderDifference(within(compareChange(change), change), 0, {
    style,
    symbols: true,
    // An imported object is shown in full.
    unchanged: change.importing !== undefined,
    nullSuffix: false,
  });
  const mark = actionSymbol(change.action, style);
  return `${mark} ${keyword} ${quote(change.type)} ${quote(change.name)} ${value}`;
}

/** `# cwp_license.license will be created`, with the reason where it is not obvious. */
function comment(change: ResourceChange, options: TextOptions): string[] {
  const { style } = options;
  const { action, previousAddress, importing } = change;
  const moved = previousAddress === undefined ? undefined : printable(previousAddress);
  const address = style.bold(`# ${displayAddress(change)}`);
  if (action === "no-op" && moved !== undefined) {
    const to = style.bold(displayAddress(change));
    return [`  ${style.bold(`# ${moved}`)} has moved to ${to}`, ...importNotes(change, style)];
  }
  if (action === "no-op" && importing) return [`  ${address} will be imported`];
  if (action === "forget") {
    return [
      ` ${address} ${announcement(change, options)}`,
      ` ${style.comment("# (destroy = false is set in the configuration)")}`,
      ...(moved === undefined ? [] : [`  ${style.comment(`# (moved from ${moved})`)}`]),
    ];
  }
  return [
    `  ${address} ${announcement(change, options)}`,
    ...reasons(change).map((reason) => `  ${style.comment(`# (${reason})`)}`),
    ...importNotes(change, style),
  ];
}

function importNotes({ action, importing }: ResourceChange, style: Style): string[] {
  if (!importing) return [];
  const destroys = action === "delete-then-create" || action === "create-then-delete";
  return [
    `  ${style.comment(`# (imported from "${printable(importing.id)}")`)}`,
    ...(destroys
      ? [
          `  ${style.comment("# ")}${style.yellow("Warning: this will destroy the imported resource")}`,
        ]
      : []),
  ];
}

function displayAddress({ address, deposed }: ResourceChange): string {
  const text = printable(address);
  return deposed === undefined ? text : `${text} (deposed object ${printable(deposed)})`;
}

function announcement({ action, reason }: ResourceChange, options: TextOptions): string {
  const { style } = options;
  const emphasize = (text: string) => style.bold(style.red(text));
  switch (action) {
    case "no-op":
      return "will not be changed";
    case "create":
      return "will be created";
    case "read":
      return "will be read during apply";
    case "update":
      return "will be updated in-place";
    case "delete":
      return `will be ${emphasize("destroyed")}`;
    case "forget":
      return `${inWordingOf(options, "will no longer be managed by Terraform")}, but ${emphasize("will not be destroyed")}`;
    case "delete-then-create":
    case "create-then-delete": {
      const replaced = emphasize("replaced");
      if (reason === "replace_because_tainted") return `is tainted, so must be ${replaced}`;
      if (reason === "replace_by_triggers") {
        return `will be ${replaced} due to changes in replace_triggered_by`;
      }
      return reason === "replace_by_request"
        ? `will be ${replaced}, as requested`
        : `must be ${replaced}`;
    }
  }
}

function reasons(change: ResourceChange): string[] {
  const { reason, deposed, previousAddress } = change;
  return [
    (reason && explain(reason, change)) ?? [],
    deposed === undefined ? [] : "left over from a partially-failed replacement of this instance",
    previousAddress === undefined ? [] : `moved from ${previousAddress}`,
  ]
    .flat()
    .map(printable);
}

function explain(
  reason: ActionReason,
  { type, name, key, address, previousAddress = "" }: ResourceChange,
): string | undefined {
  switch (reason) {
    case "delete_because_no_move_target":
      return `because ${previousAddress} was moved to ${address}, which is not in configuration`;
    case "delete_because_no_resource_config":
      return `because ${type}.${name} is not in configuration`;
    case "delete_because_count_index":
      return `because index [${key ?? ""}] is out of range for count`;
    case "delete_because_each_key":
      return `because key [${JSON.stringify(key ?? "")}] is not in for_each map`;
    case "delete_because_wrong_repetition":
      if (key === undefined) return "because resource uses count or for_each";
      return `because resource does not use ${typeof key === "number" ? "count" : "for_each"}`;
    case "read_because_config_unknown":
      return "config refers to values not yet known";
    case "read_because_dependency_pending":
      return "depends on a resource or a module with changes pending";
    case "read_because_check_nested":
      return "config will be reloaded to verify a check block";
    case "replace_because_tainted":
    case "replace_because_cannot_update":
    case "replace_by_triggers":
    case "replace_by_request":
      return undefined;
  }
}

/** Three columns wide, so that the following keyword is always in the same column. */
export function actionSymbol(action: Action, { green, red, yellow, cyan }: Style): string {
  const symbols: Readonly<Record<Action, string>> = {
    "no-op": "   ",
    create: `  ${green("+")}`,
    read: ` ${cyan("<=")}`,
    update: `  ${yellow("~")}`,
    delete: `  ${red("-")}`,
    forget: ` ${red(".")}`,
    "delete-then-create": `${red("-")}/${green("+")}`,
    "create-then-delete": `${green("+")}/${red("-")}`,
  };
  return symbols[action];
}
