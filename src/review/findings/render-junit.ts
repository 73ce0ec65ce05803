import { groupBy } from "../../core/group-by";
import { findingsOf, RULES, type Finding } from "./findings";
import type { Locate } from "./render-sarif";
import type { ReviewDocument } from "../json/review-schema";

/**
 * Renders a review as a JUnit report, which CI systems list as tests: a suite for each stack, and one
 * for the contract and the run. Some test fails unless the verdict is `passed`. All that is waived or
 * allowed, and what does not decide, is output of a test that passes.
 */
export function renderJunit(document: ReviewDocument, locate: Locate): string {
  const byStack = new Map(
    groupBy(findingsOf(document), ({ stack }) => stack).map((group) => [group[0].stack, group]),
  );
  const names = [...document.stacks.map(({ name }) => name), undefined];
  const lines = names.flatMap((stack) => {
    const name = escape(stack ?? "contract");
    const own = byStack.get(stack) ?? [];
    const cases = groupBy(own, ({ rule, address }) => JSON.stringify([rule, address]));
    const failures = cases.filter((group) => group.some(fails)).length;
    const rendered = cases.flatMap(([first, ...others]) => {
      const { file, line } = locate(first);
      const title = [first.rule, first.address].filter((part) => part !== undefined).join(": ");
      const group = [first, ...others];
      const failing = texts(group.filter(fails));
      const output = texts(group.filter((finding) => !fails(finding)));
      return [
        `    <testcase classname="${name}" name="${escape(title)}" file="${escape(file)}" line="${line}">`,
        ...(failing === ""
          ? []
          : [`      <failure message="${escape(RULES[first.rule])}">${failing}</failure>`]),
        ...(output === "" ? [] : [`      <system-out>${output}</system-out>`]),
        "    </testcase>",
      ];
    });
    // A report with no test counts as no run.
    const quiet = [`    <testcase classname="${name}" name="${QUIET_TEST}"/>`];
    return [
      `  <testsuite name="${name}" tests="${Math.max(1, cases.length)}" failures="${failures}">`,
      ...(cases.length === 0 ? quiet : rendered),
      "  </testsuite>",
    ];
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="cdktf-console">\n${lines.join("\n")}\n</testsuites>\n`;
}

/** The test of a suite without findings. */
const QUIET_TEST = "protection";

function fails({ level, waivedBy }: Finding): boolean {
  return level === "error" && waivedBy === undefined;
}

function texts(findings: readonly Finding[]): string {
  const textOf = ({ text, waivedBy }: Finding) =>
    waivedBy === undefined ? text : `${text} (waived by ${waivedBy})`;
  return escape(findings.map(textOf).join("\n"));
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
]);

/** Escapes a text for XML 1.0, which has no form for most control characters. */
function escape(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>"]/g, (character) => ENTITIES.get(character) ?? "");
}
