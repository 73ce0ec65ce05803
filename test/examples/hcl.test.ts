import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { describeWithTofu, TOFU } from "../opentofu/install";
import { packedPackage } from "../support/packed-package";
import { describeWithTerraform } from "../support/terraform";
import { TerraformProject } from "../support/terraform-project";

const FOLDER = join(packedPackage().modules, "cdktf-console/examples/hcl");
const SECRETS = {
  TF_VAR_CONSOLE_PASSWORD: "correct-horse-battery",
  TF_VAR_CONSOLE_LICENSE_KEY: "license-key-of-the-test",
};

/** The promises of the guide "Use it from HCL". */
function keepsPromises(program: string): void {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(() => simulator.close());

  const open = async () => {
    const { consoles, caFile } = simulator;
    const environment = { ...SECRETS, CONSOLE_URL: consoles[0].url, CONSOLE_CA_FILE: caFile };
    return TerraformProject.open(environment, undefined, program);
  };
  const opened = async (folder = FOLDER) => {
    const project = await open();
    cpSync(folder, project.directory, { recursive: true });
    await project.succeed("init");
    return project;
  };

  test("sets up a new console in one apply, and has nothing to change then", async () => {
    const project = await opened();
    expect(await project.succeed("apply -auto-approve")).toContain("Apply complete!");
    // The script ran with the token that was requested.
    expect(project.read("report.json")).toContain("No root in production");
    expect(simulator.consoles[0].console.policies()[0]).toMatchObject({
      name: "No root in production",
    });
    expect(await project.succeed("plan -detailed-exitcode")).toContain("No changes.");
  });

  test("is tested without a console", async () => {
    const project = await opened(join(FOLDER, "policies"));
    await simulator.close();
    expect(await project.succeed("test")).toContain("1 passed, 0 failed.");
    simulator = await startSimulator();
  });

  test("generates the configuration of imported policies, which plans nothing else", async () => {
    const first = await opened();
    await first.succeed("apply -auto-approve");
    const second = await open();
    const [settings = ""] = readFileSync(join(FOLDER, "main.tf"), "utf8").split("# 1.");
    const found = 'import {\n  to = cwp_compliance_policy_set.found\n  id = "container"\n}\n';
    second.write(settings + found, "main.tf");
    await second.succeed("init");
    await second.succeed("plan -generate-config-out=generated.tf");
    expect(await second.succeed("apply -auto-approve")).toContain(
      "Resources: 1 imported, 0 added, 0 changed, 0 destroyed.",
    );
    expect(await second.succeed("plan -detailed-exitcode")).toContain("No changes.");
  });
}

describeWithTerraform("the HCL example under Terraform", () => {
  keepsPromises("terraform");
});

describeWithTofu("the HCL example under OpenTofu", () => {
  keepsPromises(TOFU);
});

test("the guide shows a part of the example", () => {
  const guide = readFileSync(join(__dirname, "../../docs/guides/hcl.md"), "utf8");
  const [, shown = "nothing"] = /```terraform\n([^]*?)```/.exec(guide) ?? [];
  expect(readFileSync(join(FOLDER, "main.tf"), "utf8")).toContain(shown);
});
