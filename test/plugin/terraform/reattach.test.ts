import { serveReattach, type ReattachServer } from "../../../src/plugin/serve-reattach";
import { cwpProvider } from "../../../src/provider/cwp-provider";
import { PROVIDER_SOURCE } from "../../../src/provider/identity";
import { Provider } from "../../../src/core/provider";
import type { Simulator } from "../../../src/simulator";
import { describeWithTerraform } from "../../support/terraform";
import { temporaryFolder } from "../../support/terraform-project";
import {
  openConsoleProject,
  policySet,
  providerBlock,
  type ConsoleProject,
} from "../support/console-project";

/** A set of policies of another provider block. */
const policiesOf = (alias: string, name: string) =>
  policySet([name], `provider = cwp.${alias}`).replace('"policies"', `"${alias}"`);

describeWithTerraform("one provider process for many runs of terraform", () => {
  let server: ReattachServer;
  let environment: Record<string, string>;
  let one: ConsoleProject;
  let other: ConsoleProject;

  beforeAll(async () => {
    const provider = new Provider<unknown>(cwpProvider);
    server = await serveReattach({ provider, log: () => undefined, directory: temporaryFolder() });
    environment = {
      TF_REATTACH_PROVIDERS: JSON.stringify({ [PROVIDER_SOURCE]: server.reattachment }),
    };
    one = await openConsoleProject({ tenants: 2 });
    other = await openConsoleProject();
  });
  afterAll(async () => {
    await one.close();
    await other.close();
    await server.close();
  });

  const names = (simulator: Simulator) =>
    simulator.consoles.map(({ console }) => console.policies().map(({ name }) => name));

  test("separates the consoles of aliases and of concurrent runs", async () => {
    one.configure(
      providerBlock(one.simulator, "second", 1) +
        policySet(["Of the first"]) +
        policiesOf("second", "Of the second"),
    );
    other.configure(policySet(["Of the other"]));
    await Promise.all(
      [one, other].map(({ project }) => project.succeed("apply -auto-approve", environment)),
    );
    expect(names(one.simulator)).toEqual([["Of the first"], ["Of the second"]]);
    expect(names(other.simulator)).toEqual([["Of the other"]]);

    const plans = await Promise.all(
      [one, other].map(({ project }) => project.succeed("plan -detailed-exitcode", environment)),
    );
    for (const plan of plans) expect(plan).toContain("No changes.");
  });

  test("shows no changes after an apply by a separate provider process", async () => {
    const { project } = other;
    await project.succeed("plan -detailed-exitcode");
    await project.succeed("destroy -auto-approve", environment);
    expect(names(other.simulator)[0]).toHaveLength(2);
  });
});
