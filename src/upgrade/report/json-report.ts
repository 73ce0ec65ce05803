import { formatPath } from "../../core/diagnostics";
import { ruleOf } from "../change";
import { countOf, type UpgradeFinding, type UpgradeResult } from "../finding";

const FORMAT_VERSION = "2.0";

/** Renders the result as one JSON document. */
export function renderJson(result: UpgradeResult): string {
  const { from, to, findings, files, stacks, console, tenants } = result;
  const document = {
    format_version: FORMAT_VERSION,
    from,
    to,
    breaks: countOf(findings, "error") > 0,
    summary: {
      errors: countOf(findings, "error"),
      possible: countOf(findings, "possible"),
      mentioned: countOf(findings, "mentioned"),
      warnings: countOf(findings, "warning"),
      notes: countOf(findings, "note"),
    },
    checked: {
      ...(files && {
        files: files.read,
        files_passed_over: files.passedOver,
        folders_passed_over: files.foldersPassedOver,
      }),
      ...(stacks && { stacks }),
      ...(console !== undefined && { console }),
      ...(tenants && { tenants }),
    },
    findings: findings.map(findingOf),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function findingOf({ severity, section, message, replacement, place }: UpgradeFinding) {
  return {
    severity,
    section,
    rule: ruleOf(section),
    message,
    replacement: replacement ?? null,
    ...placeOf(place),
  };
}

function placeOf(place: UpgradeFinding["place"]) {
  switch (place.kind) {
    case "mention":
      return { kind: "script", file: place.file, line: place.line, text: place.text };
    case "stack":
      return {
        kind: "stack",
        stack: place.stack,
        address: place.address,
        construct_path: place.constructPath ?? null,
        attribute: place.path.length > 0 ? formatPath(place.path) : null,
      };
    case "console":
      return { ...place };
  }
}
