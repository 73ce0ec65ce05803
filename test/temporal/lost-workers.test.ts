import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SECRETS } from "../e2e/support/fleet";
import { Moto } from "../object-stores/moto";
import { describeWithTemporal } from "./install";
import { Cable, Networks } from "./networks";

// Workers that are killed, and that Temporal no longer reaches while they still reach their consoles:
// what they leave is continued, recorded next to the states in S3, and rolled back.

jest.setTimeout(600_000);

const TENANTS = 16;
const LEASE = ["--lease", "3s"];
const RUN = ["--on", "temporal", "--queue-by", "region", ...LEASE, "--run-id", "lost"];

describeWithTemporal("a run whose workers are lost", () => {
  let networks: Networks;
  let moto: Moto;
  let cable: Cable;

  const partOf = (name: string) => `${name}.runs/lost/${name}.jsonl`;
  const locks = async () => (await moto.keys()).filter((key) => key.endsWith(".tflock"));
  const changed = () =>
    networks.fleet.simulator.consoles
      .filter(({ console }) => console.policies().some(({ name }) => name === "First"))
      .map(({ name }) => name);
  const rollBack = (id: string, ...names: string[]) => {
    const options = [...LEASE, "--auto-approve", "--run-id", id];
    return networks.fleet.start("rollout", "rollback", "lost", ...names, ...options).ended;
  };

  beforeAll(async () => {
    moto = await Moto.open();
    const states = { environment: moto.environment, backend: (key: string) => moto.backend(key) };
    networks = await Networks.open({ tenants: TENANTS, latency: 100 }, states);
    cable = await Cable.open(networks.temporal.port);
  });
  afterAll(async () => {
    cable.close();
    await networks.close();
    await moto.close();
  });

  test("is continued by others, which take over the locks, and leaves nothing undone", async () => {
    const { fleet, temporal } = networks;
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
    const allow = ["--allow", "plan,apply,rollback"];
    await Promise.all(
      ["eu", "us"].map((queue) => networks.worker(queue, temporal.address, ...allow)),
    );
    const ended = await applying.ended;
    expect(ended).toMatchObject({ code: 0, err: "" });
    expect(ended.out).not.toContain("failed");
    // The changes of the lost workers count, too.
    const all = `Total of ${TENANTS} stacks: ${3 * TENANTS} added, 0 changed, 0 destroyed.`;
    expect(ended.out).toContain(all);
    expect(await locks()).toEqual([]);
    const after = await fleet.start("plan", ...RUN.slice(0, 4)).ended;
    expect(after.out).toContain(`Total of ${TENANTS} stacks: 0 to add, 0 to change, 0 to destroy.`);
  });

  test("has one record, which history and apply --rollback read", async () => {
    const { fleet } = networks;
    const joined = await fleet.start("rollout", "record", "lost").ended;
    expect(joined).toMatchObject({ code: 0, err: "" });
    const text = readFileSync(join(fleet.folder, "lost.jsonl"), "utf8");
    for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
    expect(text).toContain('"resumed":true');
    const listed = await fleet.command("history", "--json").ended;
    expect(JSON.parse(listed.out)).toMatchObject({
      runs: [{ id: "lost", operation: "apply", status: "complete", applied: TENANTS }],
    });
    const resumed = await fleet.start("apply", "--resume", "lost.jsonl").ended;
    expect(resumed.err).toContain("Run of several machines");
    const first = fleet.tenants[0]?.name ?? "";
    const back = ["--rollback", "lost.jsonl", first, "--auto-approve"];
    expect(await fleet.start("apply", ...back).ended).toMatchObject({ code: 0, err: "" });
    expect(changed()).not.toContain(first);
  });

  test("is rolled back by workers, without the stacks whose record is cut or missing", async () => {
    const { fleet, temporal } = networks;
    const [, cut = "", gone = ""] = fleet.tenants.map(({ name }) => name);
    const kept = await moto.text(partOf(cut));
    await moto.put(partOf(cut), kept.split("\n").slice(0, 4).join("\n").concat("\n"));
    await moto.delete(partOf(gone));
    const joined = await fleet.start("rollout", "record", "lost").ended;
    expect(joined).toMatchObject({ code: 1 });
    expect(joined.err.replace(/\s+/g, " ")).toContain(
      `no record next to their states, or the app no longer has them: ${gone}.`,
    );
    const most = await rollBack("back-1");
    expect(most).toMatchObject({ code: 1 });
    expect(most.err).toContain("Record of the run is not whole");
    expect(changed()).toEqual([cut, gone]);
    await moto.put(partOf(cut), kept);
    expect(await rollBack("back-2", cut)).toMatchObject({ code: 0, err: "" });
    expect(changed()).toEqual([gone]);
    expect(await locks()).toEqual([]);
    const history = ["lost", "back-1"].map((id) => temporal.history(`cdktf-console/${id}`)).join();
    expect(history).toContain("Record of the run is not whole");
    for (const secret of [...Object.values(SECRETS), '"object_record"', "lineage"]) {
      expect(history).not.toContain(secret);
    }
  });
});
