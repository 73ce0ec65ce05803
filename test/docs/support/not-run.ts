/** A block of a guide that no test runs as it is, by its first line, and the reason. */
export interface NotRun {
  readonly page: string;
  readonly start: string;
  readonly reason: string;
}

/** Blocks of the guides that are not run as they are. The table must not grow. */
export const NOT_RUN: readonly NotRun[] = [
  ["cdktf", "npx cdktf-console provider install", "test/cdktf-cli/quickstart.test.ts runs cdktf"],
  ["languages", "npm install", "test/cdktf-cli/languages.test.ts runs the apps"],
  ["languages", "pip install cdktf", "test/cdktf-cli/languages.test.ts runs the apps"],
  ["languages", "npx cdktf-console plan", "test/cdktf-cli/languages.test.ts runs the apps"],
  ["languages", "go mod init", "test/cdktf-cli/languages.test.ts runs the apps"],
  ["machines", "npx cdktf-console stacks", "needs PostgreSQL, as test/e2e/shards.test.ts has it"],
  ["machines", "npx cdktf-console synth", "needs PostgreSQL, as test/e2e/shards.test.ts has it"],
  ["machines", "npx cdktf-console apply", "needs PostgreSQL, as test/e2e/shards.test.ts has it"],
  [
    "remote-state",
    "npx cdktf-console force-unlock",
    "needs a lock, as test/cli/force-unlock.test.ts",
  ],
  ["remote-state", "npx cdktf-console state push", "needs a state that could not be stored"],
  ["remote-state", "npx cdktf-console synth", "needs a server that keeps states"],
  ["terraform", "npx cdktf-console provider serve", "serves until Ctrl-C"],
].map(([page = "", start = "", reason = ""]) => ({
  page: `docs/guides/${page}.md`,
  start,
  reason,
}));
