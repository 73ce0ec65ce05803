import { describeWithTerraform } from "../../support/terraform";
import { openConsoleProject, type ConsoleProject } from "../support/console-project";

describeWithTerraform("values on their way through terraform", () => {
  let served: ConsoleProject;

  beforeAll(async () => {
    served = await openConsoleProject();
  });
  afterAll(() => served.close());

  test("keeps numbers in the state and in the next plan", async () => {
    const { project, configure } = served;
    configure(`
      resource "cwp_bootstrap" "bootstrap" {
        count        = 4
        wait_timeout = [0.1, 1 / 3, 123456789012345678901234567890, 9007199254740993][count.index]
      }
    `);
    await project.succeed("apply -auto-approve");
    expect(project.read("terraform.tfstate")).toContain('"wait_timeout": 9007199254740993');
    await project.succeed("plan -detailed-exitcode");
  });

  test("keeps sets, maps, nulls and escapes", async () => {
    const { project, configure, console } = served;
    configure(`
      resource "cwp_compliance_policy_set" "policies" {
        policies = [
          { name = "<\\"&\\u2028𝒳>", checks = { "41" = true, "9" = null == null } },
          { name = "b", checks = {}, resources = { hosts = ["b", "a", "b"], images = null } },
        ]
      }
    `);
    await project.succeed("apply -auto-approve");
    expect(console.policies().map(({ name }) => name)).toEqual(['<"&\u2028𝒳>', "b"]);
    await project.succeed("plan -detailed-exitcode");
    await project.succeed("destroy -auto-approve");
  });
});
