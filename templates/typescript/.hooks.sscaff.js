// Hooks of `cdktf init --template`. CDKTF_CONSOLE names another source of the package, such as a
// packed file.
const { execSync } = require("node:child_process");

exports.pre = (context) => {
  context.cdktf_console = process.env.CDKTF_CONSOLE || "^0.2.0";
};

exports.post = () => {
  execSync("npm install --no-fund --no-audit", { stdio: "inherit" });
};
