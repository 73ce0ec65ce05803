import { formatPath } from "../../provider/diagnostics";
import {
  calledAs,
  countOf,
  isBreaking,
  SEVERITIES,
  type Finding,
  type Place,
  type Severity,
  type UpgradeResult,
} from "../finding";

/** The styles of a terminal. */
export interface TextFormat {
  readonly bold: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  /** Escapes what does not print. */
  readonly printable: (text: string) => string;
  /** Breaks a paragraph into lines that fit behind an indentation. */
  readonly wrap: (text: string, indentation: number) => string;
}

/** Renders the findings by file, stack and setting, and a summary. */
export function renderText(result: UpgradeResult, format: TextFormat): string {
  const groups = new Map<string, Finding[]>();
  for (const finding of result.findings) {
    const group = groupOf(finding.place);
    groups.set(group, [...(groups.get(group) ?? []), finding]);
  }
  const blocks = [...groups].map(([group, findings]) => {
    const text = findings.map((finding) => renderFinding(finding, format)).join("");
    return `${format.bold(format.printable(group))}\n${text}`;
  });
  return `${[...blocks, renderSummary(result, format)].join("\n")}\n`;
}

function groupOf(place: Place): string {
  switch (place.kind) {
    case "call":
      return place.file;
    case "stack":
      return `Stack ${place.stack}`;
    case "console":
      return `Console, ${place.setting}`;
  }
}

function renderFinding(finding: Finding, format: TextFormat): string {
  const { severity, section, message, replacement, place } = finding;
  const paragraphs = [
    ...subjectOf(place),
    message,
    ...(replacement === undefined ? [] : [`Instead: ${replacement}`]),
  ];
  const lines = paragraphs.flatMap((text) => format.wrap(format.printable(text), 4).split("\n"));
  const label = labels(format)[severity];
  const body = lines.map((line) => `    ${line}\n`).join("");
  const title = `${format.printable(addressOf(place))}: ${format.bold(label)}`;
  return `  ${title} (section ${section})\n${body}`;
}

/** An address that is unique in its group; a line of a file as editors open it. */
function addressOf(place: Place): string {
  switch (place.kind) {
    case "call":
      return `${place.file}:${place.line}`;
    case "stack":
      return place.address;
    case "console":
      return place.entry;
  }
}

function subjectOf(place: Place): string[] {
  switch (place.kind) {
    case "call": {
      if (place.path === undefined) return [];
      const { file, line, pathFile, pathLine } = place;
      const isHere = pathFile === file && pathLine === line;
      const text = isHere ? "" : `, with the path of ${pathFile}:${pathLine}`;
      return [`${calledAs(place)}${text}`];
    }
    case "stack": {
      const construct =
        place.constructPath === undefined ? [] : [`construct ${place.constructPath}`];
      const attribute = place.path.length === 0 ? [] : [`at ${formatPath(place.path)}`];
      const parts = [...construct, ...attribute];
      return parts.length === 0 ? [] : [parts.join(", ")];
    }
    case "console":
      return [];
  }
}

function labels({ red, yellow, cyan }: TextFormat): Readonly<Record<Severity, string>> {
  return {
    error: red("breaks"),
    possible: red("possible"),
    warning: yellow("warning"),
    note: cyan("note"),
  };
}

function renderSummary(result: UpgradeResult, format: TextFormat): string {
  const { from, to, findings } = result;
  const counts = SEVERITIES.map((severity) =>
    severity === "error" || severity === "possible"
      ? `${countOf(findings, severity)} ${severity === "error" ? "breaking" : severity}`
      : plural(countOf(findings, severity), severity),
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
  const note =
    countOf(findings, "possible") === 0
      ? []
      : ["Possible breaks need a reader, and count as breaks: the exit code is 2."];
  const rest = [...note, `Looked at ${checked(result, format)}.`];
  return [
    format.bold(paint(format.wrap(title, 0))),
    ...rest.map((text) => format.wrap(text, 0)),
  ].join("\n");
}

function checked({ files, stacks, console }: UpgradeResult, { printable }: TextFormat): string {
  const parts = [
    ...(stacks ? [plural(stacks.length, "stack")] : []),
    ...(console === undefined ? [] : [`the settings of ${printable(console)}`]),
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
