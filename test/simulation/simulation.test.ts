import { Met } from "./support/faults";
import { simulate, type Outcome } from "./support/scenario";
import { shrink } from "./support/shrink";

const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 4);
const FIRST = Number(process.env.SIMULATION_FIRST ?? 1);
const SHRINKING = Number(process.env.SIMULATION_SHRINKING ?? 200);

/** A busy machine needs this long at most. */
const LIMIT_MS = 60_000 + SEEDS * 5_000;

/** The kind of a problem: without names and numbers. */
const kindOf = ({ problems: [first = ""] }: Outcome) => first.slice(0, 60).replace(/\d+/g, "");

/** The smallest world that was found with the problem of this one. */
async function describe(seed: number, outcome: Outcome): Promise<string> {
  const fails = async (choices: readonly number[]) =>
    kindOf(await simulate(choices)) === kindOf(outcome);
  const { problems, trace } = await simulate(await shrink(outcome.choices, fails, SHRINKING));
  const shown = trace.filter(
    (line) => !/ (warning|write|create|mkdir|fsync|fdatasync) /.test(line),
  );
  return [`SIMULATION_FIRST=${seed} SIMULATION_SEEDS=1`, ...problems, "", ...shown].join("\n");
}

test(
  "keeps its promises in worlds of random faults",
  async () => {
    const met = new Met();
    for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
      const outcome = await simulate(seed, met);
      if (outcome.problems.length > 0) throw new Error(await describe(seed, outcome));
    }
    if (SEEDS >= 200) expect(met.pairs.size).toBeGreaterThan(130);
    if (process.env.SIMULATION_MET) process.stdout.write(`${met.summary}\n`);
  },
  LIMIT_MS,
);

test("rolls back a run that was killed and resumed, whose state a read has changed", async () => {
  expect((await simulate(70_023)).problems).toEqual([]);
}, 120_000);

test("repeats a world bit by bit, from its seed and from its choices", async () => {
  for (const seed of [5, 6, 7]) {
    const { digest, choices } = await simulate(seed);
    expect((await simulate(seed)).digest).toBe(digest);
    expect((await simulate(choices)).digest).toBe(digest);
  }
});

test("makes the record of a failure smaller", async () => {
  const choices = Array.from({ length: 200 }, (_, at) => at + 1);
  const fails = (list: readonly number[]) => Promise.resolve(list[20] === 21 && list[90] === 91);
  const smallest = await shrink(choices, fails, 1_000);
  expect(smallest.length).toBe(91);
  expect(smallest.filter((choice) => choice > 0)).toEqual([21, 91]);
});
