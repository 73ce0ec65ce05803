import { problemsOf, readCommits } from "../../scripts/commits/commits";

const LOG =
  "\x01aaa\x02Plan each stack\x02\n\x02\0\n3\t4\tsrc/a.ts\0" +
  "\x01bbb\x02Move the backends\x02Because of the doors.\n\x02\0\n30\t40\tsrc/b.ts\0-\t-\ttest/c.png\0";

test("reads the lines and the body of each commit", () => {
  expect(readCommits(LOG)).toEqual([
    { hash: "aaa", subject: "Plan each stack", body: "", lines: 7 },
    { hash: "bbb", subject: "Move the backends", body: "Because of the doors.", lines: 70 },
  ]);
});

test.each([
  [{ subject: "Plan each stack", body: "", lines: 20 }, []],
  [{ subject: "Plan each stack", body: "Why.", lines: 21 }, []],
  [
    { subject: "Plan each stack", body: "", lines: 21 },
    ["aaa changes 21 lines and has no body with the reason: Plan each stack"],
  ],
  [
    { subject: "x".repeat(73), body: "", lines: 1 },
    [`aaa has a subject of 73 characters; 72 are allowed: ${"x".repeat(73)}`],
  ],
])("a commit %j has the problems %j", (commit, problems) => {
  expect(problemsOf({ hash: "aaa", ...commit })).toEqual(problems);
});
