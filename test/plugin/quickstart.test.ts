import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { place, synthesizeQuickstart } from "../e2e/support/synthesized";
import { describeWithTerraform } from "../support/terraform";
import { temporaryFolder, TerraformProject } from "../support/terraform-project";

const SECRETS = {
  TF_VAR_CONSOLE_PASSWORD: "correct-horse-battery",
  TF_VAR_CONSOLE_LICENSE_KEY: "license-key-of-the-test",
};

describeWithTerraform("terraform runs the quickstart through the provider", () => {
  let simulator: Simulator;
  let project: TerraformProject;

  beforeAll(async () => {
    simulator = await startSimulator();
    const folder = temporaryFolder();
    const outDir = place(synthesizeQuickstart(), folder, {
      url: simulator.consoles[0].url,
      caFile: simulator.caFile,
    });
    project = await TerraformProject.open(SECRETS, join(outDir, "stacks/quickstart"));
    await project.succeed("init");
  });

  afterAll(async () => {
    await simulator.close();
  });

  test("sets up a fresh console without further changes, and destroys it", async () => {
    const { console } = simulator.consoles[0];
    const before = console.policies().map(({ name }) => name);
    const plan = await project.succeed("plan");
    expect(plan).toContain("Plan: 6 to add, 0 to change, 0 to destroy.");
    expect(plan).toContain("Console is not readable yet");

    await project.succeed("apply -auto-approve");
    expect(console.policies().map(({ name }) => name)).toEqual([
      "No root in production",
      "Trusted images",
      "Hardened hosts",
      "Everything else",
    ]);
    expect(await project.succeed("plan -detailed-exitcode")).toContain("No changes.");

    const destroyed = await project.succeed("destroy -auto-approve");
    expect(destroyed).toContain("Destroy complete! Resources: 6 destroyed.");
    expect(destroyed).toContain("License stays installed");
    expect(console.policies().map(({ name }) => name)).toEqual(before);
  });
});
