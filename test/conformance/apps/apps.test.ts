import { describeWithTerraform } from "../../support/terraform";
import { print } from "../random/search";
import { generate } from "./generate";
import { differenceIn } from "./run";

// The slice of CI; others with RANDOM_APPS=1000 RANDOM_SEED=7 RANDOM_FIRST=0.
const { RANDOM_APPS = "2", RANDOM_SEED = "1", RANDOM_FIRST = "0" } = process.env;
const [count, seed, first] = [RANDOM_APPS, RANDOM_SEED, RANDOM_FIRST].map(Number) as [
  number,
  number,
  number,
];

describeWithTerraform("random apps of several stacks", () => {
  test(
    `${count} of seed ${seed} end as with Terraform, run stack by stack`,
    async () => {
      const met = new Map<string, number>();
      const differing: string[] = [];
      for (let index = first; index < first + count; index++) {
        const started = performance.now();
        const steps = generate(seed, index);
        const difference = await differenceIn(steps, ({ command }, { codes }, refusal) => {
          const ends = new Set(Object.values(codes));
          const name = `${command} ${refusal ?? [...ends].sort().join("")}`;
          met.set(name, (met.get(name) ?? 0) + 1);
        });
        const seconds = ((performance.now() - started) / 1000).toFixed(1);
        print(`${index}: ${seconds} s, ${steps.length} steps`);
        if (difference !== undefined) {
          print(difference);
          differing.push(`${index}: ${difference}`);
        }
      }
      print(
        [...met]
          .map(([name, times]) => `${name}: ${times}`)
          .sort()
          .join("\n"),
      );
      expect(differing).toEqual([]);
    },
    (count + 2) * 120_000,
  );
});
