import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describeWithTerraform } from "../../support/terraform";
import { differenceIn } from "../random/run";
import { longest, search } from "../random/search";
import type { Fixture } from "../random/step";
import { generate } from "./generate";
import { failingProviders } from "./providers";

/*
 * CI runs some sequences of a fixed seed. RANDOM_FAILURES sets their number, RANDOM_SEED the seed, and
 * RANDOM_FIRST the first one.
 */
const { RANDOM_FAILURES = "3", RANDOM_SEED = "1", RANDOM_FIRST = "5" } = process.env;
const count = Number(RANDOM_FAILURES);
const seed = Number(RANDOM_SEED);

const FOLDER = join(__dirname, "fixtures");

describeWithTerraform("both engines fail and recover in the same order", () => {
  test.each(readdirSync(FOLDER))("%s, which once differed", async (file) => {
    const { steps } = JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Fixture;
    expect(await differenceIn(steps, undefined, failingProviders)).toBeUndefined();
  });

  test(
    `${count} sequences of seed ${seed}`,
    async () => {
      let failed = 0;
      const differing = await search({
        first: Number(RANDOM_FIRST),
        count,
        generate: (index) => generate(seed, index),
        observe: ({ errors }) => {
          if (errors.length > 0) failed++;
        },
        providers: failingProviders,
        folder: FOLDER,
        fileOf: (index) => `${seed}-${index}.json`,
      });
      expect(differing).toEqual([]);
      expect(failed).toBeGreaterThanOrEqual(count / 2);
    },
    longest(count),
  );
});
