import { groupBy } from "../../core/group-by";
import { rendered, type Printable } from "../../core/printed";
import { formatPath } from "../../core/diagnostics";
import {
  countOf,
  isBreaking,
  SEVERITIES,
  type UpgradeFinding,
  type FindingPlace,
  type FindingSeverity,
  type UpgradeResult,
} from "../finding";

/** The styles of a terminal. */
export interface TextFormat {
  readonly bold: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  /** Escapes control characters. */
  readonly printable: (text: string) => string;
  /** Breaks a paragraph into lines that fit behind an indentation. */
  readonly wrap: (text: string, indentation: number) => string;
}

/** Renders the findings by file, stack and setting, and a summary. */
export function renderText(result: UpgradeResult, format: TextFormat): Printable {
  const groups = groupBy(result.findings, ({ place }) => describePlace(place).group);
  // Stacks and consoles of tenants with the same findings are shown once.
  const alike = groupBy(groups, (findings) =>
    JSON.stringify(findings.map((finding) => comparable(finding))),
  );
  const blocks = alike.map(([findings, ...others]) => {
    const title = titleOf(
      [findings, ...others].map(([{ place }]) => place),
      format,
    );
    const text = findings.map((finding) => renderFinding(finding, format)).join("");
    return `${format.bold(title)}\n${text}`;
  });
  return rendered(`${[...blocks, renderSummary(result, format)].join("\n")}\n`);
}

/** A finding without the name of its stack or tenant. */
function comparable(finding: UpgradeFinding): unknown {
  const { place } = finding;
  if (place.kind === "console") return { ...finding, place: { ...place, tenant: undefined } };
  if (place.kind !== "stack") return finding;
  const { stack, constructPath = "", ...rest } = place;
  return { ...finding, place: { ...rest, inStack: constructPath.replace(`${stack}/`, "") } };
}

const MOST_NAMES = 10;

/** `Stack a`, `20 stacks: a, b, c and 17 more`, or `2 consoles, GET /api/v1/settings/registry: a, b` */
function titleOf(
  [first, ...others]: readonly FindingPlace[],
  { printable, wrap }: TextFormat,
): string {
  if (!first || others.length === 0) return first ? printable(describePlace(first).group) : "";
  const names = [first, ...others].map((place) => printable(describePlace(place).name));
  const of = first.kind === "console" ? `consoles, ${first.setting}` : "stacks";
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return wrap(`${names.length} ${of}: ${names.slice(0, MOST_NAMES).join(", ")}${more}`, 0);
}

function renderFinding(finding: UpgradeFinding, format: TextFormat): string {
  const { severity, section, message, replacement, place } = finding;
  const { address, subject } = describePlace(place);
  const paragraphs = [
    ...subject,
    message,
    ...(replacement === undefined ? [] : [`Instead: ${replacement}`]),
  ];
  const lines = paragraphs.flatMap((text) => format.wrap(format.printable(text), 4).split("\n"));
  const label = labels(format)[severity];
  const body = lines.map((line) => `    ${line}\n`).join("");
  const title = `${format.printable(address)}: ${format.bold(label)}`;
  return `  ${title} (section ${section})\n${body}`;
}

interface PlaceText {
  /** The heading above all findings of the group. */
  readonly group: string;
  /** The name of what has the place. */
  readonly name: string;
  /** The place within the group; for a line of a file, as editors open it. */
  readonly address: string;
  readonly subject: readonly string[];
}

function describePlace(place: FindingPlace): PlaceText {
  switch (place.kind) {
    case "mention": {
      const { file, line, text } = place;
      return { group: file, name: file, address: `${file}:${line}`, subject: [text] };
    }
    case "stack": {
      const { stack, address, constructPath, path } = place;
      const parts = [
        ...(constructPath === undefined ? [] : [`construct ${constructPath}`]),
        ...(path.length === 0 ? [] : [`at ${formatPath(path)}`]),
      ];
      const subject = parts.length === 0 ? [] : [parts.join(", ")];
      return { group: `Stack ${stack}`, name: stack, address, subject };
    }
    case "console": {
      const { setting, entry, tenant } = place;
      const name = tenant === undefined ? "Console" : `Console of ${tenant}`;
      return { group: `${name}, ${setting}`, name: tenant ?? name, address: entry, subject: [] };
    }
  }
}

function labels({ red, yellow, cyan }: TextFormat): Readonly<Record<FindingSeverity, string>> {
  return {
    error: red("breaks"),
    possible: red("possible"),
    mentioned: red("mentioned"),
    warning: yellow("warning"),
    note: cyan("note"),
  };
}

function renderSummary(result: UpgradeResult, format: TextFormat): string {
  const { from, to, findings } = result;
  const counts = SEVERITIES.filter((severity) => countOf(findings, severity) > 0).map((severity) =>
    severity === "warning" || severity === "note"
      ? plural(countOf(findings, severity), severity)
      : `${countOf(findings, severity)} ${severity === "error" ? "breaking" : severity}`,
  );
  const title =
    findings.length === 0
      ? `Nothing found that the upgrade from ${from} to ${to} changes.`
      : `Upgrade from ${from} to ${to}: ${counts.join(", ")}.`;
  const paint = findings.some(isBreaking)
    ? format.red
    : findings.length === 0
      ? format.green
      : format.yellow;
  const note = [
    ...(countOf(findings, "possible") === 0 ? [] : ["Possible breaks count as breaks."]),
    ...(countOf(findings, "mentioned") === 0
      ? []
      : ["Scripts mention what changes: check each line. The exit code is 2."]),
  ];
  const rest = [...note, `Checked ${checked(result, format)}.`];
  return [
    format.bold(paint(format.wrap(title, 0))),
    ...rest.map((text) => format.wrap(text, 0)),
  ].join("\n");
}

function checked(
  { files, stacks, console, tenants }: UpgradeResult,
  { printable }: TextFormat,
): string {
  const parts = [
    ...(stacks ? [plural(stacks.length, "stack")] : []),
    ...(console === undefined ? [] : [`the settings of ${printable(console)}`]),
    ...(tenants ? [`the settings of ${plural(tenants.length, "console")}`] : []),
    ...(files ? [plural(files.read, "script")] : []),
  ];
  const passedOver = [
    ...(files && files.passedOver > 0 ? [plural(files.passedOver, "other file")] : []),
    ...(files && files.foldersPassedOver > 0 ? [plural(files.foldersPassedOver, "folder")] : []),
  ];
  const others = passedOver.length === 0 ? "" : `, passed over ${passedOver.join(" and ")}`;
  return `${parts.join(" and ")}${others}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
