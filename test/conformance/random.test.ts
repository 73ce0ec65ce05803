import fc from "fast-check";
import { describeWithTerraform } from "../support/terraform";
import { conformsIn } from "./support/conform";
import { randomStack, turnsOf } from "./support/random-stacks";
import { openSeats } from "./support/seat";

/*
 * `npm run test:random` runs more stacks, or RANDOM_STACKS of them, from a random seed that it
 * prints. RANDOM_SEED repeats the stacks of a seed, RANDOM_PATH the one that fast-check names.
 */
const { RANDOM_STACKS, RANDOM_SEED, RANDOM_PATH } = process.env;
const runs = Number(RANDOM_STACKS ?? 8);
const seed = Number(RANDOM_SEED ?? (RANDOM_STACKS === undefined ? 4 : Date.now() % 2 ** 31));

/** The time for finding a smaller stack that fails, in milliseconds. */
const SHRINKING = 30_000;

describeWithTerraform("both engines treat random stacks in the same way", () => {
  test(
    `${runs} of seed ${seed}`,
    async () => {
      const seats = await openSeats();
      let end = Infinity;
      const property = fc.asyncProperty(randomStack, async (stack) => {
        if (performance.now() > end) return;
        // A path names its first stack only.
        if (RANDOM_PATH !== undefined) end = 0;
        try {
          await conformsIn(seats, turnsOf(stack));
        } catch (error) {
          end = Math.min(end, performance.now() + SHRINKING);
          throw error;
        }
      });
      const path = RANDOM_PATH === undefined ? {} : { path: RANDOM_PATH };
      await fc.assert(property, { numRuns: runs, seed, ...path });
    },
    SHRINKING + (runs + 2) * 30_000,
  );
});
