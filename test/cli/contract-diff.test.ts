import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const directory = temporaryFolder();

async function diff(from: string, to: string, ...argv: string[]) {
  writeFileSync(join(directory, "from.yaml"), `version: 1\n${from}`);
  writeFileSync(join(directory, "to.yaml"), `version: 1\n${to}`);
  const terminal = new TestTerminal({ directory });
  const code = await terminal.run("protection", "diff", "from.yaml", "to.yaml", ...argv);
  return { code, out: terminal.out, err: terminal.err };
}

const require = (...members: readonly string[]) =>
  `require: [{ name: root, ${members.join(", ")} }]\n`;
const PROD = 'where: { namespaces: ["prod-*"] }';
const BLOCK = "checks: { 599: block }";
const root = require(PROD, BLOCK);
const waiver = (given = "") =>
  `waivers: [{ where: { namespaces: [prod-pay] }, checks: { 599: { from: block, to: alert } }, owner: me, reason: r, expires: "2999-01-01"${given} }]\n`;

test.each<readonly [promise: string, from: string, to: string]>([
  ["the same contract", root, root],
  ["another letter case", root, require('where: { namespaces: ["PROD-*"] }', BLOCK)],
  [
    "another order, owner and reason",
    root + waiver(),
    waiver().replace("owner: me, reason: r", "owner: you, reason: s") + root,
  ],
  ["another name", root, root.replace("root", "no root")],
  [
    "a requirement that is split",
    root,
    `require: [{ name: a, where: { namespaces: ["prod-*", "-prod-a*"] }, ${BLOCK} }, { name: b, where: [{ namespaces: ["prod-a*"] }, { namespaces: ["*"] }], ${BLOCK} }]\n`,
  ],
  [
    "a waiver that is split",
    root + waiver(", stacks: [a, b]"),
    root +
      `waivers: [{ where: { namespaces: [prod-pay] }, checks: { 599: { from: block, to: alert } }, stacks: [a], owner: x, reason: r, expires: "2999-01-01" }, { where: { namespaces: [prod-pay] }, unless: [{ images: ["-x", "*"] }], checks: { 599: { from: block, to: alert } }, stacks: [b], owner: me, reason: r, expires: "2999-01-01" }, { where: [{ namespaces: [prod-pay] }, { images: ["*", "-x"] }], checks: { 599: { from: block, to: alert } }, stacks: ["b*"], owner: me, reason: r, expires: "2999-01-01" }]\n`.replace(
        'stacks: ["b*"]',
        "stacks: [b]",
      ),
  ],
  [
    "a base line that became a requirement",
    'baseline: [{ policies: [{ name: a, resources: { namespaces: ["prod-*"] }, checks: { 599: true } }, { name: b, checks: {} }] }]\n',
    root,
  ],
  ["a waiver that has expired", root, root + waiver().replace("2999", "2020")],
])("finds no difference in %s", async (_, from, to) => {
  expect(await diff(from, to, "--fail-on", "weaker")).toEqual({
    code: 0,
    out: "\nfrom.yaml and to.yaml require alike.\n",
    err: "",
  });
});

test.each<readonly [promise: string, from: string, to: string, lines: readonly string[]]>([
  [
    "an exception of a requirement",
    root,
    require(PROD, BLOCK, "unless: [{ namespaces: [prod-sandbox] }]"),
    ['- requirement "root": check 599 block -> not required', "    namespaces prod-sandbox"],
  ],
  [
    "an effect",
    root,
    require(PROD, "checks: { 599: alert }"),
    ['- requirement "root": check 599 block -> alert', "    namespaces prod-*"],
  ],
  [
    "a requirement that is removed",
    root + "check_titles: { 599: runs as root }",
    "",
    [
      '- requirement "root": check 599 (runs as root) block -> not required',
      "    namespaces prod-*",
    ],
  ],
  [
    "a waiver that is added",
    root,
    root + waiver(", stacks: [tenant-7]"),
    [
      "- waiver of me until 2999-01-01 for stacks tenant-7: check 599 block ->",
      "  alert",
      "    namespaces prod-pay",
    ],
  ],
  [
    "a waiver that is prolonged",
    root + waiver().replace("2999", "2998"),
    root + waiver(),
    ["- waiver of me until 2999-01-01: it was until 2998-01-01"],
  ],
  [
    "a requirement of which one part is dropped",
    require(PROD, "checks: { 599: block, 41: block }"),
    `require: [{ name: a, where: { namespaces: ["prod-a*"] }, checks: { 599: block, 41: block } }, { name: b, ${PROD}, checks: { 599: alert, 41: block } }]\n`,
    [
      '- requirement "root": check 599 block -> alert',
      "    namespaces prod-*, except namespaces prod-a*",
    ],
  ],
  [
    "other stacks",
    root,
    require(PROD, BLOCK, "stacks: [prod]"),
    ['- requirement "root" for stacks prod: it was for all stacks'],
  ],
])("shows %s, and refuses it with --fail-on weaker", async (_, from, to, lines) => {
  const { code, out, err } = await diff(from, to, "--fail-on", "weaker");
  expect({ code, err }).toEqual({ code: 3, err: "" });
  const shown = lines.map((line) => `  ${line}\n`).join("");
  expect(out).toBe(
    `\nto.yaml may require less than from.yaml.\n\nFrom from.yaml to to.yaml:\n${shown}`,
  );
  const back = await diff(to, from);
  expect(back.code).toBe(0);
  expect(back.out).toContain("  + ");
  expect(back.out).not.toContain("  - ");
});

test("compares base lines by what they protect, and prints JSON", async () => {
  const policies = (block: boolean) =>
    `baseline: [{ policies: [{ name: a, checks: { 41: ${block} } }] }]\n`;
  const { code, out } = await diff(policies(true), policies(false), "--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    from: "from.yaml",
    to: "to.yaml",
    weaker: 1,
    stronger: 0,
    changes: [
      {
        change: "weaker",
        clause: 'base line "policies"',
        text: "check 41 block -> alert",
        places: ["everything"],
      },
    ],
  });
});

test("refuses a contract and policies, and a contract with errors", async () => {
  writeFileSync(join(directory, "base.json"), "[]");
  const terminal = new TestTerminal({ directory });
  expect(await terminal.run("protection", "diff", "base.json", "to.yaml")).toBe(1);
  expect(terminal.err).toContain("Two contracts expected");
  const { code, err } = await diff("requires: []\n", "");
  expect(code).toBe(1);
  expect(err).toContain("from.yaml:2");
});
