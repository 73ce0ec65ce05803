const { suites } = require("./test/projects.cjs");

/** @type {import('jest').Config} */
const project = {
  rootDir: __dirname,
  testEnvironment: "node",
  testRunner: "<rootDir>/test/support/runner.cjs",
  // Sources too, so that --watch and -o find the tests of a source.
  roots: ["<rootDir>/src", "<rootDir>/test"],
  transform: {
    "^.+\\.tsx$": [
      "@swc/jest",
      {
        jsc: {
          target: "es2022",
          parser: { syntax: "typescript", tsx: true },
          transform: { react: { runtime: "automatic", importSource: "preact" } },
        },
        module: { type: "commonjs" },
      },
    ],
    "^.+\\.(t|j|mj)s$": [
      "@swc/jest",
      { jsc: { target: "es2022", parser: { syntax: "typescript" } }, module: { type: "commonjs" } },
    ],
  },
  // These ship as ECMAScript modules only.
  transformIgnorePatterns: ["/node_modules/(?!(jose|@peculiar/x509)/)"],
  moduleNameMapper: {
    // The packed package seals at its full cost.
    "/seal-cost$": "<rootDir>/test/support/seal-cost.ts",
    "^\\./new-identity$": "<rootDir>/test/support/new-identity.ts",
    // Node's resolution wants the extension where a module is loaded lazily; sources are .ts.
    "^(\\.{1,2}/.*)\\.js$": "$1",
    "^cdktf-console$": "<rootDir>/src/index.ts",
    "^cdktf-console/automation$": "<rootDir>/src/automation.ts",
    "^cdktf-console/client$": "<rootDir>/src/api/index.ts",
    "^cdktf-console/simulator$": "<rootDir>/src/simulator/index.ts",
    "^cdktf-console/testing$": "<rootDir>/src/testing.ts",
  },
};

/** @type {import('jest').Config} */
module.exports = {
  maxWorkers: 2,
  // Ends tests that hang; a busy machine must not reach it.
  testTimeout: 300_000,
  globalSetup: "<rootDir>/test/support/temporary-root.cjs",
  testSequencer: "<rootDir>/test/support/longest-first.cjs",
  reporters: ["default", "<rootDir>/test/support/not-run-reporter.cjs"],
  projects: Object.entries(suites()).map(([displayName, testMatch]) => ({
    ...project,
    displayName,
    testMatch,
  })),
};
