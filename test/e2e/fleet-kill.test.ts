import { existsSync } from "node:fs";
import { join } from "node:path";
import { Fleet } from "./support/fleet";

/** `npm run test:fleet` kills more often than CI. */
const KILLS = Number(process.env.FLEET_KILLS ?? 3);
/** Enough that no run between two kills completes the rest. */
const TENANTS = 3 * KILLS + 4;

jest.setTimeout(60_000 + KILLS * 30_000);

const LOG = "run.jsonl";
const COMMAND = ["apply", "--auto-approve", "--parallelism", "3", "--run-log", LOG];

/** Starts a run, and kills it at a random moment: while it starts, plans or writes. */
async function killedRun(fleet: Fleet, afterWrites: (count: number, kill: () => void) => void) {
  const resume = existsSync(join(fleet.folder, LOG)) ? ["--resume", LOG] : [];
  const running = fleet.start(...COMMAND, ...resume);
  const kill = () => running.child.kill("SIGKILL");
  if (Math.random() < 0.2) setTimeout(kill, Math.random() * 500);
  else afterWrites(1 + Math.floor(Math.random() * 4), () => setTimeout(kill, Math.random() * 30));
  return running.ended;
}

test("a run that is killed and resumed again and again ends as an undisturbed one", async () => {
  const options = { tenants: TENANTS, latency: 5 };
  const [killed, undisturbed] = [await Fleet.open(options), await Fleet.open(options)];
  let pending: { left: number; act: () => void } | undefined;
  killed.onWrite(() => {
    if (pending && --pending.left === 0) pending.act();
  });
  for (let kills = 0; kills < KILLS; kills++) {
    const ended = await killedRun(killed, (left, act) => (pending = { left, act }));
    pending = undefined;
    expect(ended).toMatchObject({ signal: "SIGKILL" });
  }
  const last = await killed.start(...COMMAND, "--resume", LOG).ended;
  expect(last).toMatchObject({ code: 0, err: "" });
  expect(last.out).toMatch(/Resuming: \d+ of \d+ stacks left\./);
  const whole = await undisturbed.start("apply", "--auto-approve").ended;
  expect(whole).toMatchObject({ code: 0, err: "" });

  expect(killed.contents()).toEqual(undisturbed.contents());
  for (const { name } of killed.tenants) {
    expect([name, killed.state(name)]).toEqual([name, undisturbed.state(name)]);
  }
  const again = await killed.start("plan", "--detailed-exitcode").ended;
  expect(again).toMatchObject({ code: 0, err: "" });
  await killed.close();
  await undisturbed.close();
});
