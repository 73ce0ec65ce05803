import { join } from "node:path";
import { SECRETS } from "../e2e/support/fleet";
import { cases } from "../support/cases";
import { describeWithTemporal } from "./install";
import { Networks } from "./networks";

// Runs over two networks, each with a worker, on Temporal's own server.

jest.setTimeout(600_000);

const TENANTS = cases(10);
const ON = ["--on", "temporal", "--queue-by", "region"];

describeWithTemporal("a rollout on Temporal", () => {
  let networks: Networks;
  beforeAll(async () => {
    networks = await Networks.open({ tenants: TENANTS });
  });
  afterAll(() => networks.close());

  test("names the queues without a worker before it starts anything", async () => {
    const { code, err } = await networks.fleet.start("apply", ...ON).ended;
    expect(code).toBe(1);
    expect(err).toContain("No worker has these queues: eu, us");
  });

  test("names a server or a namespace that cannot be used, and a worker of it ends", async () => {
    const { environment } = networks.fleet;
    networks.fleet.environment = { ...environment, TEMPORAL_NAMESPACE: "nowhere" };
    const out = join(networks.fleet.folder, "cdktf.out");
    for (const line of ["rollout list", `worker --queue eu --out-dir ${out}`]) {
      const { code, err } = await networks.fleet.command(...line.split(" ")).ended;
      expect(code).toBe(1);
      expect(err).toMatch(/Namespace.*nowhere/);
      expect(err).toContain("TEMPORAL_NAMESPACE");
      expect(err).not.toContain("Status");
    }
    const unreachable = { TEMPORAL_ADDRESS: "127.0.0.1:1" };
    for (const [more, reason] of [
      [unreachable, "127.0.0.1:1: Connection refused"],
      [{ TEMPORAL_TLS: "true" }, "the server does not use TLS"],
    ] as const) {
      networks.fleet.environment = { ...environment, ...more };
      const { code, err } = await networks.fleet.command("rollout", "list").ended;
      expect(code).toBe(1);
      expect(err.replace(/\s+/g, " ")).toContain(reason);
    }
    networks.fleet.environment = environment;
  });

  test("starts its waves by approvals from another process", async () => {
    const { fleet, temporal } = networks;
    await Promise.all([networks.worker("eu"), networks.worker("us")]);
    const waves = ["--waves", "2,50%,100%", "--max-failures", "2", "--run-id", "night-1"];
    const applying = fleet.start("apply", ...ON, ...waves);
    await applying.printed("rollout approve night-1 --wave 1");
    const early = await networks.rollout("approve", "night-1", "--wave", "2");
    expect(early).toMatchObject({ code: 1 });
    expect(early.err).toContain("about wave 1, not 2");
    // Two operators answer at once: the second one learns that it was too late.
    const answer = () => networks.rollout("approve", "night-1", "--wave", "1");
    const answers = await Promise.all([answer(), answer()]);
    expect(answers.map(({ code }) => code).sort()).toEqual([0, 1]);
    for (const wave of ["2", "3"]) {
      await applying.printed(`rollout approve night-1 --wave ${wave}`);
      const approved = await networks.rollout("approve", "night-1", "--wave", wave);
      expect(approved).toMatchObject({ code: 0, err: "" });
    }
    const ended = await applying.ended;
    expect(ended).toMatchObject({ code: 0, err: "" });
    expect(ended.out).toContain(`Total of ${TENANTS} stacks: ${3 * TENANTS} to add`);
    expect(ended.out).toContain(`Wave 3 of 3: ${TENANTS / 2} stacks`);
    expect(ended.out).toContain(
      `Total of ${TENANTS} stacks: ${3 * TENANTS} added, 0 changed, 0 destroyed.`,
    );
    for (const { console } of fleet.simulator.consoles) {
      expect(console.policies().map(({ name }) => name)).toContain("First");
    }
    expect(networks.locks()).toEqual([]);
    const shown = await networks.rollout("show", "night-1", "--json");
    expect(JSON.parse(shown.out)).toMatchObject({ phase: "ended", applied: TENANTS, code: 0 });
    expect((await networks.rollout("list")).out).toContain("night-1  completed");
    const history = temporal.history("cdktf-console/night-1");
    expect(history).toContain(fleet.tenants[0]?.name);
    for (const secret of Object.values(SECRETS)) expect(history).not.toContain(secret);
  });

  test("plans over the same workers, and finds nothing left to do", async () => {
    const { code, out, err } = await networks.fleet.start("plan", ...ON).ended;
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("No changes.");
    expect(out).toContain(`Total of ${TENANTS} stacks: 0 to add, 0 to change, 0 to destroy.`);
  });

  test("ends where it is stopped, and is refused what its workers do not allow", async () => {
    const destroying = networks.fleet.start("destroy", ...ON, "--run-id", "gone");
    const { code, out } = await destroying.ended;
    expect(code).toBe(1);
    expect(out).toContain("The worker does not allow destroy");
  });
});
