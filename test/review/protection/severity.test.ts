import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProtectionGate } from "../../../src/cli/stacks/protection-gate";
import { openScreen } from "../../../src/cli/terminal/screen";
import type { ObjectValue } from "../../../src/core/values";
import type { StackLabels } from "../../../src/fleet/selection/labels";
import { FILE_TEXT, PLAIN } from "../../../src/formats/text/style";
import { groupPlans } from "../../../src/review/groups/group-plans";
import { renderHtml } from "../../../src/review/html/render-html";
import { renderMarkdown } from "../../../src/review/markdown/render-markdown";
import { renderProtection } from "../../../src/review/protection/render-protection";
import { reviewProtection } from "../../../src/review/protection/review-protection";
import { TestTerminal } from "../../cli/test-terminal";
import { policyChange } from "../entries/changes";
import { stackPlan } from "../plans";
import { protecting } from "./sets";

const TERMINAL = { style: PLAIN, width: 100 };

function textOf(
  before: readonly ObjectValue[],
  after: readonly ObjectValue[],
  options = TERMINAL,
): string {
  const [review] = reviewProtection({ changes: [policyChange(before, after)] }).values();
  return renderProtection(review, options).map(String).join("\n");
}

/** Policies of sandboxes, each of which alerts on another check. */
const sandboxes = Array.from({ length: 12 }, (_, index) =>
  protecting(`sandbox ${index}`, { namespaces: [`sandbox-${index}`] }, `~${100 + index}`),
);
const production = protecting("production", { namespaces: ["prod-*"] }, "599");

test("a lost block comes before lost alerts, whatever the order of the policies", () => {
  const text = textOf([...sandboxes, production], []);
  const effects = [...text.matchAll(/^ {4}- check (\d+)/gm)].map(([, id]) => id);
  expect(effects).toHaveLength(10);
  expect(effects[0]).toBe("599");
  expect(text).toContain("and 3 more, 3 weaker, none loses a block");
});

test("a cut says that what it hides is not weaker", () => {
  const text = textOf([production], [...sandboxes]);
  expect(text).toContain("and 3 more, none weaker");
});

test("a cut counts the blocks that it hides in a terminal, and files cut none", () => {
  const blocks = sandboxes.map((one, index) => ({ ...one, checks: { [200 + index]: true } }));
  expect(textOf(blocks, [])).toContain("and 2 more, 2 weaker, 2 lose a block");
  const whole = textOf(blocks, [], FILE_TEXT);
  expect(whole.match(/ blocks -> not checked/g)).toHaveLength(12);
});

test("files have every exclusion of a lost block, with scopes of several fields in brackets", () => {
  const kept = Array.from({ length: 8 }, (_, index) =>
    protecting(`kept ${index}`, { namespaces: [`n${index}`], images: [`i${index}/*`] }, "599"),
  );
  const rest = protecting("rest", { containers: ["c*"] }, "599");
  expect(textOf([...kept, rest], kept)).toContain("and 3 more");
  const whole = textOf([...kept, rest], kept, FILE_TEXT).replace(/\s+/g, " ");
  for (let index = 0; index < 8; index += 1) {
    expect(whole).toMatch(
      new RegExp(`\\((namespaces n${index} with images|images i${index}/\\* with namespaces)`),
    );
  }
});

test.each(["599", "~599"])("files cut no check, pattern or exclusion of the lost %s", (check) => {
  const names = Array.from({ length: 8 }, (_, index) => `keep-${index}`);
  const checks = [check, ...Array.from({ length: 14 }, (_, index) => `${check}${index}`)];
  const kept = names.map((name) => protecting(name, { images: [`${name}/*`] }, ...checks));
  const few = protecting("few", { namespaces: names }, ...checks);
  const rest = protecting("rest", {}, ...checks);
  const before = [...kept, few, rest];
  const ids = checks.map((id) => id.replace("~", "")).join(", ");
  expect(textOf(before, [...kept, few])).toContain("and 5 more");
  const whole = textOf(before, [...kept, few], FILE_TEXT).replace(/\s+/g, " ");
  expect(whole).toContain(`checks ${ids} ${check === "599" ? "blocks" : "alerts"} -> not checked`);
  expect(whole).toContain(`namespaces ${names.join(", ")}`);
  for (const name of names) expect(whole).toContain(`images ${name}/*`);
});

test("files have every region of what the gate refuses", async () => {
  const directory = mkdtempSync(join(tmpdir(), "gate-"));
  const lost = Array.from({ length: 8 }, (_, index) =>
    protecting(`lost ${index}`, { namespaces: [`lost-${index}`] }, "599"),
  );
  const plans = [stackPlan([policyChange(lost, [])])];
  const terminal = new TestTerminal({ directory });
  const opened = await ProtectionGate.open(
    terminal,
    { failOn: "weaker" },
    { names: undefined, labels: () => Promise.resolve(new Map<string, StackLabels>()) },
  );
  rmSync(directory, { recursive: true });
  if ("problems" in opened) throw new Error("the gate is closed");
  opened.gate.refuse(openScreen(terminal, {}), plans);
  expect(terminal.err).toContain("and 3 more, 3 weaker, 3 lose a block");
  const reviewed = { plans, verdict: opened.gate.judge(plans) };
  for (const text of [renderMarkdown(reviewed), renderHtml(reviewed)]) {
    expect(text).not.toContain("and 3 more");
    for (let index = 0; index < 8; index += 1) {
      expect(text).toMatch(
        new RegExp(`namespaces lost-${index}: check 599 blocks -(&gt;|>) not checked; no policy`),
      );
    }
  }
});

describe("many stacks", () => {
  const losing = (stack: string, check: string) =>
    stackPlan([policyChange([protecting("root", {}, check)], [])], { stack });
  const plans = [
    ...Array.from({ length: 12 }, (_, index) => losing(`single-${index}`, String(index + 1))),
    ...Array.from({ length: 30 }, (_, index) => losing(`some-${index}`, "500")),
    ...Array.from({ length: 58 }, (_, index) => losing(`many-${index}`, "600")),
    ...Array.from({ length: 70 }, (_, index) => losing(`alert-${index}`, "~41")),
  ];

  test("groups are in the order of what they lose, then of their stacks", () => {
    const sizes = groupPlans(plans).groups.map(({ stacks }) => stacks.length);
    expect(sizes).toEqual([58, 30, ...Array.from({ length: 12 }, () => 1), 70]);
  });

  test("a comment names the largest groups that lose a block first", () => {
    const text = renderMarkdown({ plans }, { limit: 12_000 });
    const [first, second] = text.split("\n").filter((line) => line.startsWith("- <code>"));
    expect(first).toContain("check 600 blocks");
    expect(second).toContain("check 500 blocks");
    expect(text).toMatch(/… and \d+ more in \d+ stacks, \d+ lose a block/);
  });
});
