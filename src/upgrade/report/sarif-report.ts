import { createHash } from "node:crypto";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { name as packageName, version } from "../../../package.json";
import { formatPath } from "../../core/diagnostics";
import { describeSection, type FindingSection } from "../change";
import type { Finding, UpgradeResult } from "../finding";

const HOME = `https://www.npmjs.com/package/${packageName}`;
const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

/** Renders the result as SARIF 2.1.0 for code scanning, with one rule for each section. */
export function renderSarif(result: UpgradeResult): string {
  const { findings, from, to } = result;
  const sections = [...new Set(findings.map(({ section }) => section))].sort();
  const seen = new Map<string, number>();
  const log = {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "cdktf-console",
            semanticVersion: version,
            informationUri: HOME,
            rules: sections.map(ruleOf),
          },
        },
        automationDetails: { id: `cdktf-console/upgrade/${from}/${to}` },
        columnKind: "utf16CodeUnits",
        results: findings.map((finding) => resultOf(finding, sections, seen)),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function ruleOf(section: FindingSection) {
  const { name, title, description } = describeSection(section);
  return {
    id: `console-${section}`,
    name,
    shortDescription: { text: `${title}.` },
    fullDescription: { text: description },
    help: { text: `${description} (Section ${section} of the API's specification.)` },
    helpUri: HOME,
    properties: { tags: ["upgrade", "api"] },
  };
}

function resultOf(finding: Finding, sections: readonly string[], seen: Map<string, number>) {
  const { section, severity, message, replacement, place } = finding;
  const advice = replacement === undefined ? "" : ` Instead: ${replacement}`;
  return {
    ruleId: `console-${section}`,
    ruleIndex: sections.indexOf(section),
    level: severity === "possible" || severity === "mentioned" ? "warning" : severity,
    message: { text: `${message}${advice}` },
    locations: [locationOf(place)],
    partialFingerprints: { "upgrade/v1": fingerprintOf(finding, seen) },
    properties: { grade: severity },
  };
}

function locationOf(place: Finding["place"]) {
  if (place.kind !== "mention") {
    const name = partsOf(place).filter(Boolean).join(" ");
    return { logicalLocations: [{ fullyQualifiedName: name, kind: "resource" }] };
  }
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(place.file) },
      region: { startLine: place.line },
    },
  };
}

/** Lists the names that identify a place; some may be absent or empty. */
function partsOf(place: Finding["place"]): readonly (string | undefined)[] {
  if (place.kind === "mention") return [place.file, place.text];
  if (place.kind === "console") return [place.setting, place.entry];
  return [place.stack, place.address, formatPath(place.path)];
}

function uriOf(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file.split("/").map(encodeURIComponent).join("/");
}

/** Makes an ID of a finding that stays the same when its line moves. It is a hash and reveals no secret. */
function fingerprintOf({ section, place }: Finding, seen: Map<string, number>): string {
  const key = JSON.stringify([section, ...partsOf(place)]);
  const count = (seen.get(key) ?? 0) + 1;
  seen.set(key, count);
  return createHash("sha256").update(`${key}:${count}`).digest("hex").slice(0, 32);
}
