import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { PROVIDER_SOURCE, PROVIDER_VERSION } from "../../src/provider/identity";
import { CdktfProject, describeWithCdktf } from "./cdktf-project";

const ROOT = join(__dirname, "../..");
const MODULES = join(ROOT, "node_modules");

/** An app of a user who has the bindings, and not the constructs of this package. */
const APP = `
import { App, TerraformOutput, TerraformStack, TerraformVariable } from "cdktf";
import { CompliancePolicySet } from "./gen/providers/cwp/compliance-policy-set";
import { DataCwpContainers } from "./gen/providers/cwp/data-cwp-containers";
import { LicenseResource } from "./gen/providers/cwp/license-resource";
import { CwpProvider } from "./gen/providers/cwp/provider";

const app = new App();
const stack = new TerraformStack(app, "bound");
const key = new TerraformVariable(stack, "key", { type: "string", sensitive: true });
new CwpProvider(stack, "cwp", { baseUrl: "https://console.example.com:8083" });
new LicenseResource(stack, "license", { key: key.stringValue });
const set = new CompliancePolicySet(stack, "policies", {
  ownership: "prefix",
  policies: [{ name: "No root", resources: { hosts: ["node-*"] }, checks: { 599: true } }],
});
const containers = new DataCwpContainers(stack, "containers", { limit: 5, dependsOn: [set] });
new TerraformOutput(stack, "digest", { value: set.contentSha256 });
new TerraformOutput(stack, "first", { value: containers.containers.get(0).complianceIssues });
app.synth();
`;

describeWithCdktf("cdktf get makes bindings of the provider", () => {
  test("that TypeScript compiles against, and that synthesize", async () => {
    const project = new CdktfProject(
      "main.ts",
      {},
      {
        codeMakerOutput: "gen",
        terraformProviders: [`${PROVIDER_SOURCE}@${PROVIDER_VERSION}`],
      },
    );
    project.write("main.ts", APP);
    project.write("tsconfig.json", TSCONFIG);
    symlinkSync(MODULES, join(project.directory, "node_modules"));
    await project.succeed("get");

    execFileSync(process.execPath, [join(MODULES, "typescript/bin/tsc")], {
      cwd: project.directory,
      encoding: "utf8",
    });
    await project.succeed("synth");
    const stack = join(project.directory, "cdktf.out/stacks/bound/cdk.tf.json");
    expect(JSON.parse(readFileSync(stack, "utf8"))).toMatchObject({
      resource: {
        cwp_license: { license: { key: "${var.key}" } },
        cwp_compliance_policy_set: {
          policies: {
            ownership: "prefix",
            policies: [
              { name: "No root", resources: { hosts: ["node-*"] }, checks: { 599: true } },
            ],
          },
        },
      },
      data: { cwp_containers: { containers: { limit: 5 } } },
      output: {
        digest: { value: "${cwp_compliance_policy_set.policies.content_sha256}" },
      },
    });
  });
});

const TSCONFIG = {
  compilerOptions: {
    target: "ES2022",
    module: "commonjs",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
  },
  include: ["main.ts", "gen"],
};
