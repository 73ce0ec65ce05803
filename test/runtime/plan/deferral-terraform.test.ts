import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeWithTerraform, terraform } from "../../support/terraform";
import { DEFERRED, stack, type Words } from "./deferral-stacks";

const BUILT_IN: Words = {
  resource: "terraform_data",
  data: "terraform_remote_state",
  a: "terraform_data.a.input.path",
  b: "terraform_data.b.input",
  known: "other.tfstate",
  take: (path) => ({ backend: "local", config: { path } }),
  bodies: (version) => ({ a: { input: { path: "other.tfstate", version } }, b: { input: "b" } }),
};

describeWithTerraform("data sources under Terraform", () => {
  test("are deferred alike", () => {
    const cwd = mkdtempSync(join(tmpdir(), "deferral-"));
    try {
      const synth = (version: number) => {
        writeFileSync(join(cwd, "stack.tf.json"), JSON.stringify(stack(BUILT_IN, version)));
      };
      const other = { version: 4, serial: 1, lineage: "other", outputs: {}, resources: [] };
      writeFileSync(join(cwd, "other.tfstate"), JSON.stringify(other));
      synth(1);
      terraform(["init", "-no-color"], { cwd });
      terraform(["apply", "-auto-approve", "-no-color"], { cwd });
      synth(2);
      const plan = terraform(["plan", "-no-color"], { cwd });
      const read = plan.matchAll(/# data\.terraform_remote_state\.(\w+)\S* will be read during/g);
      expect([...read].map(([, name]) => name)).toEqual(DEFERRED);
      expect(plan).toContain("(depends on a resource or a module with changes pending)");
    } finally {
      rmSync(cwd, { recursive: true, force: true });
    }
  });
});
