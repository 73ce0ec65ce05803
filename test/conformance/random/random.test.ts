import { join } from "node:path";
import { describeWithTerraform } from "../../support/terraform";
import { Counts } from "./counts";
import { generate } from "./generate";
import { longest, print, search } from "./search";

/*
 * CI runs some stacks of a fixed seed. `npm run test:random` runs RANDOM_STACKS of them from
 * RANDOM_SEED, or from a seed that it prints, starting with the stack RANDOM_FIRST.
 */
const { RANDOM_STACKS, RANDOM_SEED, RANDOM_FIRST = "0" } = process.env;
const count = Number(RANDOM_STACKS ?? 4);
const seed = Number(RANDOM_SEED ?? (RANDOM_STACKS === undefined ? 3 : Date.now() % 2 ** 31));

describeWithTerraform("both engines treat random stacks in the same way", () => {
  test(
    `${count} of seed ${seed}`,
    async () => {
      const counts = new Counts();
      const differing = await search({
        first: Number(RANDOM_FIRST),
        count,
        generate: (index) => generate(seed, index).steps,
        observe: (acted, index, step) => {
          counts.add(acted, generate(seed, index).features[step] ?? []);
        },
        folder: join(__dirname, "fixtures"),
        fileOf: (index) => `${seed}-${index}.json`,
      });
      print(counts.report());
      expect(differing).toEqual([]);
      if (count >= 200) expect(counts.missing()).toEqual([]);
    },
    longest(count),
  );
});
