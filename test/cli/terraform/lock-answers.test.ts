import { StateServer } from "../../support/state-server";
import { describeWithTerraform } from "../../support/terraform";
import { TerraformProject } from "../../support/terraform-project";

describeWithTerraform("a lock that is not released", () => {
  test("ends a plan of Terraform with 1 and the summary that ours has", async () => {
    const server = await StateServer.open();
    const { TF_CLI_CONFIG_FILE } = process.env;
    const project = await TerraformProject.open({
      TF_CLI_CONFIG_FILE: TF_CLI_CONFIG_FILE ?? "/dev/null",
    });
    project.write({ terraform: { backend: server.backend() }, output: { a: { value: "1" } } });
    await project.succeed("init");
    server.answers.set("UNLOCK", { status: 500 });
    const { code, err } = await project.run("plan");
    await server.close();
    expect(code).toBe(1);
    expect(err).toContain("Error releasing the state lock");
  });
});
