/**
 * Runs the commands of the README's first steps, exactly as they are there, in a clone of this
 * checkout: to a project, an applied stack, and a plan that was opened as a page. Then follows the
 * tutorial in the project.
 *
 *   tsx test/first-steps/run.ts
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { followPage } from "./tutorial";

const root = join(__dirname, "../..");

/** The code block below a heading of a page. */
function blockBelow(page: string, heading: string): string {
  const [, block] =
    /\n```sh\n([^]*?)\n```/.exec(page.slice(page.indexOf(`\n## ${heading}\n`))) ?? [];
  if (block === undefined) throw new Error(`There is no sh block below "${heading}".`);
  return block;
}

function expectThat(holds: boolean, promise: string): void {
  if (!holds) throw new Error(`Not so: ${promise}`);
  process.stdout.write(`ok: ${promise}\n`);
}

/** Commits the project, and runs it in a new clone, as a runner of CI and other users do. */
function runElsewhere(project: string, clone: string): void {
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=me", "-c", "user.email=me@example.com", ...args], {
      cwd: project,
      stdio: "inherit",
    });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Add the project");
  git("clone", "--quiet", project, clone);
  const commands =
    "npm ci --ignore-scripts --no-fund --no-audit && npx cdktf-console synth && npm test";
  execFileSync("bash", ["-e", "-c", commands], { cwd: clone, stdio: "inherit" });
}

function main(): void {
  const commands = blockBelow(readFileSync(join(root, "README.md"), "utf8"), "First steps");
  expectThat(commands.split("\n").length <= 2, "the README needs two commands at most");
  const folder = mkdtempSync(join(tmpdir(), "first-steps-"));
  try {
    const checkout = join(folder, "checkout");
    execFileSync("git", ["clone", "--quiet", root, checkout]);
    const opened = join(folder, "opened");
    const browser = join(folder, "browser");
    writeFileSync(browser, `#!/bin/sh\necho "$1" > '${opened}'\n`);
    chmodSync(browser, 0o755);
    const { status, stdout } = spawnSync("bash", ["-e", "-c", commands], {
      cwd: checkout,
      env: { ...process.env, BROWSER: browser },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    process.stdout.write(stdout);
    expectThat(status === 0, "none of the commands fails");
    expectThat(stdout.includes("Apply complete!"), "the stack is applied");
    const page = existsSync(opened) ? readFileSync(opened, "utf8").trim() : "";
    expectThat(
      existsSync(page) && readFileSync(page, "utf8").includes("<html"),
      "the review page is open",
    );
    const project = join(folder, "my-console");
    execFileSync("npm", ["test"], { cwd: project, stdio: "inherit" });
    expectThat(true, "the project's own test passes");
    const tutorial = readFileSync(join(root, "docs/tutorial.md"), "utf8");
    followPage(tutorial, project, { ...process.env, BROWSER: browser });
    expectThat(true, "the commands of the tutorial have the output that it shows");
    rmSync(checkout, { recursive: true });
    runElsewhere(project, join(folder, "runner"));
    expectThat(true, "the project runs from its repository alone");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main();
