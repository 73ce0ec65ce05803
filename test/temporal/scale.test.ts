import { describeWithTemporal } from "./install";
import { script } from "./scripts";
import { TemporalServer } from "./server";

// A run of many stacks, in batches of 25 and of 1. ROLLOUT_STACKS=20000 has been tried.

jest.setTimeout(3_600_000);

const STACKS = Number(process.env.ROLLOUT_STACKS ?? 500);

describeWithTemporal("a rollout of many stacks", () => {
  let server: TemporalServer;
  beforeAll(async () => {
    server = await TemporalServer.open();
  });
  afterAll(() => server.close());

  test.each([
    { batch: 25, stacks: STACKS },
    { batch: 1, stacks: Math.ceil(STACKS / 10) },
  ])("ends in batches of $batch", async ({ batch, stacks }) => {
    const ran = await script("run-scale.ts", server.address, String(stacks), String(batch));
    expect(ran).toMatchObject({ code: 0 });
    const found = JSON.parse(ran.out) as { readonly batches: number };
    expect(found).toMatchObject({ applied: stacks, add: stacks, ended: stacks, code: 0 });
    const least = Math.ceil(stacks / batch);
    expect(found.batches).toBeGreaterThanOrEqual(least);
    expect(found.batches).toBeLessThanOrEqual(least + 5);
  });
});
