import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reviewSchema } from "../../src/review/json/review-schema";
import type { Simulator } from "../../src/simulator";
import { startSimulator } from "../support/habitual-simulator";
import type { ObjectValue } from "../../src/core/values";
import { protecting, SET } from "../review/protection/sets";
import { consoleStack, SECRETS, temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const ADDRESS = "cwp_compliance_policy_set.policies";
const EXEMPT = protecting("exempt", { namespaces: ["prod-pay"] }, "~599", "41");

/** Requires what `root` of the set does. */
const REQUIREMENT = `
version: 1
require:
  - name: no root in production
    where: { namespaces: ["prod-*"] }
    checks: { 599: block }
    unless: [{ namespaces: ["prod-sandbox"] }]
`;

const WAIVER = `
waivers:
  - where: { namespaces: ["prod-pay"] }
    checks: { 599: { from: block, to: alert } }
    stacks: ["prod"]
    owner: payments@example.com
    reason: runs as root until the migration
    expires: 2999-03-01
`;

let simulator: Simulator;
let directory: string;

beforeAll(async () => {
  simulator = await startSimulator();
  directory = temporaryFolder();
  write(SET);
  expect((await run("apply", "--auto-approve")).code).toBe(0);
});
afterAll(() => simulator.close());
beforeEach(() => {
  rmSync(join(directory, "protection.yaml"), { force: true });
});

function write(
  policies: readonly ObjectValue[],
  given: StackJson = {},
  more: StackJson = {},
): void {
  const { resource, ...stack } = consoleStack(simulator);
  const set = { policies, depends_on: ["cwp_license.license"], ...given };
  const resources = { ...(resource as StackJson), cwp_compliance_policy_set: { policies: set } };
  writeStacks(directory, { prod: { ...stack, ...more, resource: resources } });
}

function contract(text: string, file = "protection.yaml"): void {
  writeFileSync(join(directory, file), text);
}

async function run(command: string, ...argv: string[]) {
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const isReview = command === "review";
  const source = isReview ? [] : ["--out-dir", "cdktf.out"];
  const code = await terminal.run(command, ...source, ...argv);
  return {
    code,
    out: terminal.out.replaceAll(/\s+/g, " "),
    err: terminal.err.replaceAll(/\s+/g, " "),
  };
}

describe("a requirement", () => {
  test("passes where it is proved", async () => {
    contract(REQUIREMENT);
    write(SET);
    expect(await run("plan")).toMatchObject({ code: 0, err: "" });
  });

  test("refuses a plan that violates it, with the region, a workload and the policies", async () => {
    contract(REQUIREMENT);
    write([EXEMPT, ...SET]);
    const { code, err } = await run("plan");
    expect(code).toBe(1);
    expect(err).toContain(
      'Error: Requirement is violated protection.yaml:4: "no root in production" is not met by prod. namespaces prod-pay: check 599 blocks -> alerts; policy 1 ("exempt") decides. For example namespace prod-pay. Policy 2 ("root") does what is required: move it in front.',
    );
  });

  test("does not ask for anything in the namespaces that it leaves out", async () => {
    contract(REQUIREMENT);
    write([protecting("sandbox", { namespaces: ["prod-sandbox"] }, "41"), ...SET]);
    expect((await run("plan")).code).toBe(0);
  });

  test("shows the title of a check", async () => {
    contract(`${REQUIREMENT}\ncheck_titles: { 599: container runs as root }`);
    write([EXEMPT, ...SET]);
    expect((await run("plan")).err).toContain(
      "check 599 (container runs as root) blocks -> alerts",
    );
  });

  test("lets an apply send nothing", async () => {
    contract(REQUIREMENT);
    write([EXEMPT, ...SET]);
    expect((await run("apply", "--auto-approve")).code).toBe(1);
    write(SET);
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  });

  test("judges a saved plan when it is applied", async () => {
    write([EXEMPT, ...SET]);
    expect((await run("plan", "--out", "exempt.plan")).code).toBe(0);
    contract(REQUIREMENT);
    const { code, err } = await run("apply", "exempt.plan");
    expect(code).toBe(1);
    expect(err).toContain("Requirement is violated");
  });

  test("judges the JSON of a plan", async () => {
    write([EXEMPT, ...SET]);
    await run("plan", "--out", "exempt.plan");
    const shown = new TestTerminal({ directory, environment: SECRETS });
    await shown.run("show", "exempt.plan", "--json");
    writeFileSync(join(directory, "prod.json"), shown.out);
    contract(REQUIREMENT);
    expect((await run("review", "prod.json")).err).toContain("Requirement is violated");
    contract(REQUIREMENT + WAIVER);
    expect((await run("review", "prod.json", "--fail-on", "weaker")).code).toBe(0);
  });

  test("is violated by a stack without policies, unless --allow-unknown", async () => {
    contract(REQUIREMENT);
    writeStacks(directory, { empty: { ...consoleStack(simulator), resource: {} } });
    const { code, err } = await run("plan");
    expect((await run("plan", "--allow-unknown")).code).toBe(0);
    expect(code).toBe(1);
    expect(err).toContain("It cannot be proved: The plan has no compliance policies of a console.");
  });

  test("hides sensitive policies", async () => {
    contract(REQUIREMENT);
    const name = '${sensitive("tucked-away")}';
    write([{ ...EXEMPT, name }, ...SET]);
    const { code, err, out } = await run("plan");
    expect(code).toBe(1);
    expect(err).toContain("(sensitive value)");
    expect(out + err).not.toContain("tucked-away");
  });

  test("is for the stacks with its labels", async () => {
    contract(`${REQUIREMENT}    labels: { ring: canary }`);
    write([EXEMPT, ...SET], {}, { "//": { labels: { ring: "canary" } } });
    expect((await run("plan")).code).toBe(1);
    write([EXEMPT, ...SET], {}, { "//": { labels: { ring: "rest" } } });
    expect((await run("plan")).code).toBe(0);
  });
});

describe("a base line", () => {
  test.each([
    ["as a resource has them", JSON.stringify(SET)],
    [
      "as a construct has them",
      JSON.stringify([
        {
          name: "root",
          resources: { namespaces: ["prod-*"], accountIds: ["*"] },
          extraJson: '{"notes":"all"}',
          checks: { 599: true },
        },
      ]),
    ],
    [
      "as a console exports them",
      JSON.stringify([
        {
          name: "root",
          resources: { namespaces: ["prod-*"] },
          condition: { vulnerabilities: [{ id: 599, block: true }] },
        },
      ]),
    ],
  ])("of policies %s refuses a set that protects less", async (_, policies) => {
    writeFileSync(join(directory, "base.json"), policies);
    contract("version: 1\nbaseline: [{ policies: base.json }]");
    write(SET);
    expect(await run("plan", "--fail-on", "weaker")).toMatchObject({ code: 0, err: "" });
    write([EXEMPT, ...SET]);
    const { code, err } = await run("plan");
    expect(code).toBe(1);
    expect(err).toContain(
      "Base line is not met protection.yaml:2: prod protects less than base.json.",
    );
  });

  test("is compared with the set, whatever the console had before", async () => {
    contract(`version: 1\nbaseline: [{ policies: ${JSON.stringify(SET)} }]`);
    write([EXEMPT, ...SET]);
    rmSync(join(directory, "protection.yaml"));
    expect((await run("apply", "--auto-approve")).code).toBe(0);
    contract(`version: 1\nbaseline: [{ policies: ${JSON.stringify(SET)} }]`);
    expect((await run("plan", "--fail-on", "weaker", "--strict")).code).toBe(1);
    write(SET);
    expect((await run("apply", "--auto-approve")).code).toBe(0);
  });
});

describe("a waiver", () => {
  test("lets through what it contains", async () => {
    contract(REQUIREMENT + WAIVER);
    write([EXEMPT, ...SET]);
    const { code, err, out } = await run("plan", "--fail-on", "weaker");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const waiver = "- payments@example.com, until 2999-03-01: runs as root until the migration";
    expect(out).toContain(`Waived by the contract: ${waiver}`);
  });

  test("is in each form of the review that it lets through, as text", async () => {
    contract(REQUIREMENT + WAIVER.replace("until the migration", "<b>until</b> `x`"));
    write([EXEMPT, ...SET]);
    const files = ["--html", "r.html", "--markdown", "r.md", "--review-json", "r.json"];
    expect((await run("plan", ...files)).code).toBe(0);
    const [html, markdown, json] = ["r.html", "r.md", "r.json"].map((name) =>
      readFileSync(join(directory, name), "utf8"),
    );
    const signed = "payments@example.com, until 2999-03-01: runs as root ";
    expect(html).toContain(`<li>${signed}&lt;b>until&lt;/b> \`x\`</li>`);
    const escaped =
      "payments&#64;example.com&#44; until 2999-03-01&#58; runs as root &#60;b&#62;until&#60;&#47;b&#62; &#96;x&#96;";
    expect(markdown).toContain(`\n**Waived by the contract:**\n\n- <code>${escaped}</code>\n`);
    expect(reviewSchema.parse(JSON.parse(json ?? "")).waivers).toEqual([
      {
        owner: "payments@example.com",
        reason: "runs as root <b>until</b> `x`",
        expires: "2999-03-01",
      },
    ]);
  });

  test("refuses one more namespace, and names it", async () => {
    contract(REQUIREMENT + WAIVER);
    write([protecting("exempt", { namespaces: ["prod-pay", "prod-web"] }, "~599", "41"), ...SET]);
    const { code, err } = await run("plan", "--fail-on", "weaker");
    expect(code).toBe(1);
    expect(err).toContain("For example namespace prod-web.");
    expect(err).toContain("Error: Protection gets weaker");
  });

  test("refuses a check that does less than it allows", async () => {
    contract(REQUIREMENT + WAIVER);
    write([protecting("exempt", { namespaces: ["prod-pay"] }, "41"), ...SET]);
    expect((await run("plan")).code).toBe(1);
  });

  test("refuses with 3 what only gets weaker", async () => {
    contract("version: 1");
    write([EXEMPT, ...SET]);
    expect((await run("plan", "--fail-on", "weaker")).code).toBe(3);
    contract(`version: 1${WAIVER}`);
    expect((await run("plan", "--fail-on", "weaker")).code).toBe(0);
  });

  test("is for its stacks only", async () => {
    contract(REQUIREMENT + WAIVER.replace('stacks: ["prod"]', "labels: { ring: canary }"));
    write([EXEMPT, ...SET]);
    expect((await run("plan")).code).toBe(1);
  });

  test("that has expired has no effect, and is reported", async () => {
    contract(REQUIREMENT + WAIVER.replace("2999", "2020"));
    write([EXEMPT, ...SET]);
    const { code, out } = await run("plan");
    expect(code).toBe(1);
    expect(out).toContain(
      "Warning: Waiver has expired protection.yaml:10: the waiver of payments@example.com was valid until 2020-03-01. Remove it, or set a later date if it is approved again.",
    );
  });

  test("that nothing needs is reported", async () => {
    contract(REQUIREMENT + WAIVER);
    write([...SET, protecting("last", { images: ["x"] }, "51")]);
    const { code, out } = await run("plan");
    expect(code).toBe(0);
    expect(out).toContain("Warning: Waiver is not used protection.yaml:10:");
    write(SET);
    expect((await run("plan")).out).not.toContain("Waiver is not used");
  });
});

describe("--propose-waivers", () => {
  test("writes what has to be signed, and no contract takes it unsigned", async () => {
    contract(REQUIREMENT);
    write([EXEMPT, ...SET]);
    const { code, err } = await run("plan", "--propose-waivers", "proposed.yaml");
    expect({ code, err }).toMatchObject({ code: 1, err: expect.anything() as string });
    const proposed = readFileSync(join(directory, "proposed.yaml"), "utf8");
    expect(proposed).toContain(`
waivers:
  # namespaces prod-pay: check 599 blocks -> alerts
  # for example namespace prod-pay
  - where: {"namespaces":["prod-pay"]}
    checks: {"599":{"from":"block","to":"alert"}}
    stacks: ["prod"]
    owner: ""
`);
    const waivers = proposed.replace(/^[^]*version: 1\n/, "");
    contract(REQUIREMENT + waivers);
    expect((await run("plan")).err).toContain('"owner" must not be empty');
    const signed = waivers
      .replace('owner: ""', "owner: payments@example.com")
      .replace('reason: ""', "reason: migration")
      .replace('expires: ""', "expires: 2999-01-01");
    contract(REQUIREMENT + signed);
    expect((await run("plan", "--fail-on", "weaker")).code).toBe(0);
  });

  test("allows the change only, and not what the policy would lose as a whole", async () => {
    const finance = { images: ["*/finance/*"], namespaces: ["prod*"] };
    const kept = protecting("kept", finance, "599");
    write([protecting("all", {}, "599")]);
    expect((await run("apply", "--auto-approve")).code).toBe(0);
    write([kept, protecting("all", { images: ["registry/*"], namespaces: ["prod*"] }, "599")]);
    expect((await run("plan", "--propose-waivers", "proposed.yaml")).code).toBe(0);
    const proposed = readFileSync(join(directory, "proposed.yaml"), "utf8");
    expect(proposed).toContain(`
  - unless: [${JSON.stringify(finance)},{"images":["registry/*"],"namespaces":["prod*"]}]
    checks: {"599":{"from":"block","to":"none"}}
`);
    contract(proposed.replaceAll(/(owner|reason): ""/g, "$1: me").replace('""', "2999-01-01"));
    expect((await run("plan", "--fail-on", "weaker")).code).toBe(0);
    write([]);
    expect((await run("plan", "--fail-on", "weaker")).code).toBe(3);
    write([protecting("all", { images: ["registry/*"], namespaces: ["prod*"] }, "599")]);
    expect((await run("plan", "--fail-on", "weaker")).code).toBe(3);
    rmSync(join(directory, "protection.yaml"));
    write(SET);
    expect((await run("apply", "--auto-approve")).code).toBe(0);
  });

  test("has a comment for what no waiver can allow", async () => {
    contract(REQUIREMENT);
    writeStacks(directory, { empty: { ...consoleStack(simulator), resource: {} } });
    expect((await run("plan", "--propose-waivers", "proposed.yaml")).code).toBe(1);
    const proposed = readFileSync(join(directory, "proposed.yaml"), "utf8");
    expect(proposed).toContain(
      "# No waiver for empty: The plan has no compliance policies of a console.\n",
    );
    expect(proposed).toContain("\nwaivers: []\n");
  });

  test("writes an empty list if nothing is needed, and never the contract", async () => {
    contract(REQUIREMENT);
    write(SET);
    expect((await run("plan", "--propose-waivers", "proposed.yaml")).code).toBe(0);
    expect(readFileSync(join(directory, "proposed.yaml"), "utf8")).toContain("waivers: []");
    const { code, err } = await run("plan", "--propose-waivers", "./protection.yaml");
    expect(code).toBe(1);
    expect(err).toContain("Waivers are never written into the contract");
    expect(readFileSync(join(directory, "protection.yaml"), "utf8")).toBe(REQUIREMENT);
  });
});

describe("--allow-weaker", () => {
  const refused = () => run("plan", "--fail-on", "weaker");
  const allowing = (name: string) => run("plan", "--fail-on", "weaker", "--allow-weaker", name);

  test("takes a pattern of stacks, and refuses what matches nothing", async () => {
    write([EXEMPT, ...SET]);
    expect((await allowing("pr*")).code).toBe(0);
    for (const name of ["staging-*", "cwp_compliance_policy_set.other"]) {
      const { code, err } = await allowing(name);
      expect(code).toBe(1);
      expect(err).toContain(`--allow-weaker "${name}" matches no stack and no resource.`);
    }
  });

  test("takes the digest of an effect, which another weakening does not have", async () => {
    write([EXEMPT, ...SET]);
    const digest = /prod@([0-9a-f]{12})/.exec((await refused()).err)![1]!;
    for (const name of ["prod", "p*", ADDRESS]) {
      expect((await allowing(`${name}@${digest}`)).code).toBe(0);
    }
    write([protecting("exempt", { namespaces: ["prod-pay*"] }, "~599", "41"), ...SET]);
    expect((await allowing(`prod@${digest}`)).code).toBe(3);
    // Names of policies are no part of the effect.
    write([{ ...EXEMPT, name: "renamed" }, ...SET]);
    expect((await allowing(`prod@${digest}`)).code).toBe(0);
  });

  test("allows no violation of a requirement", async () => {
    contract(REQUIREMENT);
    write([EXEMPT, ...SET]);
    expect((await allowing("prod")).code).toBe(1);
  });
});

describe("errors of a contract", () => {
  const UNNAMED = WAIVER.replace("prod-pay", "-prod");
  test.each([
    ["version: 2", 'protection.yaml:1: "version" must be'],
    [
      "version: 1\nrequires: []",
      'protection.yaml:2: An argument named "requires" is not expected here.',
    ],
    [
      REQUIREMENT.replace("name: no root", "name: no\n    roles: [a]\n    title: root"),
      'protection.yaml:5: An argument named "roles" is not expected here. Remove it. It is in require[0].',
    ],
    [REQUIREMENT.replace("prod-*", "-prod-*"), "protection.yaml:5: namespaces matches no workload"],
    [
      REQUIREMENT.replace("block", "deny"),
      'protection.yaml:6: "599" must be one of "block", "alert". It is in require[0].checks.',
    ],
    [REQUIREMENT.replace("599", "root"), "protection.yaml:6: "],
    [
      REQUIREMENT.replace('["prod-*"] }', '["prod-*"], image: [x] }'),
      'protection.yaml:5: An argument named "image" is not expected here. Did you mean "images"? It is in require[0].where.',
    ],
    [
      REQUIREMENT.replace('where: { namespaces: ["prod-*"] }', "where: [{ images: [] }]"),
      'protection.yaml:5: "images" must not be empty: give it an entry. It is in require[0].where[0].',
    ],
    [
      REQUIREMENT.replace('where: { namespaces: ["prod-*"] }', "where: prod"),
      'protection.yaml:5: "where" has an invalid form. It is in require[0].',
    ],
    [`${REQUIREMENT}    stacks: ["tenant-*"]`, 'protection.yaml:4: no stack matches "tenant-*"'],
    [
      `version: 1${WAIVER.replace("2999-03-01", "2027-02-30")}`,
      'protection.yaml:8: "expires" must be a date that the calendar has',
    ],
    [
      `version: 1${WAIVER.replace("2999-03-01", "soon")}`,
      'protection.yaml:8: "expires" must be a date such as 2027-03-01',
    ],
    [`version: 1${UNNAMED}`, "protection.yaml:3: namespaces matches no workload"],
    [
      `version: 1${WAIVER.replace("payments@example.com", '""')}`,
      'protection.yaml:6: "owner" must not be empty',
    ],
    [
      "version: 1\nbaseline: [{ policies: none.json }]",
      "protection.yaml:2: none.json: no such file or directory",
    ],
    ["version: 1\nbaseline: [{ policies: [{ name: a, checks: 5 }] }]", "protection.yaml:2: "],
    [
      "version: 1\nbaseline: [{ policies: [{ name: a, checks: { 1: true }, one: 1, two: 2 }] }]",
      "protection.yaml:2: policies: policies[0].one: there is no such attribute; policies[0].two: there is no such attribute.",
    ],
    [
      "version: 1\nversion: 1",
      'protection.yaml:2: the name "version" is there twice; remove one of the two',
    ],
    [
      "a: [",
      "protection.yaml:1: the indentation does not fit the lines before it, or a bracket is not closed",
    ],
    [
      "version: 1\nrequire:\n  - name: a\n    where: {\n  namespaces: [prod]\n    }",
      "the indentation does not fit the lines before it",
    ],
    [
      "version: 1\nrequire: [{ name: a, where: { namespaces: [*] } }]",
      "protection.yaml:2: a text that begins with *",
    ],
    [
      "version: 1\nrequire: [{ name: a, where: { namespaces: [*-prod] } }]",
      'protection.yaml:2: "*-prod" needs quotes',
    ],
    ["version: 1\n\trequire: []", "protection.yaml:2: the line is indented with a tab; use spaces"],
    ["version: 1\ncheck_titles: { 599: a: b }", "protection.yaml:2: "],
    ["", "protection.yaml:1: the file is empty"],
  ])("%j is refused by validate and plan, at its line", async (text, message) => {
    contract(text);
    write(SET);
    for (const command of ["validate", "plan"]) {
      const { code, err } = await run(command);
      expect(code).toBe(1);
      expect(err).toContain("Error: Invalid contract");
      expect(err).toContain(message);
    }
  });

  test("a named one that is missing is an error, and none is not", async () => {
    write(SET);
    const { code, err } = await run("plan", "--contract", "other.yaml");
    expect(code).toBe(1);
    expect(err).toContain("other.yaml: no such file or directory");
    expect((await run("plan")).code).toBe(0);
  });

  test("JSON is read as YAML is", async () => {
    contract(
      JSON.stringify({ version: 1, require: [{ name: "all", checks: { 599: "block" } }] }),
      "all.json",
    );
    write(SET);
    const { code, err } = await run("plan", "--contract", "all.json");
    expect(code).toBe(1);
    expect(err).toContain('all.json:1: "all" is not met by prod.');
  });
});

test("a destroy needs no contract", async () => {
  contract("version: 2");
  write(SET);
  expect((await run("plan", "--destroy")).code).toBe(0);
  expect(readFileSync(join(directory, "protection.yaml"), "utf8")).toBe("version: 2");
});
