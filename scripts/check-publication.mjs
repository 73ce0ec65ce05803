/** Refuses to publish a package that does not say where its source, pages and issues are. */
import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const missing = ["repository", "homepage", "bugs"].filter((name) => manifest[name] === undefined);
if (missing.length > 0) {
  console.error(`package.json has no ${missing.join(", ")}: set them as CONTRIBUTING.md says.`);
  process.exitCode = 1;
}
