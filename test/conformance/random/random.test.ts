import { describeWithTerraform } from "../../support/terraform";
import { agreeOnStacks } from "./agree";

/*
 * CI runs some stacks of a fixed seed. `npm run test:random` runs RANDOM_STACKS of them from
 * RANDOM_SEED, or from a seed that it prints, starting with the stack RANDOM_FIRST.
 */
const { RANDOM_STACKS, RANDOM_SEED, RANDOM_FIRST = "0" } = process.env;
const count = Number(RANDOM_STACKS ?? 4);
const seed = Number(RANDOM_SEED ?? (RANDOM_STACKS === undefined ? 3 : Date.now() % 2 ** 31));

describeWithTerraform("both engines treat random stacks in the same way", () => {
  agreeOnStacks({ count, seed, first: Number(RANDOM_FIRST) });
});
