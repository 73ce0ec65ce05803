// Hooks of `cdktf init --template`. CONSOLE_PACKAGE names another source of the package, such as a
// packed file.
const { execSync } = require("node:child_process");

exports.pre = (context) => {
  context.cdktf_console = process.env.CONSOLE_PACKAGE || "^0.2.0";
  // The waiver of the first apply is valid for 30 days.
  context.expires = new Date(Date.now() + 30 * 24 * 3_600_000).toISOString().slice(0, 10);
};

// cdktf-cli sets NODE_ENV=production, which leaves out the packages of the tests.
exports.post = () => {
  execSync("npm install --include=dev --no-fund --no-audit", { stdio: "inherit" });
};
