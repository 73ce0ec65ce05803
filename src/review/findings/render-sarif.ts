import { findingsOf, RULES, type Finding } from "./findings";
import type { ReviewDocument } from "../json/review-schema";

/** A line of a file, relative to the working folder. */
export interface SourcePlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** Finds where the program has what a finding is about. Code hosts show no finding without a place. */
export type Locate = (finding: Pick<Finding, "stack" | "address" | "text">) => SourcePlace;

/**
 * Renders a review as SARIF 2.1.0 (OASIS), which code hosts show beside the lines of a change. A
 * waived region is a suppressed result with the waiver as its justification.
 */
export function renderSarif(document: ReviewDocument, locate: Locate, version: string): string {
  const results = findingsOf(document).map((finding) => {
    const { rule, level, stack, address, text, waivedBy } = finding;
    const { file, line } = locate(finding);
    const about = [stack, address].filter((part) => part !== undefined).join(": ");
    return {
      ruleId: rule,
      level,
      message: { text: about === "" ? text : `${about}: ${text}` },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: encodeURI(file) },
            region: { startLine: line },
          },
        },
      ],
      ...(waivedBy !== undefined && {
        suppressions: [{ kind: "external", status: "accepted", justification: waivedBy }],
      }),
    };
  });
  const rules = Object.entries(RULES).map(([id, text]) => ({ id, shortDescription: { text } }));
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "cdktf-console", version, rules } },
        properties: { verdict: document.verdict },
        results,
      },
    ],
  };
  return `${JSON.stringify(log)}\n`;
}
