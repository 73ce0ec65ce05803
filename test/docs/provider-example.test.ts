import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "@cdktn/hcl2json";
import { packedPackage } from "../support/packed-package";
import { describeWithTerraform } from "../support/terraform";
import { TerraformProject } from "../support/terraform-project";

const FOLDER = join(__dirname, "../../examples/provider");
const PACKED = join(packedPackage().modules, "cdktf-console/examples/provider");
const HCL = readFileSync(join(PACKED, "provider.tf"), "utf8");

describeWithTerraform("the provider's page", () => {
  test("has HCL that Terraform accepts", async () => {
    const project = await TerraformProject.open();
    project.write(HCL, "main.tf");
    await project.succeed("init");
    expect(await project.succeed("validate")).toContain("The configuration is valid.");
  });
});

test("has TypeScript with the same configuration", async () => {
  const outdir = mkdtempSync(join(tmpdir(), "cdktf-console-synth-"));
  const { CDKTF_OUTDIR: before } = process.env;
  process.env.CDKTF_OUTDIR = outdir;
  try {
    jest.requireActual(join(FOLDER, "provider.ts"));
    const stack = readFileSync(join(outdir, "stacks/production/cdk.tf.json"), "utf8");
    const synthesized = JSON.parse(stack) as Configuration;
    const written = (await parse("provider.tf", HCL)) as Configuration;
    expect(synthesized.provider).toEqual(written.provider);
  } finally {
    rmSync(outdir, { recursive: true, force: true });
    if (before === undefined) delete process.env.CDKTF_OUTDIR;
    else process.env.CDKTF_OUTDIR = before;
  }
});

interface Configuration {
  readonly provider: object;
}
