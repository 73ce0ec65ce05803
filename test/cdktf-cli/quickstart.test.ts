import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { CdktfProject, describeWithCdktf } from "./cdktf-project";

const SECRETS = {
  TF_VAR_CONSOLE_PASSWORD: "correct-horse-battery",
  TF_VAR_CONSOLE_LICENSE_KEY: "license-key-of-the-test",
};

// Without a registry there is nobody to ask for the digests of other platforms.
const OPTIONS = "--no-color --skip-provider-lock";

describeWithCdktf("cdktf's own tools run the quickstart", () => {
  let simulator: Simulator;
  let project: CdktfProject;

  beforeAll(async () => {
    simulator = await startSimulator();
    project = new CdktfProject(join(__dirname, "../../examples/quickstart/main.ts"), {
      ...SECRETS,
      CONSOLE_URL: simulator.consoles[0].url,
      CONSOLE_CA_FILE: simulator.caFile,
    });
  });

  afterAll(async () => {
    await simulator.close();
  });

  const policies = () => simulator.consoles[0].console.policies().map(({ name }) => name);

  test("from synth to destroy, over TLS that is verified", async () => {
    const before = policies();
    expect(await project.succeed("synth")).toContain("stacks:quickstart");

    const diff = await project.succeed(`diff ${OPTIONS}`);
    expect(diff).toContain("Plan:6toadd,0tochange,0todestroy.");
    expect(policies()).toEqual(before);

    await project.succeed(`deploy --auto-approve ${OPTIONS}`);
    expect(policies()).toEqual([
      "No root in production",
      "Trusted images",
      "Hardened hosts",
      "Everything else",
    ]);
    expect(await project.succeed(`diff ${OPTIONS}`)).toContain("Nochanges.");

    await project.succeed(`destroy --auto-approve ${OPTIONS}`);
    expect(policies()).toEqual(before);
  });
});
