import { describeWithTemporal } from "./install";
import { Cable, Networks } from "./networks";

// Workers that are killed, and that Temporal no longer reaches while they still reach their consoles.

jest.setTimeout(600_000);

const TENANTS = 24;
const RUN = ["--on", "temporal", "--queue-by", "region", "--lease", "3s", "--run-id", "lost"];

describeWithTemporal("a run whose workers are lost", () => {
  let networks: Networks;
  beforeAll(async () => {
    networks = await Networks.open({ tenants: TENANTS, latency: 100 });
  });
  afterAll(() => networks.close());

  test("is continued by others, which take over the locks, and leaves nothing undone", async () => {
    const { fleet, temporal } = networks;
    const cable = await Cable.open(temporal.port);
    const killed = await networks.worker("eu", temporal.address, "--parallelism", "2");
    await networks.worker("us", cable.address, "--parallelism", "2");
    const writes = new Map<string, number>();
    fleet.onWrite((name) => {
      writes.set(name, (writes.get(name) ?? 0) + 1);
      if (writes.size === 3) {
        killed.child.kill("SIGKILL");
        cable.cut();
      }
    });
    const applying = fleet.start("apply", ...RUN, "--auto-approve", "--max-failures", "100%");
    await killed.ended;
    expect(writes.size).toBeLessThan(TENANTS);
    await Promise.all([networks.worker("eu"), networks.worker("us")]);
    const ended = await applying.ended;
    expect(ended).toMatchObject({ code: 0, err: "" });
    expect(ended.out).not.toContain("failed");
    expect(networks.locks()).toEqual([]);
    const after = await fleet.start("plan", ...RUN.slice(0, 4)).ended;
    expect(after.out).toContain(`Total of ${TENANTS} stacks: 0 to add, 0 to change, 0 to destroy.`);
    cable.close();
  });
});
