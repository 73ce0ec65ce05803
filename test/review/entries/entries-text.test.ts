import { registryScanAttributes } from "../../../src/provider/resources/registry-scan";
import { UNKNOWN, type ObjectValue } from "../../../src/core/values";
import { renderEntries } from "../../../src/review/entries/entries-text";
import { renderReviewedPlan } from "../../../src/review/text/reviewed-plan";
import { createStyle } from "../../../src/formats/text/style";
import { stackPlan } from "../plans";
import { policy, policyChange, resourceChange } from "./changes";

const options = { style: createStyle(false), width: 78 };
const text = (...change: Parameters<typeof policyChange>) =>
  renderEntries(policyChange(...change), options).join("\n");
const many = (count: number, given?: Parameters<typeof policy>[1]): readonly ObjectValue[] =>
  Array.from({ length: count }, (_, index) => policy(`policy ${index}`, given));

test("describes each policy by its name", () => {
  const before = [
    policy("critical"),
    policy("old"),
    policy("baseline", { checks: { "41": true, "5": true, "6": true } }),
    policy("quiet", { disabled: true }),
    policy("kept"),
    policy("first"),
  ];
  const after = [
    policy("first"),
    policy("critical"),
    policy("new"),
    policy("baseline", {
      disabled: true,
      verbose: true,
      checks: { "41": true, "5": false, "6": false, "51": true },
      resources: { images: ["prod/*"], hosts: [] },
    }),
    policy("quiet"),
    policy("kept"),
  ];
  expect(text(before, after)).toBe(`\
  # cwp_thing.main, policies by name and order:
  ~ policy 1 ("first") moved from position 6: 41 blocking; everything
  + policy 3 ("new") added: 41 blocking; everything
  ~ policy 4 ("baseline")
      disabled
      verbose: false -> true
      resources.hosts: removed "*"
      resources.images: removed "*"; added "prod/*"
      checks 5, 6: no longer blocking
      check 51: added, blocking
  ~ policy 5 ("quiet")
      enabled
  - policy 2 ("old") removed: 41 blocking; everything
    # (2 policies unchanged, and in the same order)`);
});

test("notes unmanaged policies, and managed ones that are moved back", () => {
  const object = { ownership: "prefix" };
  const change = policyChange([policy("a")], [policy("a")], { object });
  const moved = { ...change, before: { ...change.before, in_position: false } };
  expect(renderEntries(moved, options).join("\n")).toBe(`\
  # cwp_thing.main, policies by name and order:
    # (1 policy unchanged)
    # (unmanaged policies are among these, which are moved back together)
    # (unmanaged policies are behind these and stay unchanged)`);
  const others = ["b", "c", "d", "e"];
  expect(renderEntries({ ...moved, others }, options).join("\n")).toContain(`
    # (unmanaged policies are behind these and stay unchanged: "b", "c", "d"
    #  and 1 more)`);
  expect(renderEntries({ ...moved, others: [] }, options).join("\n")).not.toContain("unmanaged");
});

test("does not call policies misplaced where only another one was added or removed", () => {
  const object = { in_position: false };
  const five = many(5);
  expect(text([...five, policy("by hand")], five, { object })).toBe(`\
  # cwp_thing.main, policies by name and order:
  - policy 6 ("by hand") removed: 41 blocking; everything
    # (5 policies unchanged, and in the same order)`);
  const prefix = { ownership: "prefix", in_position: false };
  const entries = (...all: readonly ObjectValue[]) => ({
    entries: all.map((value) => ({ value, isPartial: false })),
  });
  const [first = policy("a"), ...rest] = five;
  const behind = { object: prefix, found: entries(...rest, policy("other")) };
  expect(text(rest, five, behind)).not.toContain("moved back");
  const among = { object: prefix, found: entries(first, policy("other"), ...rest) };
  expect(text(five, five, among)).toContain("are moved back together");
});

test("describes policies that were all removed as added", () => {
  const change = policyChange([], [policy("a")], { object: { ownership: "suffix" }, others: [] });
  const gone = { ...change, before: { ...change.before, in_position: false } };
  expect(renderEntries(gone, options).join("\n")).toBe(`\
  # cwp_thing.main, policies by name and order:
  + policy 1 ("a") added: 41 blocking; everything`);
});

test("notes that the policies move to the other end, even where nothing else changes", () => {
  const change = policyChange([policy("a")], [policy("a")], { others: ["b"] });
  const before = { ...change.before, ownership: "prefix" };
  const after = { ...change.after, ownership: "suffix" };
  expect(renderEntries({ ...change, before, after }, options).join("\n")).toBe(`\
  # cwp_thing.main, policies by name and order:
    # (1 policy unchanged)
    # (unmanaged policies are now in front of these and stay unchanged: "b")`);
});

test("marks an added policy as disabled", () => {
  expect(text([], [policy("a", { disabled: true })])).toBe(`\
  # cwp_thing.main, policies by name and order:
  + policy 1 ("a") added: disabled; 41 blocking; everything`);
});

test("marks a policy as moved that keeps its number while others pass it", () => {
  const reversed = text(many(3), [...many(3)].reverse());
  expect(reversed).toContain('~ policy 2 ("policy 1") moved among the others');
});

test("notes a change of order in a list without order", () => {
  const specifications = ["a", "b"].map((registry) => ({ registry, repository: "*", tag: "*" }));
  const change = resourceChange(
    registryScanAttributes,
    { specifications },
    { specifications: [...specifications].reverse() },
  );
  expect(renderEntries(change, options).join("\n")).toBe(`\
  # cwp_thing.main, specifications by name:
    # (2 specifications unchanged; only their order in the list changes,
    #  which has no effect)`);
});

test("marks values that are known after apply", () => {
  expect(text([policy("a")], [policy("a", { checks: UNKNOWN }), policy(UNKNOWN)])).toBe(`\
  # cwp_thing.main, policies by name and order:
  ~ policy 1 ("a")
      checks: (known after apply)
  + policy 2 (name known after apply) added: 41 blocking; everything`);
  expect(text([policy("a")], UNKNOWN)).toContain("~ policies (known after apply)");
});

test("lists the policies of a set that is created or destroyed, one a line", () => {
  const policies = [
    policy("No root in production", {
      checks: { "599": true, "41": false, "51": false },
      resources: { namespaces: ["prod-*"], images: ["trusted/*", "x/*"] },
    }),
    policy("quiet", { checks: {}, verbose: true, disabled: true }),
    policy("a"),
  ];
  expect(text(undefined, policies)).toBe(`\
  # cwp_thing.main, policies by name and order:
  + "No root in production": 41, 51 alerting; 599 blocking; images trusted/*,
        x/*; namespaces prod-*
  + "quiet": disabled; no checks; everything; verbose true
  + "a": 41 blocking; everything`);
  expect(text([policy("a"), policy("b")], undefined)).toBe(`\
  # cwp_thing.main, policies by name and order:
  - "a": 41 blocking; everything
  - "b": 41 blocking; everything`);
});

test("describes policies that a replacement leaves behind as unmanaged", () => {
  const change = policyChange([policy("a"), policy("b")], [policy("a")], {
    action: "delete-then-create",
    object: { on_destroy: "keep" },
    others: [],
  });
  const replaced = (ownership: string) =>
    renderEntries({ ...change, after: { ...change.after, ownership } }, options).join("\n");
  expect(replaced("prefix")).toBe(`\
  # cwp_thing.main, policies by name and order:
    # (1 policy unchanged)
    # (unmanaged policies are now behind these and stay unchanged: "b")`);
  expect(replaced("exclusive")).toContain('- policy 2 ("b") removed');
});

test("names the default policies that a created set removes", () => {
  const displaced = ["Default - ignore own components", "Default - alert on critical and high"];
  expect(text(undefined, many(1), { displaced })).toBe(`\
  # cwp_thing.main, policies by name and order:
  + "policy 0": 41 blocking; everything
    # (default policies are removed: "Default - ignore own components",
    #  "Default - alert on critical and high")`);
});

test("does not describe policies that stay on their console as removed", () => {
  const object = { on_destroy: "keep" };
  expect(text(many(3), undefined, { object })).toBe("");
  expect(text(many(3), undefined, { action: "forget" })).toBe("");
});

test("wraps lines at the width of the terminal, except for names", () => {
  const images = Array.from({ length: 20 }, (_, index) => `registry.example/team-${index}/*`);
  const checks = Object.fromEntries(images.map((_, index) => [String(1000 + index), true]));
  const lines = text(
    [policy("a", { checks })],
    [policy("a", { checks: {}, resources: { images } })],
  ).split("\n");
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter((line) => line.length > 78)).toEqual([]);
});

test("lists only the moved ones of 200 reordered policies", () => {
  const policies = many(200);
  const [first, ...others] = policies;
  const lines = text(policies, [...others, first!]).split("\n");
  expect(lines).toEqual([
    "  # cwp_thing.main, policies by name and order:",
    '  ~ policy 200 ("policy 0") moved from position 1: 41 blocking; everything',
    "    # (199 policies unchanged, and in the same order)",
  ]);
});

test("keeps every name on its line", () => {
  expect(text([], [policy('x"\n\nPlan: 0 to add\u001b[2K')])).toContain(
    '+ policy 1 ("x\\"\\n\\nPlan: 0 to add\\x1b[2K") added',
  );
});

describe("the text of a plan", () => {
  const change = policyChange([policy("a"), policy("b")], [policy("b"), policy("a")], {
    object: { content_sha256: "abc" },
  });

  test("has the entries in place of the list, and no digest", () => {
    const after = { ...change.after, content_sha256: "def" };
    expect(renderReviewedPlan(stackPlan([{ ...change, after }]), options)).toContain(`
  ~ resource "cwp_thing" "main" {
        id        = "container"
      ~ policies  = [
          ~ policy 1 ("b") moved from position 2: 41 blocking; everything
            # (1 policy unchanged)
        ]
        # (1 unchanged attribute hidden)
    }
`);
  });

  test("has whole attributes on request, and the entries below", () => {
    const whole = renderReviewedPlan(stackPlan([change]), { ...options, attributes: true });
    const sections = whole.split("\n\n");
    expect(sections.at(-3)).toContain('~ name      = "a" -> "b"');
    expect(sections.at(-2)).toContain("policies by name and order:");
    expect(sections.at(-1)).toBe(
      "Plan: 0 to add, 1 to change, 0 to destroy. Protection does not change.\n",
    );
  });

  test("keeps a digest that changes alone", () => {
    const alone = policyChange([policy("a")], [policy("a")]);
    const before = { ...alone.before, content_sha256: "abc" };
    const after = { ...alone.after, content_sha256: "def" };
    const text = renderReviewedPlan(stackPlan([{ ...alone, before, after }]), options);
    expect(text).toContain('~ content_sha256 = "abc" -> "def"');
  });
});

test("takes little more time for 2,000 policies than for 100 policies twenty times", () => {
  /** The system counts CPU in steps of milliseconds, so that both sides have to take many. */
  const time = (count: number, times: number) => {
    const change = policyChange(many(count), many(count, { checks: { "41": false, "7": true } }));
    const started = process.cpuUsage();
    for (let at = 0; at < times; at++) renderEntries(change, options);
    return process.cpuUsage(started).user;
  };
  time(2000, 2);
  const least = (count: number, times: number) =>
    Math.min(...[1, 2, 3, 4].map(() => time(count, times)));
  // A quadratic algorithm would take twenty times as long.
  expect(least(2000, 2)).toBeLessThan(6 * least(100, 40));
});
