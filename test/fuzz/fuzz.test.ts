import { fuzzReader } from "./fuzz-reader";
import { READERS } from "./readers";
import { Watchdog } from "./watchdog";

/*
 * Mutates a valid input of every reader of outside bytes. `npm run test:fuzz` is the long form, which
 * also repeats a single run.
 */

const RUNS = 15;
const SHOWN = 10;

const watchdog = new Watchdog();
afterAll(() => watchdog.close());

test.each(READERS)("$name: each mutation ends in a value or a diagnostic", async (reader) => {
  const runs = Array(RUNS).keys();
  const { findings } = await fuzzReader(reader, { runs, seed: "1", watchdog });
  expect(findings.slice(0, SHOWN)).toEqual([]);
});
