import { spawn } from "node:child_process";
import { join } from "node:path";
import { describeWithTemporal } from "./install";
import { TemporalServer } from "./server";

// The properties of a rollout, on drawn runs, by the workflow itself.

jest.setTimeout(1_800_000);

const RUNS = process.env.LONG_TESTS ? "400" : "10";
const SEED = process.env.LONG_TESTS ? String(Date.now()) : "7";

/** Runs a script of this folder, and returns its exit code and its output. */
async function script(name: string, ...argv: string[]) {
  const child = spawn(process.execPath, ["--import", "tsx", join(__dirname, name), ...argv], {
    cwd: join(__dirname, "../.."),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (bytes: Buffer) => (out += bytes.toString("utf8")));
  const code = await new Promise((resolve) => child.once("close", resolve));
  return { code, out };
}

describeWithTemporal("the workflow of a rollout", () => {
  let server: TemporalServer;
  beforeAll(async () => {
    server = await TemporalServer.open("limit.historyCount.suggestContinueAsNew=40");
  });
  afterAll(() => server.close());

  test("keeps waves, units, batches and the budget for every drawn run", async () => {
    const ran = await script("run-schedules.ts", server.address, RUNS, SEED);
    expect(ran).toEqual({ code: 0, out: "" });
    expect(server.count('ExecutionStatus = "ContinuedAsNew"')).toBeGreaterThan(0);
  });

  test("goes on with the runs that this version has begun", async () => {
    const replayed = await script("histories.ts", "replay");
    expect(replayed).toMatchObject({ code: 0 });
    expect(replayed.out).toMatch(/replayed [2-9] executions/);
  });
});
