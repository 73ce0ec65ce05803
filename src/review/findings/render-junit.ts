import { groupBy } from "../../core/group-by";
import { findingsOf, RULES, type Finding } from "./findings";
import type { Locate } from "./render-sarif";
import type { ReviewDocument } from "../json/review-schema";

/**
 * Renders a review as a JUnit report, which CI systems list as tests: a suite for each stack, and one
 * for the contract and the run. An error fails its test, unless a waiver allows it; a warning and what is
 * waived are output of a test that passes.
 */
export function renderJunit(document: ReviewDocument, locate: Locate): string {
  const byStack = new Map(
    groupBy(findingsOf(document), ({ stack }) => JSON.stringify([stack])).map(
      (group) => [group[0].stack, group] as const,
    ),
  );
  const names = [...document.stacks.map(({ name }) => name), undefined];
  const suites = names.map((stack) => {
    const own = byStack.get(stack) ?? [];
    const cases = groupBy(own, ({ rule, address }) => JSON.stringify([rule, address]));
    return { name: stack ?? "contract", cases };
  });
  const lines = suites.flatMap(({ name, cases }) => {
    const failures = cases.filter((group) => group.some(fails)).length;
    const rendered = cases.flatMap((group) => testCase(name, group, locate));
    // A report with no test counts as no run.
    const quiet = [`    <testcase classname="${escape(name)}" name="${QUIET_TEST}"/>`];
    return [
      `  <testsuite name="${escape(name)}" tests="${Math.max(1, cases.length)}" failures="${failures}">`,
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

function testCase(
  suite: string,
  group: readonly [Finding, ...Finding[]],
  locate: Locate,
): readonly string[] {
  const [first] = group;
  const { file, line } = locate(first);
  const name = [first.rule, first.address].filter((part) => part !== undefined).join(": ");
  const failing = group.filter(fails);
  const others = group.filter((finding) => !fails(finding));
  const textOf = ({ text, waivedBy }: Finding) =>
    waivedBy === undefined ? text : `${text} (waived by ${waivedBy})`;
  const texts = (some: readonly Finding[]) => escape(some.map(textOf).join("\n"));
  return [
    `    <testcase classname="${escape(suite)}" name="${escape(name)}" file="${escape(file)}" line="${line}">`,
    ...(failing.length > 0
      ? [`      <failure message="${escape(RULES[first.rule])}">${texts(failing)}</failure>`]
      : []),
    ...(others.length > 0 ? [`      <system-out>${texts(others)}</system-out>`] : []),
    "    </testcase>",
  ];
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
