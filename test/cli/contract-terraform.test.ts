import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import type { ObjectValue } from "../../src/core/values";
import { protecting, SET } from "../review/protection/sets";
import { describeWithTerraform } from "../support/terraform";
import { policyStack, SECRETS, temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

describeWithTerraform("a contract judges the plans of Terraform", () => {
  let simulator: Simulator;
  let directory: string;

  beforeAll(async () => {
    simulator = await startSimulator();
    directory = temporaryFolder();
  });
  afterAll(() => simulator.close());

  function write(policies: readonly ObjectValue[]): void {
    writeStacks(directory, { prod: policyStack(simulator, policies) });
  }

  async function run(...argv: string[]) {
    const terminal = new TestTerminal({ directory, environment: SECRETS });
    const engine = ["--engine", "terraform", "--with-null"];
    const code = await terminal.run(...argv, "--out-dir", "cdktf.out", ...engine);
    return { code, err: terminal.err };
  }

  test("and lets an apply send nothing", async () => {
    write(SET);
    expect((await run("apply", "--auto-approve")).code).toBe(0);
    const requirement = "{ name: root, where: { namespaces: [prod-*] }, checks: { 599: block } }";
    writeFileSync(join(directory, "protection.yaml"), `version: 1\nrequire: [${requirement}]\n`);
    write([protecting("exempt", { namespaces: ["prod-pay"] }, "~599", "41"), ...SET]);
    for (const command of [["plan"], ["apply", "--auto-approve", "--fail-on", "weaker"]]) {
      const { code, err } = await run(...command);
      expect(code).toBe(1);
      expect(err).toContain("Requirement is violated");
    }
    expect(simulator.consoles[0].console.policies()).toHaveLength(SET.length);
  });
});
