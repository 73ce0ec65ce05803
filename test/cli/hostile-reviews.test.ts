import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { startSimulator, type Simulator } from "../../src/simulator";
import { BothEngines } from "../formats/conformance/both";
import { describeWithTerraform } from "../support/terraform";
import { expectHarmless, hostile, MARK } from "./hostile";
import { consoleStack, SECRETS, temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { TestTerminal } from "./test-terminal";

// The reviews of plans with hostile text, in each form, from each source.

/** The text in a document that becomes hostile. */
const PLACEHOLDER = "placeholder";
const EXAMPLES: [string][] = [[`x\n::error::y\n##[error]y\r\n${MARK}`]];
const FORMS = { "--html": "review.html", "--markdown": "review.md" };

/** A stack with the text in each place that takes any. */
function stackWith(simulator: Simulator, text: string, checks: object): StackJson {
  const { resource, ...stack } = consoleStack(simulator);
  const { cwp_bootstrap, cwp_license } = resource as StackJson;
  const resources = { namespaces: [`${text}*`], images: [text], labels: [text] };
  const policies = [
    { name: text, checks, resources },
    { name: `${text}2`, checks: { "42": true }, resources: { ...resources, hosts: [text] } },
    { name: "rest", checks: { "43": true } },
  ];
  const depends_on = ["cwp_license.license"];
  return {
    ...stack,
    output: { one: { value: text }, map: { value: { [text]: [text] } } },
    resource: {
      cwp_bootstrap,
      cwp_license,
      cwp_compliance_policy_set: { policies: { policies, depends_on } },
      cwp_registry_scan: {
        registries: {
          specifications: [{ registry: text, repository: text, tag: text, cap: 5 }],
          depends_on,
        },
      },
      null_resource: { each: { for_each: { [text]: text }, triggers: { [text]: text } } },
    },
  };
}

/** Expressions of Terraform stay text. */
const literal = (text: string) => text.replaceAll(/[$%]\{/g, "_");

async function run(directory: string, ...argv: readonly string[]) {
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const code = await terminal.run(...argv);
  return { code, text: terminal.out + terminal.err };
}

/** Expects harmless text, Markdown, HTML and JSON of a command with these options. */
async function expectReviews(directory: string, argv: readonly string[], json: readonly string[]) {
  const files = Object.entries(FORMS).flat();
  for (const more of [files, ["--attributes"]]) {
    const { text } = await run(directory, ...argv, ...more);
    expect(text).toContain(MARK);
    expect(text).not.toContain("Internal error");
    expectHarmless(text);
  }
  for (const file of Object.values(FORMS)) {
    const text = readFileSync(join(directory, file), "utf8");
    expect(text).toContain(MARK);
    expectHarmless(text);
  }
  const { text } = await run(directory, ...argv, ...json);
  const document = json.includes("--json") ? text : readFileSync(join(directory, "r.json"), "utf8");
  // Programs read it: one line of JSON, which has no control characters.
  expect(document.trimEnd().split("\n")).toHaveLength(1);
  expect(JSON.parse(document)).toHaveProperty("stacks");
}

test("of the embedded engine's plan, with drift, several stacks and a saved plan", async () => {
  const given = ["--out-dir", "cdktf.out"];
  await fc.assert(
    fc.asyncProperty(hostile.map(literal), async (text) => {
      const directory = temporaryFolder();
      const simulator = await startSimulator();
      writeStacks(directory, { prod: stackWith(simulator, text, { "41": true }) });
      const applied = await run(directory, "apply", "--auto-approve", ...given);
      expect(applied.code).toBe(0);
      const [{ console }] = simulator.consoles;
      await console.edit({ policies: console.policies().slice(1) });
      const other = { output: { own: { value: text } } };
      writeStacks(directory, {
        prod: stackWith(simulator, text, { "41": false }),
        other,
      });
      await expectReviews(directory, ["plan", ...given], ["--review-json", "r.json"]);
      await run(directory, "plan", "prod", ...given, "--out", "saved.plan");
      const { text: shown } = await run(directory, "show", "saved.plan");
      expectHarmless(shown);
      const { text: document } = await run(directory, "show", "saved.plan", "--json");
      writeFileSync(join(directory, "plan.json"), document);
      await expectReviews(directory, ["review", "plan.json"], ["--json"]);
      await simulator.close();
    }),
    { numRuns: 4, examples: EXAMPLES, endOnFailure: true },
  );
});

describeWithTerraform("with Terraform", () => {
  test("of its JSON of a plan, also in names and addresses", async () => {
    const directory = temporaryFolder();
    const simulator = await startSimulator();
    const stack = (checks: object) => stackWith(simulator, PLACEHOLDER, checks);
    const both = await BothEngines.open(directory, stack({ "41": true }));
    await both.terraform("apply -auto-approve");
    both.write(stack({ "41": false }));
    const document = await both.planJson({});
    await simulator.close();
    expect(document.split(PLACEHOLDER).length).toBeGreaterThan(20);
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const inside = JSON.stringify(text).slice(1, -1);
        // Addresses, names of resources, outputs and policies, values and keys.
        const written = document
          .replaceAll(PLACEHOLDER, inside)
          .replaceAll(/"(name|address)":"(each|one|policies)"/g, `"$1":"$2${inside}"`);
        writeFileSync(join(directory, "plan.json"), written);
        await expectReviews(directory, ["review", "plan.json"], ["--json"]);
      }),
      { numRuns: 40, examples: EXAMPLES, endOnFailure: true },
    );
  });
});
