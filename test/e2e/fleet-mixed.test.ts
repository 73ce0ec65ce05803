import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closedPort } from "../support/closed-port";
import { Fleet, SIGNED_UP } from "./support/fleet";

/** `npm run test:fleet` has more tenants than CI. */
const TENANTS = Number(process.env.FLEET_TENANTS ?? 100);

jest.setTimeout(120_000 + TENANTS * 600);

const LOG = "run.jsonl";

interface Result {
  readonly type: string;
  readonly stack: string;
  readonly result: { readonly status: string; readonly reason?: string };
}

/** Three consoles of each hundred tenants are dead, three answer 429 and one has another user. */
const isDead = (index: number) => index % 100 < 3;
const isBusy = (index: number) => index % 100 >= 3 && index % 100 < 6;
const isWrong = (index: number) => index % 100 === 6;

let fleet: Fleet;
beforeAll(async () => {
  const dead = await closedPort();
  fleet = await Fleet.open(
    { tenants: TENANTS, hosts: 10, signedUp: SIGNED_UP },
    (tenant, index) => ({
      ...tenant,
      ...(isDead(index) && { url: `https://127.0.0.1:${dead}` }),
      ...(isWrong(index) && { username: "nobody" }),
    }),
  );
  for (const [index, { console }] of fleet.simulator.consoles.entries()) {
    if (!isBusy(index)) continue;
    const outcome = { kind: "status", status: 429, retryAfter: "1" } as const;
    console.faults.add({ target: "*", outcome, times: 3 });
  }
});
afterAll(() => fleet.close());

const namesOf = (matches: (index: number) => boolean) =>
  fleet.tenants.flatMap(({ name }, index) => (matches(index) ? [name] : []));

/** The last result of each stack in the log. */
const results = () => {
  const lines = readFileSync(join(fleet.folder, LOG), "utf8").trimEnd().split("\n");
  const found = lines.map((line) => JSON.parse(line) as Result);
  return new Map(
    found.flatMap(({ type, stack, result }) => (type === "stack_result" ? [[stack, result]] : [])),
  );
};

test("exactly the dead and the wrong tenants fail, and the others are applied", async () => {
  const ended = await fleet.start("apply", "--auto-approve", "--run-log", LOG).ended;
  expect(ended.code).toBe(1);
  const failed = namesOf((index) => isDead(index) || isWrong(index));
  const bad = [...results()].filter(([, { status }]) => status !== "applied");
  expect(bad.map(([name]) => name).sort()).toEqual(failed);
  for (const [name, { reason }] of bad) {
    const isRefused = namesOf(isWrong).includes(name);
    expect([name, reason]).toEqual([
      name,
      isRefused ? "Console refused the credentials" : "Console is not reachable",
    ]);
  }
  expect(results().size).toBe(TENANTS);
  expect(ended.out).toContain(`Excluded: ${failed.length} of ${TENANTS} stacks`);
  for (const [index, { console }] of fleet.simulator.consoles.entries()) {
    const isApplied = !isDead(index) && !isWrong(index);
    expect(console.policies().some(({ name }) => name === "First")).toBe(isApplied);
  }
  // No output grows with the number of tenants that are alike.
  expect(ended.out.split("\n").length).toBeLessThan(100);
});

test("a resume touches the failed ones only, and completes them", async () => {
  const failed = namesOf((index) => isDead(index) || isWrong(index));
  for (const { console } of fleet.simulator.consoles) console.requests.splice(0);
  const repaired = fleet.simulator.consoles.map(({ name, url }) => ({
    name,
    url,
    username: "admin",
  }));
  fleet.use(repaired, false);
  const ended = await fleet.start("apply", "--auto-approve", "--resume", LOG).ended;
  expect(ended).toMatchObject({ code: 0, err: "" });
  expect(ended.out).toContain(`Resuming: ${failed.length} of ${TENANTS} stacks left.`);
  const touched = fleet.simulator.consoles.flatMap(({ name, console }) =>
    console.requests.length > 0 ? [name] : [],
  );
  expect(touched).toEqual(failed);
  for (const { console } of fleet.simulator.consoles) {
    expect(console.policies().some(({ name }) => name === "First")).toBe(true);
  }
});

test("a malformed log is reported once, with its line", async () => {
  const lines = readFileSync(join(fleet.folder, LOG), "utf8").split("\n");
  lines[1] = "{";
  writeFileSync(join(fleet.folder, "broken.jsonl"), lines.join("\n"));
  const { code, err } = await fleet.start("apply", "--auto-approve", "--resume", "broken.jsonl")
    .ended;
  expect(code).toBe(1);
  expect(err).toMatch(
    /^\nError: Invalid run log\n\nbroken\.jsonl, line 2: the line is not as the run wrote it\./,
  );
});
