import { TESTED_PROGRAMS } from "../../src/core/documents/tested-programs";
import { describeWithTofu, TOFU } from "../opentofu/install";
import { describeWithTerraform, terraform } from "../support/terraform";
import { describeWithTerraform115, TERRAFORM_1_15 } from "../terraform-1.15/install";

const [oldest, newest] = TESTED_PROGRAMS.terraform;

function versionOf(program: string): unknown {
  const printed: unknown = JSON.parse(terraform(["version", "-json"], { cwd: __dirname }, program));
  return (printed as { terraform_version: unknown }).terraform_version;
}

describeWithTerraform("Terraform on PATH", () => {
  test("is the release that the documentation names", () => {
    expect(versionOf("terraform")).toBe(oldest);
  });
});

describeWithTerraform115("Terraform from PyPI", () => {
  test("is the release that the documentation names", () => {
    expect(versionOf(TERRAFORM_1_15)).toBe(newest);
  });
});

describeWithTofu("OpenTofu", () => {
  test("is the release that the documentation names", () => {
    expect(versionOf(TOFU)).toBe(TESTED_PROGRAMS.opentofu[0]);
  });
});
