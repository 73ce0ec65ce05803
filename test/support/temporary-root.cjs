/**
 * Each run of jest has its own folder for temporary files. It is removed at the end of the run, with
 * what tests and the programs that they start leave in it. Its name is short, because it is a part of
 * the paths of sockets, which are bounded.
 */
const { chmodSync, mkdtempSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

module.exports = () => {
  const kept = (process.env.KEPT_FOLDER ??= tmpdir());
  const root = mkdtempSync(join(kept, "t-"));
  chmodSync(root, 0o755); // PostgreSQL runs as another user.
  process.env.TMPDIR = root;
  process.once("exit", () => {
    rmSync(root, { recursive: true, force: true });
  });
};
