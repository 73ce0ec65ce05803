import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ObjectValue } from "../../src/core/values";
import { reviewSchema } from "../../src/review/json/review-schema";
import { startSimulator, type Simulator } from "../../src/simulator";
import {
  consoleStack,
  PASSWORD,
  SECRETS,
  temporaryFolder,
  writeStacks,
  type StackJson,
} from "../cli/stack-files";
import { TestTerminal } from "../cli/test-terminal";
import { protecting } from "../review/protection/sets";
import { describeWithTerraform } from "../support/terraform";
import { TerraformProject } from "../support/terraform-project";
import { PROGRAM } from "./support/program";

const root = protecting("root", { namespaces: ["prod-*"] }, "599");
const all = protecting("all", {}, "~41");

describeWithTerraform("review --console completes the JSON of the program", () => {
  let simulator: Simulator;
  let directory: string;
  let project: TerraformProject;

  const write = (policies: readonly ObjectValue[] | undefined) => {
    const { resource, ...stack } = consoleStack(simulator);
    const { cwp_bootstrap, cwp_license } = resource as StackJson;
    const set = { policies, ownership: "prefix", depends_on: ["cwp_license.license"] };
    const sets = policies && { cwp_compliance_policy_set: { policies: set } };
    writeStacks(directory, {
      prod: { ...stack, resource: { cwp_bootstrap, cwp_license, ...sets } },
    });
  };

  beforeAll(async () => {
    simulator = await startSimulator();
    directory = temporaryFolder();
    write([root]);
    const folder = join(directory, "cdktf.out", "stacks", "prod");
    project = await TerraformProject.open(SECRETS, folder, PROGRAM);
    await project.succeed("init");
    await project.succeed("apply -auto-approve");
  });
  afterAll(() => simulator.close());

  test.each<[string, readonly ObjectValue[] | undefined]>([
    ["of a policy for everything in front of unmanaged ones", [root, all]],
    ["of a destroy", undefined],
  ])("%s", async (_, policies) => {
    write(policies);
    await project.succeed("plan -out=plan");
    writeFileSync(join(directory, "prod.json"), await project.succeed("show -json plan"));
    const reviewed = await run("review", "prod.json", "--console", "--json");
    await run("plan", "--out-dir", "cdktf.out", "--review-json", "ours.json");
    const ours = readFileSync(join(directory, "ours.json"), "utf8");
    expect(protectionIn(reviewed)).toEqual(protectionIn(ours));
    expect(protectionIn(reviewed)).toMatchObject([{ complete: true }]);
  });

  async function run(...argv: string[]): Promise<string> {
    const terminal = new TestTerminal({
      directory,
      environment: {
        ...SECRETS,
        CONSOLE_URL: simulator.consoles[0].url,
        CONSOLE_CA_FILE: simulator.caFile,
        CONSOLE_USERNAME: "admin",
        CONSOLE_PASSWORD: PASSWORD,
      },
    });
    const code = await terminal.run(...argv);
    expect({ code, err: terminal.err }).toEqual({ code: 0, err: "" });
    return terminal.out;
  }
});

function protectionIn(json: string) {
  const [stack] = reviewSchema.strict().parse(JSON.parse(json)).stacks;
  return stack?.protection;
}
