import fc from "fast-check";
import { ProgressCount } from "../../../src/review/progress/progress-count";
import * as view from "../../../src/review/progress/progress-view";
import { printed } from "../../../src/core/printed";
import { PLAIN } from "../../../src/formats/text/style";

const { limitLines, progressView } = view;

/** The text of a line as a command prints it. */
const progressLine = (...given: Parameters<typeof view.progressLine>) =>
  printed`${view.progressLine(...given)}`.toString();

/** 500 of 1,000 stacks with two operations have ended after 20 seconds, 5 with errors; two run. */
function halfway(): ProgressCount {
  const stacks = [...Array.from({ length: 998 }, (_, at) => `tenant-${at}`), "slow", "new"];
  const count = new ProgressCount(1000, new Map(stacks.map((stack) => [stack, 2])), 0);
  for (let at = 0; at < 500; at++) {
    count.reached(`tenant-${at}`, 40 * at);
    count.operated(`tenant-${at}`);
    const fails = at % 100 === 99;
    if (!fails) count.operated(`tenant-${at}`);
    count.ended(`tenant-${at}`, fails, 40 * at);
    count.progress(40 * at);
  }
  count.reached("slow", 5000);
  count.reached("new", 19_500);
  count.waits("tenant-600");
  count.reached("tenant-600", 19_000);
  return count;
}

test("a line has the operations, their rate, the time left, the stacks and the slowest", () => {
  expect(progressLine("Applying", halfway().progress(20_000))).toBe(
    "Applying: 995 of 1995 operations, 50 per second, 20s left, 500 of 1000 stacks, 5\n  failed, 2 running, 1 waiting; slowest: slow (15s)",
  );
});

test("a view has a bar, and the stacks and the slowest below", () => {
  const view = progressView("Applying", halfway().progress(20_000), { style: PLAIN, width: 80 });
  expect(view).toEqual([
    "Applying ███████░░░░░░░░░ 995 of 1995 operations, 50 per second, 20s left",
    "500 of 1000 stacks, 5 failed, 2 running, 1 waiting",
    "Slowest: slow (15s)",
  ]);
});

test("a part without operations counts stacks, and one without a result has no rate", () => {
  const count = new ProgressCount(20, new Map(), 0);
  expect(progressLine("Planning", count.progress(100))).toBe("Planning: 0 of 20 stacks, 0 running");
});

test("there is a time left only after some work at a steady rate", () => {
  const count = new ProgressCount(1, new Map([["a", 1000]]), 0);
  const after = (operations: number, at: number) => {
    for (let done = 0; done < operations; done++) count.operated("a");
    return count.progress(at);
  };
  // Stacks that advance together end nothing for long, and then much at once.
  expect(after(1, 30_000)).toMatchObject({ timeLeft: undefined });
  expect(after(400, 40_000)).toMatchObject({ rate: 40, timeLeft: undefined });
  for (let at = 41_000; at < 60_000; at += 1000) after(20, at);
  expect(after(20, 60_000)).toMatchObject({ rate: 20, timeLeft: 9_950 });
  // Nothing ends in the last ten seconds.
  after(0, 65_000);
  expect(after(0, 75_000)).toMatchObject({ rate: undefined, timeLeft: undefined });
});

test("there is no time left while consoles make all stacks wait, or when it has passed", () => {
  const steady = () => {
    const count = new ProgressCount(1, new Map([["a", 1000]]), 0);
    count.reached("a", 0);
    for (let at = 0; at < 20_000; at += 100) {
      for (let done = 0; done < 4; done++) count.operated("a");
      count.progress(at);
    }
    return count;
  };
  const waiting = steady();
  expect(waiting.progress(20_000).timeLeft).toBeCloseTo(5_000, -3);
  waiting.delayed("a", "waiting: https://console.example.com answered 503");
  expect(waiting.progress(20_000).timeLeft).toBeUndefined();
  waiting.operated("a");
  expect(waiting.progress(20_000).timeLeft).toBeDefined();
  const stuck = steady();
  for (let done = 0; done < 190; done++) stuck.operated("a");
  expect(stuck.progress(20_000).timeLeft).toBeLessThan(1_000);
  expect(stuck.progress(21_000).timeLeft).toBeUndefined();
});

test("operations that a failed stack has not reached are not expected", () => {
  const count = new ProgressCount(
    2,
    new Map([
      ["a", 5],
      ["b", 5],
    ]),
    0,
  );
  count.operated("a");
  count.ended("a", true, 5);
  expect(count.progress(10).operations).toEqual({ done: 1, total: 6 });
});

test("a stack that has ended is not counted again", () => {
  const count = new ProgressCount(2, new Map(), 0);
  count.reached("a", 0);
  count.ended("a", true, 9);
  count.reached("a", 5);
  count.ended("a", true, 9);
  expect(count.progress(10).stacks).toMatchObject({ done: 1, running: 0 });
});

test("no line of a view is wider than the terminal, and no control character is in it", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.integer({ min: 10, max: 200 }),
      (stack, width) => {
        const count = new ProgressCount(3, new Map([[stack, 1]]), 0);
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

test("a line of a narrow terminal ends behind a word", () => {
  const count = new ProgressCount(2, new Map(), 0);
  count.reached("a-stack-with-a-rather-long-name", 0);
  count.reached("another-stack", 0);
  const whole = progressView("Applying", count.progress(9_000), { style: PLAIN, width: 200 });
  for (let width = 45; width < 80; width += 1) {
    const lines = progressView("Applying", count.progress(9_000), { style: PLAIN, width });
    for (const [at, line] of lines.entries()) {
      expect(line.length).toBeLessThan(width);
      const shown = line.replace(/…$/, "");
      expect(`${whole[at] ?? ""} `.startsWith(`${shown} `)).toBe(true);
    }
  }
});

test("limits of consoles are shown, and only counted if there are many", () => {
  const writes = "limits writes: about 1 per second";
  const progress = halfway().progress(20_000, [writes, writes, "limits reads: about 2 per minute"]);
  expect(progressLine("Applying", progress).replace(/\n {2}/g, " ")).toMatch(
    /; slowest: slow \(15s\); the console limits writes: about 1 per second; the console limits reads: about 2 per minute$/,
  );
  expect(progressView("Applying", progress, { style: PLAIN, width: 80 }).slice(-2)).toEqual([
    "The console limits writes: about 1 per second",
    "The console limits reads: about 2 per minute",
  ]);
  const limits = [1, 2, 3, 4].map((rate) => `limits writes: about ${rate} per second`);
  expect(limitLines(limits)).toEqual(["4 limits of consoles slow the run"]);
});

test.each([
  ["GET https://slow.example.com:8083/api/v1/_ping answered 503", "answered 503"],
  ["https://slow.example.com:8083 cannot be reached", "cannot be reached"],
])("a line says in at most 80 columns why a stack waits: %s", (reason, shown) => {
  const count = halfway();
  count.delayed("slow", `waiting: ${reason}, at most 600 s more`);
  const lines = progressLine("Applying", count.progress(20_000)).split("\n");
  expect(lines.join(" ").replace(/\s+/g, " ")).toContain(
    `slowest: slow (15s, ${shown}, at most 600 s more)`,
  );
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  count.operated("slow");
  expect(progressLine("Applying", count.progress(21_000))).not.toContain(shown);
});
