import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { project, ROOT, run } from "./project";

/** Commands of both engines, one after the other on one console. */
const COMMANDS = [
  "synth",
  "apply --auto-approve",
  "plan --engine terraform --with-null --detailed-exitcode",
  "destroy --auto-approve --engine terraform --with-null",
  "apply --auto-approve --engine terraform --with-null",
  "plan --detailed-exitcode",
];

/** Runs the quickstart as an app on cdktn, with the lines that the README gives for package.json. */
export function checkCdktn(tarball: string): void {
  const { dependencies, overrides } = linesOfReadme();
  const directory = project("cdktn", tarball, {
    dependencies: { "cdktf-console": `file:${tarball}`, constructs: "^10", ...dependencies },
    overrides,
  });
  run(directory, "npm", "install", "--no-fund", "--no-audit");
  const quickstart = readFileSync(join(ROOT, "examples/quickstart/main.ts"), "utf8");
  writeFileSync(join(directory, "main.ts"), quickstart.replace('from "cdktf"', 'from "cdktn"'));
  const types = ["--typeRoots", join(ROOT, "node_modules/@types"), "--types", "node"];
  const kind = ["--module", "nodenext", "--target", "es2022", "--strict"];
  run(directory, join(ROOT, "node_modules/typescript/bin/tsc"), ...kind, ...types, "main.ts");

  const cli = join(directory, "node_modules/.bin/cdktf-console");
  const commands = COMMANDS.map((command) => `${cli} ${command}`).join(" && ");
  run(directory, cli, "simulate", "--", "sh", "-c", commands);
}

function linesOfReadme() {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const [, block = ""] = /```json\n(\{[^`]*npm:cdktn@[^`]*)```/.exec(readme) ?? [];
  return JSON.parse(block) as Record<"dependencies" | "overrides", Record<string, string>>;
}
