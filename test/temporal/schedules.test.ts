import { describeWithTemporal } from "./install";
import { script } from "./scripts";
import { TemporalServer } from "./server";

// The properties of a rollout, on drawn runs, by the workflow itself.

jest.setTimeout(1_800_000);

const RUNS = process.env.LONG_TESTS ? "400" : "10";
const SEED = process.env.LONG_TESTS ? String(Date.now()) : "7";

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
