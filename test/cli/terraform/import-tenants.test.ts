import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../../src/simulator";
import { describeWithTerraform } from "../../support/terraform";
import { temporaryFolder, writeStacks, type StackJson } from "../stack-files";
import { TestTerminal } from "../test-terminal";

const ADMIN = { username: "admin", password: "long-secret" };
const SET = { policies: { policies: [{ name: "managed", checks: { 599: true } }] } };

describeWithTerraform("import --tenants with Terraform", () => {
  let simulator: Simulator;
  let directory: string;
  beforeEach(async () => {
    simulator = await startSimulator({ tenants: 2, signedUp: ADMIN, licensed: true });
    directory = temporaryFolder();
    const tenants = simulator.consoles.map(({ url }, at) => ({ name: `t${at}`, url }));
    writeFileSync(join(directory, "tenants.json"), JSON.stringify({ tenants }));
  });
  afterEach(() => simulator.close());

  const stackOf = (at: 0 | 1, resource: StackJson["resource"]): StackJson => ({
    provider: {
      cwp: [
        {
          base_url: simulator.consoles[at]?.url,
          ca_certificate_file: simulator.caFile,
          ...ADMIN,
        },
      ],
    },
    resource,
  });
  const importInto = async (address: string) => {
    const terminal = new TestTerminal({ directory });
    const options = ["--tenants", "tenants.json", "--out-dir", "cdktf.out"];
    const code = await terminal.run(
      "import",
      address,
      ...options,
      "--engine",
      "terraform",
      "--with-null",
    );
    return { code, said: (terminal.out + terminal.err).replace(/[│\s]+/g, " ") };
  };
  const hasState = (name: string) => existsSync(join(directory, `terraform.${name}.tfstate`));

  test("imports into the stack of each tenant", async () => {
    const resource = { cwp_compliance_policy_set: SET };
    writeStacks(directory, { t0: stackOf(0, resource), t1: stackOf(1, resource) });
    const { code, said } = await importInto("cwp_compliance_policy_set.policies");
    expect([code, said]).toEqual([0, expect.stringContaining("Imported into 2 of 2 stacks.")]);
    expect([hasState("t0"), hasState("t1")]).toEqual([true, true]);
  });

  test("imports nothing where one stack has no such construct", async () => {
    const policies = { ...SET.policies, "//": { metadata: { path: "t0/policies" } } };
    writeStacks(directory, {
      t0: stackOf(0, { cwp_compliance_policy_set: { policies } }),
      t1: stackOf(1, { null_resource: { other: {} } }),
    });
    const { code, said } = await importInto("policies");
    expect(code).toBe(1);
    expect(said).toContain("t1");
    expect(hasState("t0")).toBe(false);
  });
});
