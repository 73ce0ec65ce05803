import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ObjectValue } from "../../src/core/values";
import { reviewSchema } from "../../src/review/json/review-schema";
import { startSimulator, type Simulator } from "../../src/simulator";
import { protecting } from "../review/protection/sets";
import { describeWithTerraform } from "../support/terraform";
import { policyStack, SECRETS, temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

describeWithTerraform("plan --live with Terraform as the engine", () => {
  const root = protecting("root", { namespaces: ["production"] }, "41", "599");
  const exempt = protecting("exempt", { images: ["*/finance/*"] }, "41", "~599");
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
    const code = await terminal.run(...argv, "--out-dir", "cdktf.out");
    return { code, out: terminal.out, err: terminal.err };
  }

  function protectionIn(file: string) {
    const json: unknown = JSON.parse(readFileSync(join(directory, file), "utf8"));
    return reviewSchema.parse(json).stacks[0]?.protection[0];
  }

  test("reads the console after the plan, and counts as the executor does", async () => {
    write([root]);
    expect((await run("apply", "--auto-approve")).code).toBe(0);
    write([exempt, root]);
    const files = ["--review-json"];
    const embedded = await run("plan", "--live", ...files, "embedded.json");
    expect(embedded.code).toBe(0);
    const engine = ["--engine", "terraform", "--with-null"];
    const { code, out, err } = await run("plan", "--live", ...files, "terraform.json", ...engine);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.replaceAll(/\s+/g, " ")).toContain("running containers lose the block");
    const [one, other] = [protectionIn("embedded.json"), protectionIn("terraform.json")];
    expect(other?.regions).toEqual(one?.regions);
    expect(other?.live?.changes).toEqual(one?.live?.changes);
    expect(simulator.consoles[0].console.policies()).toHaveLength(1);
  }, 120_000);
});
