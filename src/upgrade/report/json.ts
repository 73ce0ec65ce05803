import { formatPath } from "../../provider/diagnostics";
import { countOf, type Finding } from "../finding";
import { SECTIONS } from "../sections";
import type { UpgradeResult } from "./result";

/** Raised with a change that readers have to follow. */
const FORMAT_VERSION = "1.0";

/** For programs: one document. */
export function renderJson(result: UpgradeResult): string {
  const { from, to, findings, files, stacks, console } = result;
  const document = {
    format_version: FORMAT_VERSION,
    from,
    to,
    breaks: countOf(findings, "error") > 0,
    summary: {
      errors: countOf(findings, "error"),
      warnings: countOf(findings, "warning"),
      notes: countOf(findings, "note"),
    },
    checked: {
      ...(files && { files: files.read, files_passed_over: files.passedOver }),
      ...(stacks && { stacks }),
      ...(console !== undefined && { console }),
    },
    findings: findings.map(findingOf),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function findingOf({ severity, section, message, replacement, place }: Finding) {
  return {
    severity,
    section,
    rule: SECTIONS[section]?.name ?? section,
    message,
    replacement: replacement ?? null,
    ...placeOf(place),
  };
}

function placeOf(place: Finding["place"]) {
  switch (place.kind) {
    case "call":
      return {
        kind: "script",
        file: place.file,
        line: place.line,
        path_line: place.pathLine,
        end_line: place.endLine,
        method: place.method ?? null,
        path: place.path ?? null,
      };
    case "stack":
      return {
        kind: "stack",
        stack: place.stack,
        address: place.address,
        construct_path: place.constructPath ?? null,
        attribute: place.path.length > 0 ? formatPath(place.path) : null,
      };
    case "console":
      return { kind: "console", setting: place.setting, entry: place.entry };
  }
}
