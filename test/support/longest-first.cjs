const { readFileSync } = require("node:fs");
const { default: Sequencer } = require("@jest/test-sequencer");

/**
 * Starts the suites first that allow themselves the most time (`jest.setTimeout`). Without a cache of
 * durations, as in CI, jest would start them by their sizes, and end with minutes of one long suite.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const limits = new Map(tests.map((test) => [test, limitOf(test.path)]));
    return super.sort(tests).sort((one, other) => limits.get(other) - limits.get(one));
  }
};

/** @param {string} path */
function limitOf(path) {
  const [, limit = "0"] = /^jest\.setTimeout\(([\d_]+)\)/m.exec(readFileSync(path, "utf8")) ?? [];
  return Number(limit.replaceAll("_", ""));
}
