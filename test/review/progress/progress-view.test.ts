import fc from "fast-check";
import { ProgressCount } from "../../../src/review/progress/progress-count";
import { progressLine, progressView } from "../../../src/review/progress/progress-view";
import { PLAIN } from "../../../src/formats/text/style";

/** 500 of 1,000 stacks have ended after 20 seconds, 5 with errors; two run. */
function halfway(): ProgressCount {
  const count = new ProgressCount(1000, 0);
  for (let at = 0; at < 500; at++) {
    count.reached(`tenant-${at}`, at);
    count.ended(`tenant-${at}`, at % 100 === 99);
  }
  count.reached("tenant-slow", 5000);
  count.reached("tenant-new", 19_500);
  return count;
}

test("a line has the counts, the rate, the time left and the slowest stacks", () => {
  expect(progressLine("Applying", halfway().progress(20_000))).toBe(
    "Applying: 500 of 1000 stacks done, 5 failed, 2 running, 25 per second, 20s left; slowest: tenant-slow (15s)",
  );
});

test("a view has a bar, and the slowest stacks below", () => {
  const view = progressView("Applying", halfway().progress(20_000), { style: PLAIN, width: 120 });
  expect(view).toEqual([
    "Applying ██████████░░░░░░░░░░ 500 of 1000 stacks done, 5 failed, 2 running, 25 per second, 20s left",
    "Slowest: tenant-slow (15s)",
  ]);
});

test("a run without a result has no rate", () => {
  const count = new ProgressCount(20, 0);
  expect(progressLine("Planning", count.progress(100))).toBe(
    "Planning: 0 of 20 stacks done, 0 running",
  );
});

test("a stack that has ended is not counted again", () => {
  const count = new ProgressCount(2, 0);
  count.reached("a", 0);
  count.ended("a", true);
  count.reached("a", 5);
  count.ended("a", true);
  expect(count.progress(10)).toMatchObject({ done: 1, running: 0 });
});

test("a pause does not count", () => {
  const paused = halfway();
  paused.pause(20_000);
  paused.resume(90_000);
  expect(paused.progress(90_000)).toEqual(halfway().progress(20_000));
});

test("no line of a view is wider than the terminal, and no control character is in it", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.integer({ min: 10, max: 200 }),
      (stack, width) => {
        const count = new ProgressCount(3, 0);
        count.reached(stack, 0);
        for (const line of progressView("Applying", count.progress(5000), {
          style: PLAIN,
          width,
        })) {
          expect(line.length).toBeLessThan(width);
          expect(line).not.toMatch(/\p{Cc}/u);
        }
      },
    ),
    { examples: [["\u{2ba5e}\u{118a0}", 22]] },
  );
});
