import { existsSync, readFileSync, writeFileSync } from "node:fs";
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

/** Runs the quickstart as an app on cdktn, without cdktf. */
export function checkCdktn(tarball: string): void {
  const directory = project("cdktn", tarball, {
    dependencies: { "cdktf-console": `file:${tarball}`, constructs: "^10", cdktn: "^0.24.0" },
  });
  run(directory, "npm", "install", "--no-fund", "--no-audit");
  const quickstart = readFileSync(join(ROOT, "examples/quickstart/main.ts"), "utf8");
  writeFileSync(join(directory, "main.ts"), quickstart.replace('from "cdktf"', 'from "cdktn"'));
  if (existsSync(join(directory, "node_modules/cdktf"))) throw new Error("cdktf is installed.");
  const types = ["--typeRoots", join(ROOT, "node_modules/@types"), "--types", "node"];
  const kind = [
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--strict",
    "--skipLibCheck",
    "false",
  ];
  run(directory, join(ROOT, "node_modules/typescript/bin/tsc"), ...kind, ...types, "main.ts");

  const cli = join(directory, "node_modules/.bin/cdktf-console");
  const commands = COMMANDS.map((command) => `${cli} ${command}`).join(" && ");
  run(directory, cli, "simulate", "--", "sh", "-c", commands);
}
