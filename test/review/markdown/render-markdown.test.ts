import { error, warning } from "../../../src/core/diagnostics";
import {
  renderFailureMarkdown,
  renderMarkdown,
} from "../../../src/review/markdown/render-markdown";
import { renderHtml } from "../../../src/review/html/render-html";
import { policy, policyChange, resourceChange } from "../entries/changes";
import { withNote } from "../../../src/core/notes";
import { LIVE } from "../../../src/review/protection/live-reading";
import { HOSTILE, stackPlan } from "../plans";

const named = (count: number) => Array.from({ length: count }, (_, i) => policy(`policy ${i}`));
const weaker = policyChange([policy("a")], [policy("a", { disabled: true })], {
  address: "cwp_compliance_policy_set.weaker",
});
const stronger = policyChange([policy("a", { disabled: true })], [policy("a")], {
  address: "cwp_compliance_policy_set.stronger",
});

describe("a plan as a comment", () => {
  test("starts with counts and warnings, and folds each change", () => {
    const text = renderMarkdown({
      plans: [
        stackPlan([{ ...weaker, endpoint: "https://console.example.com:8083" }], {
          diagnostics: [warning("Soon to go", "The field goes.")],
          outputs: [
            { name: "url", action: "create", before: null, after: "https://x", sensitive: false },
            { name: "key", action: "create", before: null, after: "hidden-value", sensitive: true },
          ],
        }),
      ],
    });
    expect(text).toMatchInlineSnapshot(`
      "### Plan: 0 to add, 1 to change, 0 to destroy

      ⚠️ **Protection: 1 weaker.** The first policy whose scope matches a workload decides all checks for it; later policies are not evaluated.

      - <code>cwp_compliance_policy_set.weaker</code>: <code>check 41 blocks &#45;&#62; not checked for everything &#40;&#34;a&#34; decided&#44; now none&#41;</code>

      \`\`\`text
      Warning: Soon to go

      The field goes.
      \`\`\`

      | Stack | Console | Import | Add | Change | Destroy | Weaker |
      |---|---|--:|--:|--:|--:|--:|
      | <code>main</code> | <code>https&#58;&#47;&#47;console.example.com&#58;8083</code> | 0 | 0 | 1 | 0 | ⚠️ 1 |

      <details><summary><code>cwp_compliance_policy_set.weaker</code> update: ⚠️ <b>Protection: 1 weaker</b></summary>

      \`\`\`diff
        Protection: 1 weaker
      -     check 41 blocks -> not checked
              everything  "a" decided, now none
          # (digest 85564b83f983, for --allow-weaker NAME@DIGEST)

        # cwp_compliance_policy_set.weaker will be updated in-place
      !   resource "cwp_thing" "main" {
              id        = "container"
      !       policies  = [
      !           policy 1 ("a")
                    disabled
              ]
              # (1 unchanged attribute hidden)
          }
      \`\`\`

      </details>
      <details><summary>changes to outputs</summary>

      \`\`\`diff
      +   url = "https://x"
      +   key = (sensitive value)
      \`\`\`

      </details>
      "
    `);
  });

  test("names the stack of each change where there are several, and counts unchanged stacks", () => {
    const quiet = ["b", "c"].map((stack) => stackPlan([], { stack }));
    const text = renderMarkdown({ plans: [stackPlan([weaker], { stack: "a" }), ...quiet] });
    expect(text).toContain("### Plan: 0 to add, 1 to change, 0 to destroy in 3 stacks");
    expect(text).toContain("2 of 3 stacks: no changes.");
    expect(text).toContain("<summary><code>a</code> <code>cwp_compliance_policy_set");
    expect(renderMarkdown({ plans: quiet })).toBe(
      "### No changes in 2 stacks\n\n2 of 2 stacks: no changes.\n",
    );
  });
});

test("says that protection does not change", () => {
  const renamed = policyChange([policy("a")], [policy("b")]);
  expect(renderMarkdown({ plans: [stackPlan([renamed])] })).toContain(
    "\n\n**Protection does not change.** Every workload has the same checks as before; names of policies and letter case in patterns have no effect.\n\n",
  );
});

test("shows drift by policies", () => {
  const text = renderMarkdown({ plans: [stackPlan([], { drift: [weaker] })] });
  expect(text).toMatch(
    /^### Drift\n\n\*\*1 of 1 stack drifted; 1 weakens protection\.\*\* It was changed/,
  );
  expect(text).toMatch(
    /changed outside of the stacks: ⚠️ <b>Protection: 1 weaker<\/b><\/summary>\n\n```diff\n[^]*policies {2}= \[/,
  );
});

describe("the size of a comment", () => {
  const plan = (resources: number, policies: number) =>
    stackPlan([
      ...Array.from({ length: resources }, (_, index) =>
        policyChange(undefined, named(policies), {
          address: `cwp_compliance_policy_set.set_${index}`,
          found: { entries: [] },
        }),
      ),
      weaker,
    ]);

  test.each([
    [1, 2000],
    [200, 20],
    [1500, 1],
  ])("%i resources of %i policies stay within the limit, with a note", (resources, policies) => {
    const text = renderMarkdown({ plans: [plan(resources, policies)] });
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(text.length).toBeGreaterThan(50_000);
    expect(text).toMatch(/(named only|left out|more lines)/);
    // Weakened protection has priority over large changes.
    expect(text).toMatch(/set.weaker<\/code> update: ⚠️ [^]*check 41 blocks -> not checked/);
  });

  test("lists equal warnings of several stacks once", () => {
    const plans = ["one", "two", "three"].map((stack) =>
      stackPlan([stronger], {
        stack,
        diagnostics: [
          { ...warning("Soon to go", "The field goes."), constructPath: `${stack}/policies` },
          ...(stack === "two" ? [warning("Here alone", "")] : []),
        ],
      }),
    );
    expect(renderMarkdown({ plans })).toContain(`\`\`\`text
Warning: Here alone

Stack two

Warning: Soon to go

  with construct one/policies:

The field goes.

3 stacks: one, two, three
\`\`\``);
  });

  test("shows alike changes of many stacks once, with their number", () => {
    const plans = Array.from({ length: 1000 }, (_, index) =>
      stackPlan([stronger], { stack: `tenant-${index}`, endpoints: [`https://c${index}`] }),
    );
    plans[7] = stackPlan([], { stack: "tenant-7" });
    const text = renderMarkdown({ plans });
    expect(text).toContain("### Plan: 0 to add, 999 to change, 0 to destroy in 1000 stacks");
    expect(text.match(/<details>/g)).toHaveLength(1);
    expect(text).toContain("| 999 consoles, each: | 0 | 0 | 1 | 0 | 0 |");
    expect(text).toContain("1 of 1000 stacks: no changes.");
    expect(text.length).toBeLessThan(2500);
  });

  test("cuts long names and values", () => {
    const long = "`n".repeat(100_000);
    const change = policyChange(
      [policy(long), policy("b")],
      [policy(long, { disabled: true }), policy("b", { disabled: true })],
    );
    const text = renderMarkdown({ plans: [stackPlan([change])] });
    expect(text.length).toBeLessThan(20_000);
    expect(text.match(/^- .*check 41 blocks.*<\/code>$/gm)).toHaveLength(1);
    expect(text).toMatch(/policy 2 \("b"\)\n +disabled/);
  });

  test("stays within the limit for many stacks with many warnings", () => {
    const plans = Array.from({ length: 1000 }, (_, index) =>
      stackPlan([policyChange([], [policy(`policy-${index}`)])], {
        stack: `tenant-${index}`,
        diagnostics: [warning(`Warning ${index}`, "Something. ".repeat(20))],
      }),
    );
    const text = renderMarkdown({ plans });
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(text).toMatch(/\d+ more groups, \d+ stacks, none weaker\./);
    expect(text).toMatch(/changes are left out: there is room for 65,536 characters/);
  });

  test("lists weakened protection as far as there is room", () => {
    const each = Array.from({ length: 500 }, (_, index) =>
      policy(`policy ${index}`, {
        checks: { [index + 1]: true },
        resources: { hosts: [`h${index}`] },
      }),
    );
    const gone = renderMarkdown({ plans: [stackPlan([policyChange(each, [policy("kept")])])] });
    expect(gone.match(/^- <code>cwp_thing.main<\/code>: /gm)).toHaveLength(25);
    expect(gone).toContain("\n- … and 474 more in 1 stack, 474 lose a block.");
  });

  test("says how many sentences about running containers it leaves out", () => {
    const counts = { consoles: 1, running: 9, uncertain: 0, missing: [], changes: [], regions: [] };
    const plans = Array.from({ length: 200 }, (_, index) => {
      const read = [{ console: `https://console-${index}.example.com`, at: new Date(0) }];
      const change = policyChange([policy(`p${index}`)], [policy("other")]);
      const live = { read, unread: [], counts };
      return stackPlan([withNote(change, LIVE, live)], { stack: `tenant-${index}` });
    });
    const text = renderMarkdown({ plans });
    const shown = text.match(/^- <code>tenant-\d+<\/code>: <code>/gm)?.length ?? 0;
    const [, more = ""] =
      /^- … and (\d+) more\. The reviews in HTML and JSON have all\.$/m.exec(text) ?? [];
    expect(shown + Number(more)).toBe(400);
    expect(Number(more)).toBeGreaterThan(0);
  });

  test("says how much of a long effect its list leaves out", () => {
    const checks = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [index, true]));
    const hosts = ["h1", "h2"];
    const change = policyChange([policy("p", { checks, resources: { hosts } })], []);
    const text = renderMarkdown({ plans: [stackPlan([change])] });
    expect(text).toMatch(/^- .*: <code>checks 0.* 9 and 390 more blocks .* for hosts h1.* h2 /m);
    expect(text.replace(/\s+/g, " ")).toContain("397, 398, 399 blocks -> not checked");
  });

  test("fences a run of backticks that is as long as a comment", () => {
    const text = renderMarkdown({
      plans: [stackPlan([policyChange([], [policy("`".repeat(30_000))])])],
    });
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(text).toMatch(/^~~~diff\n[^]*^~~~$/m);
  });

  test("keeps the diagnostics of a failed run within the limit", () => {
    const many = Array.from({ length: 5000 }, (_, index) =>
      error(`Broken ${index}`, "```\n</details> @everyone"),
    );
    const text = renderFailureMarkdown([warning("Soon to go", ""), ...many]);
    expect(text).toMatch(/^### Planning failed\n[^]*\n````text\nError: Broken 0\n[^]*\n````\n$/);
    expect(text).toMatch(/… \d+ more lines\n````\n$/);
    expect(text.length).toBeLessThanOrEqual(65_536);
  });

  test("observes another limit", () => {
    expect(renderMarkdown({ plans: [plan(50, 20)] }, { limit: 8000 }).length).toBeLessThanOrEqual(
      8000,
    );
  });
});

describe("foreign names", () => {
  test.each(HOSTILE)("%j is no markup, in no place", (name) => {
    const text = renderMarkdown({
      plans: [
        stackPlan([policyChange([policy("a")], [policy(name)], { address: `x["${name}"]` })], {
          stack: name,
          diagnostics: [warning(name, name)],
        }),
        stackPlan([]),
      ],
    });
    const fence = /^(`{3,})\w*\n[^]*?\n\1$/gm;
    const outside = text.replace(fence, "");
    expect(text.match(fence)).toHaveLength(2);
    // Outside of fences, there are only our own tags and no markup characters of the name.
    expect(outside.replace(/<\/?(code|details|summary|b|br|p)>|&#\d+;/g, "")).not.toMatch(
      /[<>`@[\]\\"!~]|(?<!\w)_|www|[^\P{C}\n]/u,
    );
    expect(outside.match(/^\|.*\|$/gm)?.map((row) => row.split("|").length)).toEqual([9, 9, 9]);
    expect(outside).not.toMatch(/^# heading|^---/m);
  });
});

test("the lines of a value keep their dashes, in Markdown and in HTML", () => {
  const change = resourceChange(
    { input: { type: { kind: "string" }, mode: "optional", description: "" } },
    null,
    {
      input: "rules:\n  - name: keep root out\n  + plus\n# hash\n",
    },
  );
  const lines = ["  - name: keep root out", "  + plus", "# hash"].map(
    (line) => `            ${line}`,
  );
  expect(renderMarkdown({ plans: [stackPlan([change])] })).toContain(`\n${lines.join("\n")}\n`);
  const html = renderHtml({ plans: [stackPlan([change])] });
  expect(html).toContain(`\n${lines.join("\n")}\n`);
});
