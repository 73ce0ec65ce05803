import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SIGNED_UP } from "../e2e/support/fleet";
import { ask } from "../simulator/ask";
import { describeWithTemporal } from "./install";
import { Networks } from "./networks";

// Workers apply the program and the plans that were approved, dependencies first, wave by wave.

jest.setTimeout(600_000);

const TENANTS = 6;
const ON = ["--on", "temporal", "--queue-by", "region", "--lease", "3s"];
const [FIRST, SECOND, THIRD, , FIFTH] = Array.from(
  { length: TENANTS },
  (_, index) => `tenant-000${index + 1}`,
) as [string, string, string, string, string];

describeWithTemporal("what workers apply", () => {
  let networks: Networks;
  /** The consoles that were written, in order. */
  const order: string[] = [];

  const at = (file: string) => join(networks.fleet.folder, file);
  const consoleOf = (name: string) => {
    const found = networks.fleet.simulator.consoles.find((one) => one.name === name);
    if (!found) throw new Error(`there is no console ${name}`);
    return found.console;
  };
  const start = (id: string, ...argv: string[]) =>
    networks.fleet.start("apply", ...ON, "--run-id", id, ...argv);
  const worker = (queue: string, ...argv: string[]) =>
    networks.worker(queue, networks.temporal.address, ...argv);
  const resultOf = async (id: string) =>
    JSON.parse((await networks.rollout("show", id, "--json")).out) as object;

  beforeAll(async () => {
    networks = await Networks.open({ tenants: TENANTS });
    networks.fleet.onWrite((name) => {
      if (order.at(-1) !== name) order.push(name);
    });
    const manifest = JSON.parse(readFileSync(at("cdktf.out/manifest.json"), "utf8")) as {
      stacks: Record<string, { dependencies: string[] }>;
    };
    // The third stack is applied behind the fifth.
    manifest.stacks[THIRD]?.dependencies.push(FIFTH);
    writeFileSync(at("cdktf.out/manifest.json"), JSON.stringify(manifest));
  });
  afterAll(() => networks.close());

  test("is nothing where more stacks are excluded than may fail, as by another program", async () => {
    cpSync(at("cdktf.out"), at("other.out"), { recursive: true });
    const stack = at(`other.out/stacks/${SECOND}/cdk.tf.json`);
    writeFileSync(stack, readFileSync(stack, "utf8").replaceAll("First", "Second"));
    await worker("eu", "--check", "{ echo $CDKTF_CONSOLE_WAVE; cat; } >> checked");
    const { fleet } = networks;
    const other = fleet.command("worker", "--queue", "us", "--out-dir", "other.out");
    await other.printed("is ready");
    const ended = await start("one", "--auto-approve", "--max-failures", "2").ended;
    expect(ended.code).toBe(1);
    expect(ended.out + ended.err).toContain("The worker has another program");
    expect(await resultOf("one")).toMatchObject({ applied: 0, excluded: 3 });
    expect(order).toEqual([]);
    other.child.kill("SIGKILL");
    await other.ended;
  });

  test("has the contract of the run", async () => {
    writeFileSync(at("other.yaml"), CONTRACT);
    const { fleet } = networks;
    const other = fleet.start("worker", "--queue", "us", "--contract", "other.yaml");
    await other.printed("is ready");
    const ended = await start("two", "--auto-approve", "--max-failures", "2").ended;
    expect(ended.code).toBe(1);
    expect(ended.out + ended.err).toContain("The worker has another contract");
    expect(order).toEqual([]);
    other.child.kill("SIGKILL");
    await other.ended;
  });

  test("is in waves with a check behind each, and dependencies first", async () => {
    await worker("us");
    const ended = await start("three", "--auto-approve", "--waves", "2,100%").ended;
    expect(ended).toMatchObject({ code: 0, err: "" });
    expect(order.indexOf(FIFTH)).toBeLessThan(order.indexOf(THIRD));
    const [wave, ...names] = readFileSync(at("checked"), "utf8").trim().split("\n");
    expect(wave).toBe("1");
    expect(names).toContain(FIRST);
    // The other queue has another worker, and the last wave has no check.
    expect(names).not.toContain(SECOND);
    expect(names.filter((name) => /^\d/.test(name))).toEqual([]);
  });

  test("is a plan that was approved: one that has changed is asked about again, alone", async () => {
    await change(FIRST, "by hand");
    await change(SECOND, "by hand");
    const applying = start("four");
    await applying.printed("rollout approve four --wave 1");
    await change(FIRST, "by hand again");
    await networks.rollout("approve", "four", "--wave", "1");
    await applying.printed("rollout approve four --wave 2");
    expect(await resultOf("four")).toMatchObject({
      question: { wave: 2, stacks: 1, changed: 1 },
      applied: TENANTS - 1,
    });
    expect(namesOf(FIRST)).toContain("by hand again");
    expect(namesOf(SECOND)).toEqual(["First"]);
    await networks.rollout("approve", "four", "--wave", "2");
    expect(await applying.ended).toMatchObject({ code: 0, err: "" });
    expect(namesOf(FIRST)).toEqual(["First"]);
  });

  const namesOf = (name: string) =>
    consoleOf(name)
      .policies()
      .map((policy) => policy.name);

  /** Renames the policy of a console, as a person does. */
  async function change(name: string, to: string): Promise<void> {
    const rules = consoleOf(name)
      .policies()
      .map((policy) => ({ ...policy, name: to }));
    const body = { policyType: "containerCompliance", rules };
    const put = "PUT /api/v1/policies/compliance/container";
    const { status } = await ask(consoleOf(name), put, { as: SIGNED_UP, body });
    expect(status).toBe(200);
  }
});

const CONTRACT = `version: 1
require:
  - name: nobody drops check 41
    where: { namespaces: ["prod-*"] }
    checks: { 41: block }
`;
