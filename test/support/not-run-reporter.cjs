/**
 * A reporter of jest: prints one line at the end of a run that names the tests that were skipped, by
 * their reasons. The functions of requirement.ts write a reason into the name of what they skip.
 */
const REASON = /\(not run: ([^]+?)\)(?: |$)/;

/**
 * @param {readonly import("@jest/test-result").TestResult[]} files
 * @param {string} [pattern] - of -t; other tests were not selected
 */
function notRunLine(files, pattern) {
  const isSelected = pattern ? new RegExp(pattern, "i") : /^/;
  const counts = new Map();
  for (const { fullName, status } of files.flatMap(({ testResults }) => testResults)) {
    if (status === "passed" || status === "failed" || !isSelected.test(fullName)) continue;
    const reason = REASON.exec(fullName)?.[1] ?? `no reason: ${fullName}`;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  if (counts.size === 0) return "Not run: nothing, every selected test ran.";
  const reasons = [...counts].map(([reason, count]) => `${reason} (${count})`);
  return `Not run: ${reasons.sort().join("; ")}.`;
}

class NotRunReporter {
  constructor({ testNamePattern }) {
    this.pattern = testNamePattern;
  }

  onRunComplete(_contexts, { testResults }) {
    const line = notRunLine(testResults, this.pattern);
    // jest prints its own summary after all reporters.
    process.once("exit", () => process.stderr.write(`${line}\n`));
  }
}

module.exports = NotRunReporter;
module.exports.notRunLine = notRunLine;
