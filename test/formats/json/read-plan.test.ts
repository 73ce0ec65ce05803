import { stringifyJson } from "../../../src/core/json/lossless-json";
import { exactNumber } from "../../../src/core/values";
import { renderPlan } from "../../../src/formats/text/plan-text";
import { readPlanJson } from "../../../src/formats/json/read-plan";
import { createStyle } from "../../../src/formats/text/style";

const read = (json: object) =>
  readPlanJson(
    JSON.stringify({ format_version: "1.2", planned_values: {}, ...json }),
    "prod",
    "plan.json",
    { schemaOf: () => undefined },
  );

test("shows resources of other providers by their values", () => {
  const change = {
    actions: ["update"],
    before: { ports: [[80, "tcp"]], tags: { a: "1" }, note: null, token: "hidden" },
    after: { ports: [[443, "tcp"]], tags: { a: "1" }, note: null, token: "other" },
    after_unknown: { id: true },
    before_sensitive: { token: true },
    after_sensitive: { token: true },
  };
  const address = { address: "net_rule.a[0]", mode: "managed", type: "net_rule", name: "a" };
  const { plans, diagnostics } = read({ resource_changes: [{ ...address, index: 0, change }] });
  expect(diagnostics).toEqual([]);
  const text = renderPlan(plans[0]!, { style: createStyle(false), width: 78 });
  expect(text).toContain("# net_rule.a[0] will be updated in-place");
  expect(text).toContain("443");
  expect(text).toContain("(known after apply)");
  expect(text).not.toContain("hidden");
});

test("keeps all digits of numbers", () => {
  const text = `{"format_version":"1.2","planned_values":{},"output_changes":{"n":{"actions":["create"],"after":9007199254740993,"after_unknown":false}}}`;
  const { plans } = readPlanJson(text, "prod", "plan.json", { schemaOf: () => undefined });
  expect(renderPlan(plans[0]!, { style: createStyle(false), width: 78 })).toContain(
    "+ n = 9007199254740993",
  );
});

test("reads the plans of several stacks, which name them", () => {
  const plan = { format_version: "1.2", planned_values: {} };
  const text = JSON.stringify({ format_version: "1.0", stacks: { a: plan, b: plan } });
  const { plans } = readPlanJson(text, "file", "file.json", { schemaOf: () => undefined });
  expect(plans.map(({ stack }) => stack)).toEqual(["a", "b"]);
});

test("warns of a plan that ended with an error", () => {
  const { plans, diagnostics } = read({ errored: true });
  expect(plans).toMatchObject([{ complete: false }]);
  expect(diagnostics).toMatchObject([{ severity: "warning", summary: "Plan is incomplete" }]);
});

test("warns of the actions that a plan invokes", () => {
  const trigger = {
    triggering_resource_address: "cwp_compliance_policy_set.policies",
    action_trigger_event: "AfterCreate",
    action_trigger_block_index: 0,
  };
  const { diagnostics } = read({
    action_invocations: [
      { address: "action.cwp_container_scan.all", lifecycle_action_trigger: trigger },
      { address: "action.net_restart.now", invoke_action_trigger: {} },
    ],
  });
  expect(diagnostics).toEqual([
    {
      severity: "warning",
      summary: "Plan invokes actions",
      detail:
        'The plan of "prod" also invokes actions, and does not show what they change: action.cwp_container_scan.all, at AfterCreate of cwp_compliance_policy_set.policies; action.net_restart.now.',
    },
  ]);
});

test.each([
  ["unknown actions", { actions: ["juggle"] }, /a\.b has unknown actions: juggle/],
  ["a change without actions", {}, /not the JSON of a plan/],
])("refuses %s", (_, change, message) => {
  const one = { address: "a.b", mode: "managed", type: "a", name: "b", change };
  const { plans, diagnostics } = read({ resource_changes: [one] });
  expect(plans).toEqual([]);
  expect(diagnostics[0]!.detail).toMatch(message);
});

describe("plans of many stacks", () => {
  const changed = (after: object) => {
    const address = { address: "net_rule.a", mode: "managed", type: "net_rule", name: "a" };
    const change = { actions: ["create"], before: null, after, after_unknown: { ports: [{}] } };
    return read({ resource_changes: [{ ...address, change }] }).plans[0]!.changes[0]!.after!;
  };

  test("share the values that are alike", () => {
    const [one, other] = ["one", "other"].map((name) =>
      changed({ name, tags: { env: "prod" }, ports: [80], size: { max: 1.5 } }),
    );
    expect(one).not.toEqual(other);
    for (const name of ["tags", "ports"]) expect(one![name]).toBe(other![name]);
    expect(other!.size).toEqual(one!.size);
  });

  test("keep an exact number and an object that looks like one apart", () => {
    const number = "9007199254740993";
    const text = (size: string) =>
      `{"format_version":"1.2","planned_values":{},"resource_changes":[{"address":"a.b","mode":"managed","type":"a","name":"b","change":{"actions":["create"],"before":null,"after":{"size":{"max":${size}}}}}]}`;
    const alike = JSON.stringify(exactNumber(number));
    for (const size of [number, alike]) {
      const { plans } = readPlanJson(text(size), "a", "a.json", { schemaOf: () => undefined });
      expect(stringifyJson(plans[0]!.changes[0]!.after!.size)).toBe(`{"max":${size}}`);
    }
  });
});

describe("several documents in one file", () => {
  const plan = JSON.stringify({ format_version: "1.2", planned_values: {} });
  const readText = (text: string) =>
    readPlanJson(text, "all", "all.json", { schemaOf: () => undefined });
  const stacksOf = (text: string) => readText(text).plans.map(({ stack }) => stack);

  const pretty = JSON.stringify({ ...(JSON.parse(plan) as object), x: '}{"' }, null, 2);

  test.each([
    ["one on each line, as Terragrunt prints them", `${plan}\n\n${plan}\n`, ["all-1", "all-2"]],
    ["on several lines each", `${pretty}\n${pretty}`, ["all-1", "all-2"]],
    ["with nothing in between", `${plan}${pretty}`, ["all-1", "all-2"]],
    ["in a list", `[${plan},${plan}]`, ["all-1", "all-2"]],
    [
      "behind the command of setup-terraform's wrapper",
      `[command]/t show\n${plan}\n::debug::0\n`,
      ["all"],
    ],
    [
      "behind the times and levels of Terragrunt",
      `10:48:17.146 INFO   Unit a\n10:48:17.146 STDOUT [a] tofu: ${plan}\n10:48:18.2 STDOUT [b] tofu: ${plan}`,
      ["all-1", "all-2"],
    ],
    [
      "in the log of a runner",
      `2026-11-28T03:00:00.1234567Z ##[group]Run\r\n2026-11-28T03:00:00.2Z ${plan}\r\n`,
      ["all"],
    ],
    [
      "behind the command of npm, in colour",
      `\n> app@1.0.0 show\n> terraform show\n\n\u001b[0m${plan}\u001b[0m\n`,
      ["all"],
    ],
    ["with a byte order mark", `\uFEFF${plan}`, ["all"]],
  ])("reads plans %s", (_, text, stacks) => {
    expect(stacksOf(text)).toEqual(stacks);
  });

  test("names the document that is no plan", () => {
    const { plans, diagnostics } = readText(`${plan}\n{}\n`);
    expect(plans).toHaveLength(1);
    expect(diagnostics[0]?.detail).toContain("all.json, document 2: ");
  });

  test.each([
    [
      "has no end",
      `${plan}\n${pretty.slice(0, -1)}`,
      "The JSON document that begins in line 2 has no end.",
    ],
    [
      "is no JSON",
      `${plan}\nsecret-text\n`,
      "Line 2 has a text that is no JSON document, behind 1 of them.",
    ],
    ["is broken", `${plan}\n{"a":}`, "Line 2 has a text that is no JSON document"],
  ])("names the line of a document that %s, and not its text", (_, text, detail) => {
    const { plans, diagnostics } = readText(text);
    expect(plans).toEqual([]);
    expect(diagnostics[0]?.detail.toString()).toContain(detail);
    expect(diagnostics[0]?.detail.toString()).not.toContain("secret-text");
  });
});

describe("lists of objects that no schema describes", () => {
  const shown = (before: unknown, after: unknown) => {
    const address = { address: "net_rule.a", mode: "managed", type: "net_rule", name: "a" };
    const change = { actions: ["update"], before: { list: before }, after: { list: after } };
    const { plans } = read({ resource_changes: [{ ...address, change }] });
    const text = renderPlan(plans[0]!, { style: createStyle(false), width: 78, attributes: true });
    return [...text.matchAll(/^ {10}([-+~ ]) (.+)$/gm)].map(
      ([, symbol, rest]) => `${symbol} ${rest}`,
    );
  };

  test.each([
    ["a list", ["1", "2", "3"], ["2", "3", "0"], ['- "1",', '  "2",', '  "3",', '+ "0",']],
    ["a set", ["1", "2", "3"], ["0", "1", "3"], ['+ "0",', '  "1",', '- "2",', '  "3",']],
    ["objects", [{ a: 1 }, { a: 2 }], [{ a: 2 }, { a: 3 }], ["- {", "  {", "+ {"]],
    [
      "a changed object",
      [
        { a: 1, b: 1 },
        { a: 2, b: 1 },
      ],
      [
        { a: 1, b: 1 },
        { a: 3, b: 1 },
      ],
      ["  {", "~ {"],
    ],
  ])("align the elements of %s", (_, before, after, lines) => {
    const found = shown(before, after).filter(
      (line) => !/^. \s/.test(line) && !line.startsWith("  }"),
    );
    expect(found).toEqual(lines);
  });
});
