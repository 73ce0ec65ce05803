import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ObjectValue } from "../../src/core/values";
import { renderProtection } from "../../src/review/protection/render-protection";
import { reviewProtection } from "../../src/review/protection/review-protection";
import { PLAIN } from "../../src/formats/text/style";
import { policy, policyChange } from "../review/entries/changes";

const PAGE = readFileSync(join(__dirname, "../../docs/protection.md"), "utf8");

const EXAMPLE =
  /^## (.+)\n[^#]*?```json before\n([^]*?)```\n[^#]*?```json after\n([^]*?)```\n[^#]*?```text\n([^]*?)```\n/gm;

function policiesOf(text: string): readonly ObjectValue[] {
  const policies = JSON.parse(text) as readonly { name: string; resources?: ObjectValue }[];
  return policies.map(({ name, ...given }) => policy(name, given));
}

const examples = [...PAGE.matchAll(EXAMPLE)].map(
  ([, title = "", before = "", after = "", text = ""]) => [title, before, after, text] as const,
);

test("the page has two worked examples", () => {
  expect(examples.map(([title]) => title)).toEqual(["Exempt a namespace", "Move a catch-all"]);
});

test.each(examples)("%s", (_, before, after, text) => {
  const change = policyChange(policiesOf(before), policiesOf(after));
  const [review] = reviewProtection({ changes: [change] }).values();
  const lines = renderProtection(review, { style: PLAIN, width: 100 }).map(String);
  expect(lines.map((line) => `${line.slice(2)}\n`).join("")).toBe(text);
});
