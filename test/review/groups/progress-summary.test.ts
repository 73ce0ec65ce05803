import { summarizeProgress } from "../../../src/review/groups/progress-summary";

test("prints a line every five seconds, and none for each stack", () => {
  const lines: string[] = [];
  let time = 0;
  const observe = summarizeProgress(
    (line) => lines.push(line),
    1000,
    () => time,
  );
  for (let at = 0; at < 500; at++) {
    const about = {
      stack: `tenant-${at}`,
      address: "null_resource.gate",
      action: "create",
    } as const;
    observe({ ...about, type: "apply_start" });
    time += 20;
    if (at % 100 === 99) observe({ ...about, type: "apply_errored", elapsedMs: 20 });
    else observe({ ...about, type: "apply_complete", elapsedMs: 20 });
  }
  expect(lines).toEqual([
    "250 of 1000 stacks reached: 248 operations done, 2 failed, 0 running, 50 per second",
    "500 of 1000 stacks reached: 495 operations done, 5 failed, 0 running, 50 per second",
  ]);
});
