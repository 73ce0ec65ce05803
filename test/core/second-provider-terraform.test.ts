import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Provider } from "../../src/core/provider";
import { serveReattach } from "../../src/plugin/serve-reattach";
import type { StackJson } from "../runtime/engine/bench";
import { describeWithTerraform } from "../support/terraform";
import { TerraformProject } from "../support/terraform-project";
import { livesWith, REQUIRED, type Engine } from "./notes-engine";
import { notesProvider } from "./notes-provider";

async function underTerraform(): Promise<Engine> {
  const provider = new Provider<unknown>(notesProvider);
  const served = await serveReattach({ provider, log: () => undefined });
  const source = "registry.terraform.io/test/notes";
  const project = await TerraformProject.open({
    TF_REATTACH_PROVIDERS: JSON.stringify({ [source]: served.reattachment }),
  });
  const state = join(project.directory, "terraform.tfstate");
  const write = async (stack: StackJson) => {
    project.write({ ...stack, terraform: REQUIRED });
    await project.succeed("init");
  };
  return {
    folder: project.directory,
    async apply(stack) {
      await write(stack);
      const out = await project.succeed("apply -auto-approve");
      const counts = /(\d+) added, (\d+) changed, (\d+) destroyed/.exec(out)?.slice(1) ?? [];
      return counts.reduce((sum, count) => sum + Number(count), 0);
    },
    async import(stack, address, id) {
      await write(stack);
      await project.succeed(`import ${address} ${id}`);
    },
    forget: () => {
      rmSync(state);
    },
    state: () => readFileSync(state, "utf8"),
    close: () => served.close(),
  };
}

describeWithTerraform("the second provider under Terraform", () => {
  livesWith(underTerraform);
});
