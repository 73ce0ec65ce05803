import { describeWithTerraform } from "../../support/terraform";
import { openConsoleProject, policySet, type ConsoleProject } from "../support/console-project";

/** A provider whose address depends on the null_resource, and a resource of it. */
const behind = (url: string, caFile: string) => `
  resource "null_resource" "made" {
    triggers = { generation = var.generation }
  }
  variable "generation" { default = "1" }
  provider "cwp" {
    alias               = "made"
    base_url            = null_resource.made.id == "" ? "" : ${JSON.stringify(url)}
    ca_certificate_file = ${JSON.stringify(caFile)}
    username            = "admin"
    password            = var.CONSOLE_PASSWORD
  }
`;

describeWithTerraform("a console whose address is known after apply only", () => {
  let served: ConsoleProject;
  let provider: string;

  beforeAll(async () => {
    served = await openConsoleProject();
    const { simulator } = served;
    provider = behind(simulator.consoles[0].url, simulator.caFile);
  });
  afterAll(() => served.close());

  test("plans without a read, and applies", async () => {
    const { project, configure, console } = served;
    configure(provider + policySet(["One"], 'provider = cwp.made\n on_destroy = "keep"\n'));
    // The default policies are system-owned, so nothing unmanaged is lost.
    expect(await project.succeed("plan")).toContain("Plan: 2 to add, 0 to change, 0 to destroy.");
    expect(console.requests).toEqual([]);
    await project.succeed("apply -auto-approve");
    expect(console.policies().map(({ name }) => name)).toEqual(["One"]);
  });

  test("plans from the state when the configuration is unknown again", async () => {
    const { project, console } = served;
    const before = console.requests.length;
    const plan = await project.succeed("plan -var generation=2");
    expect(plan).toContain("Warning: Not refreshed");
    expect(plan).toContain("Plan: 1 to add, 0 to change, 1 to destroy.");
    expect(console.requests).toHaveLength(before);
  });

  test("reports one error for a data source", async () => {
    const { project, configure } = served;
    configure(`${provider}
      data "cwp_compliance_policies" "all" { provider = cwp.made }
    `);
    const { code, err } = await project.run("plan -var generation=2");
    expect(code).toBe(1);
    expect(err.match(/^Error: .*/gm)).toEqual(["Error: Data source cannot be read yet"]);
  });

  test("opens an ephemeral resource only after its triggers are known", async () => {
    const { project, configure } = served;
    configure(`${provider}
      ephemeral "cwp_token" "now" { provider = cwp.made }
    `);
    const { err } = await project.run("plan -var generation=2");
    expect(err.match(/^Error: .*/gm)).toEqual(["Error: Ephemeral resource cannot be opened yet"]);
    configure(`${provider}
      ephemeral "cwp_token" "later" {
        provider = cwp.made
        triggers = { made = null_resource.made.id }
      }
    `);
    await project.succeed("plan -var generation=2");
  });
});
