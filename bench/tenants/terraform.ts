import { rm } from "node:fs/promises";
import { join } from "node:path";
import { cli, node, run, withConsoles, type Served } from "../command";
import { rounded } from "./compare";
import { commandOf } from "./record";
import { SECRETS, writeStacks } from "./stacks";
import { time } from "../pairs";

export interface BesideTerraform {
  readonly tenants: number;
  /** Runs of `terraform apply` at once. */
  readonly atOnce: number;
  /** Time of Terraform, as a multiple of ours. */
  readonly wallRatio: number;
}

/** Compares one apply of all tenants with `terraform apply` in each stack. `init` is not counted. */
export async function besideTerraform(
  folder: string,
  tenants: number,
): Promise<readonly BesideTerraform[]> {
  const env = { ...process.env, ...SECRETS, ...terraformSecrets, CHECKPOINT_DISABLE: "1" };
  const fresh = async (
    name: string,
    work: (at: string, consoles: readonly Served[]) => Promise<number>,
  ) => {
    const at = join(folder, name);
    try {
      return await withConsoles(["--tenants", String(tenants)], (consoles) => work(at, consoles));
    } finally {
      await rm(at, { recursive: true, force: true });
    }
  };
  const ours = await fresh("embedded", (at, consoles) => {
    const outDir = writeStacks(at, consoles, 10);
    return time(() => node([...commandOf("first apply", outDir, 10)], { cwd: at, env }));
  });
  const found: BesideTerraform[] = [];
  for (const atOnce of [1, 4]) {
    const theirs = await fresh(`terraform-${atOnce}`, async (at, consoles) => {
      const outDir = writeStacks(at, consoles, 10);
      const stacks = consoles.map(({ name }) => join(outDir, "stacks", name));
      for (const cwd of stacks) {
        await node([cli, "provider", "install", "--with-null", "--dir", cwd], { cwd, env });
        await run("terraform", ["init", "-input=false"], { cwd, env });
      }
      const waiting = [...stacks];
      const worker = async () => {
        for (let cwd = waiting.shift(); cwd !== undefined; cwd = waiting.shift()) {
          await run("terraform", ["apply", "-auto-approve", "-input=false"], { cwd, env });
        }
      };
      return time(() => Promise.all(Array.from({ length: atOnce }, worker)));
    });
    found.push({ tenants, atOnce, wallRatio: rounded(theirs / ours) });
  }
  return found;
}

const terraformSecrets = Object.fromEntries(
  Object.entries(SECRETS).map(([name, value]) => [`TF_VAR_${name}`, value]),
);
