import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeWithTerraform } from "../../support/terraform";
import { Counts } from "./counts";
import { generate } from "./generate";
import { differenceIn } from "./run";
import { shrink } from "./shrink";

/*
 * CI runs some stacks of a fixed seed. `npm run test:random` runs RANDOM_STACKS of them from
 * RANDOM_SEED, or from a seed that it prints, starting with the stack RANDOM_FIRST.
 */
const { RANDOM_STACKS, RANDOM_SEED, RANDOM_FIRST = "0", RANDOM_LOG } = process.env;
const count = Number(RANDOM_STACKS ?? 10);
const seed = Number(RANDOM_SEED ?? (RANDOM_STACKS === undefined ? 3 : Date.now() % 2 ** 31));

/** The time for finding a smaller stack that differs, in milliseconds. */
const SHRINKING = Number(process.env.RANDOM_SHRINKING ?? 60) * 1000;

describeWithTerraform("both engines treat random stacks in the same way", () => {
  test(
    `${count} of seed ${seed}`,
    async () => {
      const counts = new Counts();
      const differing: string[] = [];
      const first = Number(RANDOM_FIRST);
      for (let index = first; index < first + count; index++) {
        const { steps, features } = generate(seed, index);
        const start = performance.now();
        const difference = await differenceIn(steps, (acted, step) => {
          counts.add(acted, features[step] ?? []);
        });
        print(
          `${index}: ${((performance.now() - start) / 1000).toFixed(1)} s, ${steps.length} steps`,
        );
        if (difference === undefined) continue;
        print(difference);
        let smallest = difference;
        const smaller = await shrink(steps, {
          end: performance.now() + SHRINKING,
          differs: async (candidate) => {
            const found = await differenceIn(candidate);
            if (found === undefined || kindOf(found) !== kindOf(difference)) return false;
            smallest = found;
            return true;
          },
        });
        const file = join(__dirname, "fixtures", `${seed}-${index}.json`);
        writeFileSync(
          file,
          JSON.stringify({ difference: smallest, steps: smaller }, null, 2) + "\n",
        );
        differing.push(file);
      }
      print(counts.report());
      expect(differing).toEqual([]);
      if (count >= 200) expect(counts.missing()).toEqual([]);
    },
    (count + 2) * (30_000 + SHRINKING),
  );
});

/** The first line that differs, without names: smaller stacks should differ in the same way. */
function kindOf(difference: string): string {
  const [, line = ""] = /^[-+] {3}"(.*)/m.exec(difference) ?? [];
  const [kind = ""] = line.split(line.startsWith("error") ? ": " : / r\d|: /);
  return kind;
}

function print(text: string): void {
  if (RANDOM_LOG === undefined) process.stdout.write(`${text}\n`);
  else appendFileSync(RANDOM_LOG, `${text}\n`);
}
