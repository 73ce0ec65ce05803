/**
 * Gives each run of jest its own folder for temporary files, and removes it at the end with what tests
 * and the programs that they start leave in it. The name is short, because paths of sockets are.
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
