import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeWithTemporal } from "./install";
import { Networks } from "./networks";

// Limits that change while a run goes on.

jest.setTimeout(600_000);

const TENANTS = 6;
const RUN = ["--on", "temporal", "--queue-by", "region", "--max-failures", "0"];

describeWithTemporal("the limits of a run", () => {
  let networks: Networks;
  beforeAll(async () => {
    networks = await Networks.open({ tenants: TENANTS });
    const { folder, tenants } = networks.fleet;
    // The mistake in the row of one tenant uses no budget.
    const file = join(folder, "cdktf.out/stacks", tenants.at(-1)?.name ?? "", "cdk.tf.json");
    const stack = JSON.parse(readFileSync(file, "utf8")) as { "//": object };
    const errors = ["tenants.csv:7: removed must be true or false"];
    writeFileSync(file, JSON.stringify({ ...stack, "//": { ...stack["//"], errors } }));
    await Promise.all([networks.worker("eu"), networks.worker("us")]);
  });
  afterAll(() => networks.close());

  test("are those that another process has set since", async () => {
    const { fleet } = networks;
    for (const { console } of fleet.simulator.consoles.slice(0, 2)) {
      const outcome = { kind: "status", status: 400 } as const;
      console.faults.add({ target: "PUT /api/v1/policies", outcome });
    }
    const order: string[] = [];
    fleet.onWrite((name) => {
      if (order.at(-1) !== name) order.push(name);
    });
    const applying = fleet.start("apply", ...RUN, "--run-id", "night-1");
    await applying.printed("rollout approve night-1 --wave 1");
    const nothing = await networks.rollout("set", "night-1");
    expect(nothing.err).toContain("--max-failures, --parallelism or both");
    const limits = ["--max-failures", "34%", "--parallelism", "1"];
    expect(await networks.rollout("set", "night-1", ...limits)).toMatchObject({ code: 0, err: "" });
    const shown = await networks.rollout("show", "night-1", "--json");
    expect(JSON.parse(shown.out)).toMatchObject({ allowed_failures: 2, parallelism: 1 });
    await networks.rollout("approve", "night-1", "--wave", "1");
    const { code, out } = await applying.ended;
    expect(code).toBe(1);
    expect(out).toContain(": set 2 failures, 1 at a time");
    // With the limits of the start, the first failure would have ended it.
    const ended = JSON.parse((await networks.rollout("show", "night-1", "--json")).out) as object;
    expect(ended).toMatchObject({ phase: "ended", applied: TENANTS - 3, failed: 2, excluded: 1 });
    // One stack after the other: none was written, left and written again.
    expect(order).toHaveLength(TENANTS - 1);
    const late = await networks.rollout("set", "night-1", "--parallelism", "2");
    expect(late).toMatchObject({ code: 1 });
    expect(late.err).toContain("There is no run of this ID, or it has ended.");
    const strict = fleet.start("apply", ...RUN, "--run-id", "night-2", "-y", "--count-excluded");
    expect(await strict.ended).toMatchObject({
      code: 1,
      err: expect.stringContaining("Too many stacks failed") as string,
    });
  });
});
