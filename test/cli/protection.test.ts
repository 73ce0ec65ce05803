import { readFileSync } from "node:fs";
import { join } from "node:path";
import { reviewSchema } from "../../src/review/json/review-schema";
import type { Simulator } from "../../src/simulator";
import { startSimulator } from "../support/habitual-simulator";
import type { ObjectValue } from "../../src/core/values";
import { NEUTRAL, protecting, SET, WEAKENING } from "../review/protection/sets";
import { consoleStack, SECRETS, temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const ADDRESS = "cwp_compliance_policy_set.policies";

let simulator: Simulator;
let directory: string;

beforeAll(async () => {
  simulator = await startSimulator();
  directory = temporaryFolder();
  write(SET);
  expect((await run("apply", "--auto-approve")).code).toBe(0);
});
afterAll(() => simulator.close());

/** Writes the stack with these policies, or without a set. */
function write(
  policies: readonly ObjectValue[] | undefined,
  given: StackJson = {},
  variables: StackJson = {},
): void {
  const { resource, variable, ...stack } = consoleStack(simulator);
  const set = { policies, depends_on: ["cwp_license.license"], ...given };
  const sets = policies ? { policies: set } : {};
  const resources = { ...(resource as StackJson), cwp_compliance_policy_set: sets };
  const declared = { ...(variable as StackJson), ...variables };
  writeStacks(directory, { prod: { ...stack, variable: declared, resource: resources } });
}

async function run(command: string, ...argv: string[]) {
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const code = await terminal.run(command, "--out-dir", "cdktf.out", ...argv);
  return { code, out: terminal.out, err: terminal.err };
}

async function review(...argv: string[]) {
  const ran = await run("plan", "--review-json", "review.json", ...argv);
  const text = readFileSync(join(directory, "review.json"), "utf8");
  return { ...ran, document: reviewSchema.strict().parse(JSON.parse(text)) };
}

describe("plan --fail-on weaker", () => {
  test.each(WEAKENING)("refuses: %s", async (_, after) => {
    write(after);
    const { code, out, err, document } = await review("--fail-on", "weaker");
    expect(code).toBe(3);
    expect(out).toMatch(/Protection: \d+ weaker/);
    expect(err).toContain("Error: Protection gets weaker");
    const [protection] = document.stacks[0]!.protection;
    expect(protection).toMatchObject({ addresses: [ADDRESS], complete: true, reasons: [] });
    expect(protection!.weaker).toBeGreaterThan(0);
    for (const { certainty, example } of protection!.regions) {
      expect(certainty).toBe("certain");
      expect(example).not.toBeNull();
    }
  });

  test.each(NEUTRAL)("lets through: %s", async (_, after) => {
    write(after);
    const { code, out, document } = await review("--fail-on", "weaker", "--detailed-exitcode");
    expect(code).toBe(2);
    expect(out).toContain("Protection does not change");
    expect(document.stacks[0]!.protection).toMatchObject([{ weaker: 0, stronger: 0 }]);
  });

  test.each(["prod", ADDRESS])("lets through what --allow-weaker %s allows", async (name) => {
    write([]);
    const { code } = await run("plan", "--fail-on", "weaker", "--allow-weaker", name);
    expect(code).toBe(0);
    const others = await run("plan", "--fail-on", "weaker", "--allow-weaker", "other");
    expect(others.code).toBe(1);
  });

  test("still saves the plan, and an error comes first", async () => {
    write([]);
    expect((await run("plan", "--fail-on", "weaker", "--out", "weaker.plan")).code).toBe(3);
    expect((await run("apply", "weaker.plan", "--fail-on", "weaker")).code).toBe(3);
    write([{ name: "broken", checks: 5 }]);
    expect((await run("plan", "--fail-on", "weaker")).code).toBe(1);
  });
});

test("apply --fail-on weaker writes nothing", async () => {
  write([]);
  const { code, err } = await run("apply", "--auto-approve", "--fail-on", "weaker");
  expect({ code, err }).toMatchObject({
    code: 3,
    err: expect.stringContaining("allow-weaker") as string,
  });
  write(SET);
  expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
});

test("shows the same protection from a saved plan", async () => {
  write(WEAKENING[14]![1]);
  const { out } = await run("plan", "--out", "same.plan");
  const shown = new TestTerminal({ directory, environment: SECRETS });
  await shown.run("show", "same.plan");
  const block = /\nProtection: [^]*?\n\n/.exec(out)?.[0];
  expect(block).toBe(`
Protection: 1 weaker
  - check 41 blocks -> not checked, check 599 blocks -> alerts
      namespaces prod-pay*  "root" decided, now "half"
        for example namespace prod-payx
  # (digest af6ff13ac226, for --allow-weaker NAME@DIGEST)

`);
  expect(shown.out).toContain(block);
});

test("unmanaged policies take part, and those that a destroy restores", async () => {
  write(undefined);
  const { document } = await review();
  expect(document.stacks[0]!.protection).toMatchObject([{ complete: true }]);
  const found = document.stacks[0]!.protection[0]!.regions.map(({ after }) => after.policy);
  expect(found).toContain("Default - ignore own components");
});

describe("policies that do not do what they seem to do", () => {
  const late = { name: "late", checks: { "5": true } };
  const typo = protecting("typo", { namespaces: ["stage", "Stage"] }, "41");

  test.each(["plan", "validate"])("%s warns of each with its address", async (command) => {
    write([typo, ...SET, late]);
    const { code, out, err } = await run(command);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const text = out.replaceAll(/\s+/g, " ");
    expect(text.match(/Policy "late" never decides/g)).toHaveLength(1);
    expect(text).toContain(`Policy "late" never decides with ${ADDRESS}, at policies[5] ("late"):`);
    expect(text).toContain(
      'policy "typo", policy "root", policy "img", policy "rest". They do not have check 5',
    );
    expect(text).toContain('Patterns of policy "typo" differ by letter case only');
  });

  test.each(["plan", "validate"])("%s --strict refuses them", async (command) => {
    write([...SET, late]);
    const { code, err } = await run(command, "--strict");
    expect(code).toBe(1);
    expect(err).toContain('Error: Policy "late" never decides');
    write(SET);
    expect((await run(command, "--strict")).code).toBe(0);
  });

  test("are not named where the name is sensitive", async () => {
    const name = '${sensitive("tucked-away")}';
    write([...SET, { ...late, name }]);
    const { out } = await run("plan");
    expect(out).toContain("Policy (sensitive value) never decides");
    expect(out).toContain("at policies[4]:");
    expect(out).not.toContain("tucked-away");
  });

  test("are named once the variables are known", async () => {
    write([...SET, { ...late, name: "${var.name}" }], {}, { name: { default: "late" } });
    const { out, err } = await run("plan");
    expect(err).toBe("");
    expect(out.match(/never decides/g)).toHaveLength(1);
    expect(out).toContain('at policies[4] ("late")');
  });

  test.each([
    ["strange", 'policy "strange",'],
    ['${sensitive("tucked-away")}', "policy (sensitive value),"],
  ])("an unknown check is named with its policy: %s", async (name, shown) => {
    const signedUp = { username: "admin", password: SECRETS.TF_VAR_CONSOLE_PASSWORD };
    const next = await startSimulator({ release: "next", licensed: true, signedUp });
    const folder = temporaryFolder();
    const { provider, variable } = consoleStack(next);
    const [console] = (provider as { cwp: readonly object[] }).cwp;
    const cwp = [{ ...console, release: "next" }];
    const policies = [{ name, checks: { "99999": true } }];
    const sets = { policies: { policies } };
    writeStacks(folder, {
      prod: { provider: { cwp }, variable, resource: { cwp_compliance_policy_set: sets } },
    });
    const terminal = new TestTerminal({ directory: folder, environment: SECRETS });
    await terminal.run("plan", "--out-dir", "cdktf.out");
    await next.close();
    const text = (terminal.out + terminal.err).replaceAll(/\s+/g, " ");
    expect(text).toContain(`does not list check 99999 of ${shown}`);
    expect(text).not.toContain("tucked-away");
  });

  test("errors about entries hide a sensitive name", async () => {
    const entry = { ...late, name: '${sensitive("tucked-away")}' };
    write([entry, entry]);
    const { out, err } = await run("plan");
    expect(err.replaceAll(/\s+/g, " ")).toContain(
      "Entries 1 and 2 of policies have the same name (sensitive value). Each entry must be unique.",
    );
    expect(out + err).not.toContain("tucked-away");
  });
});

test("a plan that fails leaves no review of an earlier run", async () => {
  write([{ name: "broken", checks: 5 }]);
  const { document } = await review();
  expect(document).toMatchObject({ stacks: [], errors: [expect.anything()] });
});
