import { describeWithTerraform } from "../../support/terraform";
import { openConsoleProject, policySet, type ConsoleProject } from "../support/console-project";

const DEFAULTS = ["Default - ignore own components", "Default - alert on critical and high"];

describeWithTerraform("a replacement under terraform, whose create knows no private state", () => {
  let served: ConsoleProject;

  beforeEach(async () => {
    served = await openConsoleProject();
    served.configure(policySet(["One"]));
    await served.project.succeed("apply -auto-approve");
  });
  afterEach(() => served.close());

  const names = () => served.console.policies().map(({ name }) => name);

  test("restores the content from before the first object at the end", async () => {
    const { project } = served;
    const out = await project.succeed(
      "apply -auto-approve -replace=cwp_compliance_policy_set.policies",
    );
    expect(out).toContain("1 added, 0 changed, 1 destroyed");
    expect(names()).toEqual(["One"]);
    await project.succeed("plan -detailed-exitcode");
    await project.succeed("destroy -auto-approve");
    expect(names()).toEqual(DEFAULTS);
  });

  test("to another ownership finds the content that the destroy leaves", async () => {
    const { project, configure } = served;
    configure(policySet(["One"], 'ownership = "prefix"'));
    expect(await project.succeed("plan")).toContain("# forces replacement");
    await project.succeed("apply -auto-approve");
    expect(names()).toEqual(["One", ...DEFAULTS]);
    await project.succeed("plan -detailed-exitcode");
  });

  test("that would lose unmanaged entries is refused at plan time", async () => {
    const { project, configure, console } = served;
    configure(policySet(["One"], 'ownership = "prefix"'));
    await project.succeed("apply -auto-approve");
    await console.edit({ policies: [...console.policies(), { name: "Foreign" }] });
    configure(policySet(["One"]));
    const { code, err } = await project.run("plan");
    expect(code).toBe(1);
    expect(err).toContain("Console has unmanaged compliance policies");
    expect(names()).toEqual(["One", ...DEFAULTS, "Foreign"]);
  });
});
