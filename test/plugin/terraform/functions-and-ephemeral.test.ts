import { describeWithTerraform } from "../../support/terraform";
import { openConsoleProject, type ConsoleProject } from "../support/console-project";

describeWithTerraform("under terraform", () => {
  let served: ConsoleProject;

  beforeAll(async () => {
    served = await openConsoleProject();
  });
  afterAll(() => served.close());

  test("converts policies from an export and back", async () => {
    const { project, configure, console } = served;
    project.write({ rules: console.policies(), policyType: "containerCompliance" }, "export.json");
    configure(`
      locals {
        policies = provider::cwp::policies_from_json(file("export.json"))
      }
      resource "cwp_compliance_policy_set" "policies" {
        policies = concat([{ name = "First", checks = { 41 = true } }], local.policies)
      }
      output "names" {
        value = local.policies[*].name
      }
      output "json" {
        value = provider::cwp::policies_to_json([
          { name = "Short", checks = { "41" = true } },
          { name = "Long", checks = {}, resources = { hosts = ["b", "a"] }, disabled = true },
        ])
      }
    `);
    await project.succeed("apply -auto-approve");
    expect(console.policies().map(({ name }) => name)).toEqual([
      "First",
      "Default - ignore own components",
      "Default - alert on critical and high",
    ]);
    const outputs = JSON.parse(await project.succeed("output -json")) as {
      names: { value: string[] };
      json: { value: string };
    };
    expect(outputs.names.value).toHaveLength(2);
    expect(JSON.parse(outputs.json.value)).toMatchObject([
      { name: "Short", condition: { vulnerabilities: [{ id: 41, block: true }] } },
      { name: "Long", disabled: true, resources: { hosts: ["a", "b"], images: ["*"] } },
    ]);
    await project.succeed("plan -detailed-exitcode");
  });

  test("names the invalid argument of a function", async () => {
    const { project, configure } = served;
    configure(`
      output "policies" { value = provider::cwp::policies_from_json("[{}") }
      output "json" { value = provider::cwp::policies_to_json([{ checks = {} }]) }
    `);
    const { code, err } = await project.run("plan");
    const reported = err.replace(/\s+/g, " ");
    expect(code).toBe(1);
    expect(reported).toContain('Invalid value for "text" parameter: The text is not JSON');
    expect(reported).toContain('Invalid value for "policies" parameter: policies[0].name');
  });

  test("does not store a token", async () => {
    const { project, simulator, configure, console } = served;
    configure(`
      ephemeral "cwp_token" "other" {}

      provider "cwp" {
        alias               = "other"
        base_url            = ${JSON.stringify(simulator.consoles[0].url)}
        ca_certificate_file = ${JSON.stringify(simulator.caFile)}
        token               = ephemeral.cwp_token.other.token
      }
      resource "cwp_registry_scan" "registries" {
        provider       = cwp.other
        specifications = [{ registry = "r", repository = "*", tag = "*" }]
      }
    `);
    await project.succeed("apply -auto-approve");
    expect(console.requests).toContainEqual(
      expect.objectContaining({ method: "PUT", path: "/api/v1/settings/registry" }),
    );
    expect(project.read("terraform.tfstate")).not.toMatch(/eyJ[\w-]+\./);
    await project.succeed("destroy -auto-approve");
  });
});
