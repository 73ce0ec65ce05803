import { formatPath } from "../../provider/diagnostics";
import { printable } from "../../review/text/quote";
import type { Style } from "../../review/text/style";
import { wordWrap } from "../../review/text/word-wrap";
import type { Finding, Place, Severity } from "../finding";
import { countsInWords, plural, type UpgradeResult } from "./result";

export interface TextOptions {
  readonly style: Style;
  readonly width: number;
}

/** For people: what breaks, by file, stack and setting, and lines that sum it up. */
export function renderText(result: UpgradeResult, options: TextOptions): string {
  const groups = new Map<string, Finding[]>();
  for (const finding of result.findings) {
    const group = groupOf(finding.place);
    groups.set(group, [...(groups.get(group) ?? []), finding]);
  }
  const blocks = [...groups].map(([group, findings]) => {
    const told = findings.map((finding) => renderFinding(finding, options)).join("");
    return `${options.style.bold(printable(group))}\n${told}`;
  });
  return `${[...blocks, renderSummary(result, options)].join("\n")}\n`;
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

function renderFinding(finding: Finding, { style, width }: TextOptions): string {
  const { severity, section, message, replacement, place } = finding;
  const paragraphs = [
    ...whatIsConcerned(place),
    message,
    ...(replacement === undefined ? [] : [`Instead: ${replacement}`]),
  ];
  const lines = paragraphs.flatMap((text) => wordWrap(printable(text), width - 4).split("\n"));
  const title = `${style.bold(emphasized(severity, style))} (section ${section})`;
  const body = lines.map((line) => `    ${line}\n`).join("");
  return `  ${printable(addressOf(place))}: ${title}\n${body}`;
}

/** As short as it can be told from others; a line of a file as programs open it. */
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

function whatIsConcerned(place: Place): string[] {
  switch (place.kind) {
    case "call": {
      if (place.method === undefined) return [];
      const text = place.pathLine === place.line ? "" : `, whose path is in line ${place.pathLine}`;
      return [`${place.method} ${place.path ?? ""}${text}`];
    }
    case "stack": {
      const construct =
        place.constructPath === undefined ? [] : [`construct ${place.constructPath}`];
      const attribute = place.path.length === 0 ? [] : [`at ${formatPath(place.path)}`];
      const told = [...construct, ...attribute].join(", ");
      return told === "" ? [] : [told];
    }
    case "console":
      return [];
  }
}

function emphasized(severity: Severity, style: Style): string {
  if (severity === "error") return style.red("breaks");
  return severity === "warning" ? style.yellow("warning") : style.cyan("note");
}

function renderSummary(result: UpgradeResult, { style, width }: TextOptions): string {
  const { from, to, findings } = result;
  const breaks = findings.some(({ severity }) => severity === "error");
  const title =
    findings.length === 0
      ? `Nothing found that the upgrade from ${from} to ${to} changes.`
      : `Upgrade from ${from} to ${to}: ${countsInWords(result)}.`;
  const colour = breaks ? style.red : findings.length === 0 ? style.green : style.yellow;
  return `${style.bold(colour(title))}\n${wordWrap(`Looked at ${lookedAt(result)}.`, width)}`;
}

function lookedAt({ files, stacks, console }: UpgradeResult): string {
  const parts = [
    ...(stacks ? [plural(stacks.length, "stack")] : []),
    ...(console === undefined ? [] : [`the settings of ${printable(console)}`]),
    ...(files ? [plural(files.read, "script")] : []),
  ];
  const over = files?.passedOver ?? 0;
  const others = over === 0 ? "" : `, passed over ${plural(over, "other file")}`;
  return `${parts.join(" and ")}${others}`;
}
