import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

export const ROOT = join(__dirname, "../..");
export const BIN = join(ROOT, "node_modules/.bin");

/** Its apply evaluates an expression of a package that is loaded late, and writes a state. */
const PROGRAM = `
const { App, TerraformStack } = require("cdktf");
const { ConsoleProvider, Secret } = require("cdktf-console");
const app = new App();
const stack = new TerraformStack(app, "production");
const token = Secret.unsafePlainText("any");
new ConsoleProvider(stack, "console", { baseUrl: "https://console.invalid", token });
const triggers = { a: "\${replace(\\"abc\\", \\"/b+/\\", \\"\\")}" };
stack.addOverride("resource.null_resource.here", { triggers });
app.synth();
`;

/** The folder of all projects. */
export const folder = mkdtempSync(join(tmpdir(), "cdktf-console-package-"));

/** Runs a program, which must succeed. Returns what it printed. */
export function run(cwd: string, program: string, ...args: readonly string[]): string {
  process.stdout.write(`$ ${basename(program)} ${args.join(" ")}\n`);
  return execFileSync(program, args, { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
}

/** A new project with the dependencies of the README. */
export function project(name: string, tarball: string, more: object = {}): string {
  const directory = join(folder, name);
  mkdirSync(directory);
  const dependencies = { "cdktf-console": `file:${tarball}`, cdktf: "^0.21.0", constructs: "^10" };
  const manifest = { name, private: true, version: "1.0.0", dependencies, ...more };
  writeFileSync(join(directory, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(directory, "main.js"), PROGRAM);
  writeFileSync(
    join(directory, "cdktf.json"),
    JSON.stringify({ language: "typescript", app: "node main.js" }),
  );
  return directory;
}
