/** @type {import('jest').Config} */
module.exports = {
  preset: "ts-jest",
  testEnvironment: "node",
  testTimeout: 60_000, // A test takes less than a second. A busy machine may need more.
  testPathIgnorePatterns: ["/node_modules/", "/cdktf.out/"],
};
