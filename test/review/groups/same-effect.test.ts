import { groupPlans, type GroupedPlans } from "../../../src/review/groups/group-plans";
import { renderGroups } from "../../../src/review/groups/groups-text";
import { renderHtml } from "../../../src/review/html/render-html";
import { renderMarkdown } from "../../../src/review/markdown/render-markdown";
import { PLAIN } from "../../../src/formats/text/style";
import { policy, policyChange } from "../entries/changes";
import { stackPlan } from "../plans";

/** Exempts prod-pay from the block of check 599, behind policies of the tenant that do not change. */
function exemption(stack: string, own: readonly string[], name = "root") {
  const policies = own.map((scope) =>
    policy(scope, { resources: { namespaces: [scope] }, checks: { "41": true } }),
  );
  const root = (namespaces: readonly string[]) =>
    policy(name, { resources: { namespaces: [...namespaces] }, checks: { "599": true } });
  const change = policyChange(
    [...policies, root(["prod-*"])],
    [...policies, root(["prod-*", "-prod-pay"])],
    { address: "cwp_compliance_policy_set.policies", endpoint: `https://${stack}.example` },
  );
  return stackPlan([change], { stack });
}

const membersOf = ({ groups }: GroupedPlans) => groups.map(({ stacks }) => stacks);
const textOf = (plans: Parameters<typeof groupPlans>[0], attributes = false) =>
  [
    ...renderGroups(groupPlans(plans, { attributes }), plans.length, {
      style: PLAIN,
      width: 80,
      attributes,
    }),
  ].join("");

describe("stacks that differ in policies that do not change", () => {
  const plans = ["a", "b", "c", "d"].map((stack) => exemption(stack, [`own-${stack}`]));

  test("are one group without a policy of one of them", () => {
    expect(membersOf(groupPlans(plans))).toEqual([["a", "b", "c", "d"]]);
    const forms = [textOf(plans), renderMarkdown({ plans }), renderHtml({ plans })];
    for (const form of forms) {
      expect(form).not.toContain("own-");
      expect(form).toContain("-prod-pay");
    }
    expect(textOf(plans).match(/will be updated in-place/g)).toHaveLength(1);
  });

  test("are separate groups where whole attributes are shown", () => {
    expect(membersOf(groupPlans(plans, { attributes: true }))).toEqual([
      ["a"],
      ["b"],
      ["c"],
      ["d"],
    ]);
  });

  test("are not alike if a policy that changes differs", () => {
    const other = exemption("e", ["own-e"], "another name");
    expect(membersOf(groupPlans([...plans, other]))).toEqual([["a", "b", "c", "d"], ["e"]]);
  });
});

describe("stacks whose changes differ, with the same effect on protection", () => {
  const plans = [
    exemption("a", ["own-a"]),
    exemption("b", ["own-b", "own-2"]),
    exemption("c", ["own-c"]),
    exemption("d", ["own-d", "own-2", "own-3"]),
  ];

  test("are one block that shows the effect once, and each change with its stacks", () => {
    const [group, ...others] = groupPlans(plans).groups;
    expect(others).toEqual([]);
    expect(group?.stacks).toEqual(["a", "b", "c", "d"]);
    expect(group?.variants.map(({ stacks }) => stacks)).toEqual([["a", "c"], ["b"], ["d"]].sort());
    const text = textOf(plans);
    expect(text.match(/check 599 blocks -> not checked/g)).toHaveLength(1);
    const parts = text.split(/^In (.*):$/m).slice(1);
    expect(parts.filter((_, index) => index % 2 === 0).sort()).toEqual(["a, c", "b", "d"]);
    expect(text).toMatch(/In d:\n[^]*policy 4 \("root"\)/);
  });

  test("count each stack in the table of Markdown, and name the stacks of each change", () => {
    const text = renderMarkdown({ plans });
    expect(text.match(/4 consoles, each/g)).toHaveLength(1);
    expect(text).toContain("**Protection: 4 weaker.**");
    for (const stacks of ["a&#44; c", "b", "d"]) {
      expect(text).toContain(`<details><summary><code>${stacks}</code> `);
    }
  });

  test("have one section in HTML, whose changes name their stacks", () => {
    const page = renderHtml({ plans });
    expect(page.match(/<section class="stack"/g)).toHaveLength(1);
    expect(page.match(/<section class="protection">/g)).toHaveLength(1);
    for (const stacks of ["a, c", "b", "d"]) expect(page).toContain(`> in ${stacks}</span>`);
  });

  test("are many blocks if their policies decide by other names", () => {
    const named = exemption("e", ["own-e"], "another name");
    expect(
      membersOf(groupPlans([...plans, named]))
        .map(({ length }) => length)
        .sort(),
    ).toEqual([1, 4]);
  });
});

test("thirty different changes with one effect name ten of them", () => {
  const plans = Array.from({ length: 30 }, (_, index) =>
    exemption(
      `tenant-${index}`,
      Array.from({ length: index }, (_, at) => `own-${at}`),
    ),
  );
  const text = textOf(plans);
  expect(text.match(/^In tenant-/gm)).toHaveLength(10);
  expect(text).toContain("And 20 more changes with this effect. Use --expand to see them.");
});
