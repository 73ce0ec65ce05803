// Hooks of `cdktf init --template`. CONSOLE_PACKAGE names another source of the package, such as a
// packed file.
const { execSync } = require("node:child_process");

exports.pre = (context) => {
  context.cdktf_console = process.env.CONSOLE_PACKAGE || "^0.2.0";
};

// cdktf-cli sets NODE_ENV=production, which leaves out the packages of the tests.
exports.post = () => {
  execSync("npm install --include=dev --no-fund --no-audit", { stdio: "inherit" });
};
