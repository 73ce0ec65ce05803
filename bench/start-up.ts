import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli, node, root, withConsoles } from "./command";
import { report, time, timeInPairs } from "./pairs";

const RUNS = 15;

/** The wall time of `plan` on the synthesized quickstart, beside an empty Node program. */
export async function benchStartUp(): Promise<void> {
  const cwd = await mkdtemp(join(tmpdir(), "bench-"));
  try {
    await withConsoles([], async ([served]) => {
      const env = {
        ...process.env,
        CONSOLE_URL: served?.url,
        CONSOLE_CA_FILE: served?.caFile,
        CONSOLE_PASSWORD: "bench-only-password",
        CONSOLE_LICENSE_KEY: "bench-only-license",
      };
      const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
      await node([tsx, join(root, "examples/quickstart/main.ts")], { cwd, env });
      const plan = () => time(() => node([cli, "plan", "--out-dir", "cdktf.out"], { cwd, env }));
      const empty = () => time(() => node(["-e", "0"], { cwd, env }));
      report(
        "plan of a fresh console / empty Node program",
        5,
        await timeInPairs(RUNS, plan, empty),
      );
      await node([cli, "apply", "--out-dir", "cdktf.out", "--auto-approve"], { cwd, env });
      report("plan without changes / empty Node program", 5, await timeInPairs(RUNS, plan, empty));
    });
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}
