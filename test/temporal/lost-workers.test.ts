import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SECRETS, type Fleet } from "../e2e/support/fleet";
import { Moto } from "../object-stores/moto";
import { describeWithTemporal } from "./install";
import { drawLosses, LosingWorkers, type Loss } from "./losses";
import { Networks } from "./networks";

// Workers that are killed, and that Temporal no longer reaches while they still reach their consoles:
// what they leave is continued, recorded next to the states in S3, and rolled back. With LONG_TESTS=1,
// many are lost at drawn moments, and Temporal's server too: LOSSES_SEED repeats them.

const LONG = process.env.LONG_TESTS !== undefined;

jest.setTimeout(LONG ? 2 * 3_600_000 : 600_000);

const TENANTS = LONG ? 300 : 60;
const QUEUES = LONG ? ["eu", "us", "eu"] : ["eu", "us"];
const SEED = Number(process.env.LOSSES_SEED ?? Date.now() % 1_000_000);
const LOSSES: readonly Loss[] = LONG
  ? drawLosses(SEED, { count: 8, consoles: TENANTS, workers: QUEUES.length })
  : [
      { after: 10, kind: "kill", worker: 0 },
      { after: 20, kind: "cut", worker: 1 },
    ];
// A busy machine needs longer to plan a batch than a short lease holds.
const LEASE = ["--lease", LONG ? "15s" : "8s"];
const RUN = ["--on", "temporal", "--queue-by", "region", ...LEASE, "--run-id", "lost"];

const DRAWN = LONG ? `, by LOSSES_SEED=${SEED}` : "";

describeWithTemporal(`a run whose workers are lost${DRAWN}`, () => {
  let networks: Networks;
  let moto: Moto;
  let workers: LosingWorkers;

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
    workers = new LosingWorkers(networks, QUEUES, LOSSES);
  });
  afterAll(async () => {
    workers.close();
    await networks.close();
    await moto.close();
  });

  test("is continued by others, which take over the locks, and leaves nothing undone", async () => {
    const { fleet } = networks;
    await workers.start();
    const written = new Set<string>();
    fleet.onWrite((name) => {
      workers.reached(written.add(name).size);
    });
    const answers = countWrites(fleet);
    const waves = ["--waves", "5%,100%", "--max-failures", "100%"];
    const applying = fleet.start("apply", ...RUN, ...waves);
    for (const wave of ["1", "2"]) {
      await applying.printed(`rollout approve lost --wave ${wave}`);
      const approve = ["approve", "lost", "--wave", wave];
      const operators = await Promise.all([1, 2].map(() => networks.rollout(...approve)));
      // Only one of two people has answered.
      expect(operators.map(({ code }) => code).sort()).toEqual([0, 1]);
    }
    const ended = await applying.ended;
    expect(ended).toMatchObject({ code: 0, err: "" });
    await workers.settled();
    expect(ended.out).not.toContain("failed");
    const twice = [...answers].flatMap(([call, times]) => (times > 1 ? [call] : []));
    // A killed worker may not have recorded the answer to what each of its eight stacks wrote last.
    expect(twice.length).toBeLessThanOrEqual(8 * LOSSES.length);
    expect(Math.max(...answers.values())).toBeLessThanOrEqual(1 + LOSSES.length);
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

  test("never has more failures than its budget, and ends where it is stopped", async () => {
    const { fleet } = networks;
    for (const { console } of fleet.simulator.consoles.slice(TENANTS / 2)) {
      console.faults.add({ target: POLICIES, outcome: { kind: "status", status: 400 } });
    }
    const answers = countWrites(fleet, 400);
    const budget = ["--max-failures", "2", "--auto-approve", "--run-id", "budget"];
    const ended = await fleet.start("apply", ...RUN.slice(0, -2), ...budget).ended;
    expect(ended.code).toBe(1);
    expect(answers.size).toBe(3);
    for (const { console } of fleet.simulator.consoles) console.faults.clear();
    const stopping = ["--max-failures", "1", "--auto-approve", "--run-id", "stopped"];
    const applying = fleet.start("apply", ...RUN.slice(0, -2), ...stopping);
    await applying.printed("has started");
    expect(await networks.rollout("stop", "stopped")).toMatchObject({ code: 0, err: "" });
    expect(await applying.ended).toMatchObject({ code: 130 });
    expect(await locks()).toEqual([]);
  });
});

/** Counts the writes that consoles have answered with a status, by default with success. */
function countWrites({ simulator }: Fleet, expected = 200): ReadonlyMap<string, number> {
  const answers = new Map<string, number>();
  for (const { name, console } of simulator.consoles) {
    const handle = console.handle.bind(console);
    console.handle = async (request) => {
      const { method, path } = request;
      const answer = await handle(request);
      const call = `${name}: ${method} ${path}`;
      const isWrite = method !== "GET" && !path.endsWith("/authenticate");
      if (isWrite && answer.status === expected) answers.set(call, (answers.get(call) ?? 0) + 1);
      return answer;
    };
  }
  return answers;
}

const POLICIES = "PUT /api/v1/policies/compliance/container";
