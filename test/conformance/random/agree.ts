import { join } from "node:path";
import { Counts } from "./counts";
import { generate } from "./generate";
import { longest, print, search } from "./search";

/** Defines a test of this many random stacks, starting with the stack `first`. */
export function agreeOnStacks({ count, seed, first }: Record<"count" | "seed" | "first", number>) {
  test(
    `${count} of seed ${seed}`,
    async () => {
      const counts = new Counts();
      const differing = await search({
        first,
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
}
