import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli, hasTerraform, node, root, withConsoles } from "./command";
import { report, time, timeInPairs } from "./pairs";

const RUNS = 5;

/** Applying the quickstart to a fresh console by Terraform, `init` included, beside the embedded engine. */
export async function benchQuickstart(): Promise<void> {
  if (!(await hasTerraform())) {
    console.log("apply by terraform / embedded: left out, terraform is not on PATH");
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  let run = 0;
  const applied = (engine: string) => () =>
    withConsoles([], async ([served]) => {
      const cwd = join(folder, String(run++));
      const env = {
        ...process.env,
        HOME: folder,
        CONSOLE_URL: served?.url,
        CONSOLE_CA_FILE: served?.caFile,
        CONSOLE_PASSWORD: "bench-only-password",
        CONSOLE_LICENSE_KEY: "bench-only-license",
      };
      await mkdir(cwd);
      const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
      await node([tsx, join(root, "examples/quickstart/main.ts")], { cwd, env });
      const stack = join(cwd, "cdktf.out/stacks/quickstart");
      await node([cli, "provider", "install", "--with-null", "--dir", stack], { cwd, env });
      const apply = ["apply", "--auto-approve", "--out-dir", "cdktf.out", "--engine", engine];
      return time(() => node([cli, ...apply], { cwd, env }));
    });
  try {
    report(
      "apply of the quickstart by terraform / embedded",
      undefined,
      await timeInPairs(RUNS, applied("terraform"), applied("embedded")),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
