import { PHRASES, says } from "../../../src/cli/terraform/phrases";
import { describeWithTofu, TOFU } from "../../opentofu/install";
import { describeWithTerraform } from "../../support/terraform";
import { TerraformProject } from "../../support/terraform-project";
import { describeWithTerraform115, TERRAFORM_1_15 } from "../../terraform-1.15/install";

/** The output of an `init` that fails. */
async function failure(project: TerraformProject, environment: Record<string, string> = {}) {
  const { code, out, err } = await project.run("init -input=false", environment);
  expect(code).toBe(1);
  return `${out}${err}`;
}

const backend = (path: string) => ({ terraform: { backend: { local: { path } } } });
const provider = (source: string) => ({
  terraform: { required_providers: { one: { source, version: "3.2.4" } } },
});

function hasItsPhrases(program: string): void {
  test("of a changed backend", async () => {
    const project = await TerraformProject.open({}, undefined, program);
    project.write(backend("one.tfstate"));
    await project.succeed("init");
    project.write(backend("two.tfstate"));
    expect(says(await failure(project), "backendChanged")).toBe(true);
  });

  test("of a workspace that does not exist yet", async () => {
    const project = await TerraformProject.open({}, undefined, program);
    project.write(backend("one.tfstate"));
    await project.succeed("init");
    await project.succeed("workspace new other");
    expect(says(await failure(project, { TF_WORKSPACE: "missing" }), "workspaceMissing")).toBe(
      true,
    );
  });

  test("of a provider that cannot be had", async () => {
    const project = await TerraformProject.open({}, undefined, program);
    project.write(provider("acme/a-thing"));
    const named = [...(await failure(project)).matchAll(PHRASES.providerNamed)];
    expect(named.map(([, source]) => source)).toContain("acme/a-thing");
  });

  test("of a provider with other checksums than those of the lock file", async () => {
    const project = await TerraformProject.open({}, undefined, program);
    project.write({ terraform: { required_providers: { null: { source: "hashicorp/null" } } } });
    await project.succeed("init");
    const lock = project.read(".terraform.lock.hcl");
    project.write(lock.replace(/"h1:.{8}/, '"h1:AAAAAAAA'), ".terraform.lock.hcl");
    expect(says(await failure(project), "otherChecksums")).toBe(true);
  });
}

describeWithTerraform("Terraform 1.11 says its phrase", () => {
  hasItsPhrases("terraform");
});
describeWithTerraform115("Terraform 1.15 says its phrase", () => {
  hasItsPhrases(TERRAFORM_1_15);
});
describeWithTofu("OpenTofu says its phrase", () => {
  hasItsPhrases(TOFU);
});
