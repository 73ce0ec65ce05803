import { validate } from "../../../src/runtime/validation/load";
import { builtInProviders } from "../../../src/provider/built-in";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { StackJson } from "../../cli/stack-files";
import type { Seat } from "./seat";

const validation = z.object({
  diagnostics: z.array(z.object({ severity: z.string(), summary: z.string() })),
});

const terraformBlock = {
  required_providers: { cwp: { source: "cdktf-console/cwp" }, null: { source: "null" } },
};

/** Writes the configuration of a seat: a stack with both providers, or the text of a file. */
export function configure({ folder, project }: Seat, stack: StackJson | string): void {
  const backend = { local: { path: join(folder, "terraform.prod.tfstate") } };
  const base = JSON.stringify({ backend, ...terraformBlock });
  const { terraform, ...others } = typeof stack === "string" ? {} : stack;
  const settings = { ...(JSON.parse(base) as object), ...(terraform as object | undefined) };
  const text = JSON.stringify({ terraform: settings, ...others });
  writeFileSync(
    join(project.directory, "cdk.tf.json"),
    typeof stack === "string" ? stack.replace("TERRAFORM", base) : text,
  );
}

/** The summaries of the errors that `terraform validate` reports. */
export async function terraformErrors({ project }: Seat): Promise<readonly string[]> {
  rmSync(join(project.directory, ".terraform/modules"), { recursive: true, force: true });
  const { out } = await project.run("validate -json");
  const { diagnostics } = validation.parse(JSON.parse(out));
  return summaries(diagnostics);
}

/** The summaries of the errors that the executor reports before anything is read. */
export async function executorErrors({ folder }: Seat): Promise<readonly string[]> {
  const diagnostics = await validate({
    outDir: join(folder, "cdktf.out"),
    variables: { environment: {}, directories: [], given: [], unset: "unknown" },
    providers: builtInProviders(() => undefined),
  });
  return summaries(diagnostics);
}

function summaries(
  diagnostics: readonly { readonly severity: string; readonly summary: string }[],
): readonly string[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return [...new Set(errors.map(({ summary }) => summary))].sort();
}
