import { spawn, type ChildProcess } from "node:child_process";
import { dirname } from "node:path";
import { needsTemporal } from "../docs/support/run-page";
import { blocksOf } from "../docs/support/pages";
import { packedPath } from "../support/packed-package";
import { SECRETS } from "../e2e/support/fleet";
import { describeWithTemporal, TEMPORAL } from "./install";
import { Networks } from "./networks";

// The guide's lines, from the first to the last, over four consoles in two networks.

jest.setTimeout(600_000);

/** Blocks that go on, and what they print when the next one may run. */
const GOING_ON: readonly (readonly [command: string, printed: string])[] = [
  ["temporal server", "Server:"],
  ["cdktf-console worker", "is ready"],
  ["cdktf-console apply", "rollout approve night-1 --wave 1"],
];

/** The exit code of a run that was stopped. */
const STOPPED = ["rollout wait", 130] as const;

describeWithTemporal("the guide to several networks", () => {
  test("every line runs, from the first to the last", async () => {
    const networks = await Networks.open({ tenants: 4 });
    const { fleet, temporal } = networks;
    const running: ChildProcess[] = [];
    const blocks = blocksOf("sh").filter(({ page }) => needsTemporal(page));
    for (const { text } of blocks) {
      // The SDK is installed, and the server has another port.
      if (text.startsWith("npm install")) continue;
      const isServer = text.startsWith("temporal server");
      if (isServer) await temporal.stop();
      const line = isServer ? `${text.trim()} --headless --port ${temporal.port}` : text;
      const child = spawn("bash", ["-ec", line.replace(/^temporal/, "exec temporal")], {
        cwd: fleet.folder,
        detached: true,
        env: {
          PATH: packedPath(dirname(TEMPORAL)),
          TEMPORAL_ADDRESS: temporal.address,
          ...SECRETS,
        },
      });
      running.push(child);
      let printed = "";
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      const [, awaited] = GOING_ON.find(([command]) => text.includes(command)) ?? [];
      const isThere = new Promise<boolean>((resolve) => {
        const hear = (bytes: Buffer) => {
          printed += bytes.toString("utf8");
          if (awaited !== undefined && printed.includes(awaited)) resolve(true);
        };
        child.stdout.on("data", hear);
        child.stderr.on("data", hear);
      });
      const expected = text.includes(STOPPED[0]) ? STOPPED[1] : 0;
      const result = await Promise.race([isThere, ended]);
      expect({ text, printed, result }).toMatchObject({ result: awaited ? true : expected });
    }
    // With what each shell has started.
    for (const { pid, exitCode } of running) {
      if (pid !== undefined && exitCode === null) process.kill(-pid, "SIGKILL");
    }
    await networks.close();
  });
});
