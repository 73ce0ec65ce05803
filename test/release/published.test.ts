import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../cli/stack-files";
import { serveRegistryOfNpm, type RegistryOfNpm } from "./registry-of-npm";

const ROOT = join(__dirname, "../..");
const VERSION = "99.0.0";

// The package is built with its types, and packages of a project are installed.
jest.setTimeout(1_800_000);

let registry: RegistryOfNpm;
let checkout: string;
let home: string;

beforeAll(async () => {
  registry = await serveRegistryOfNpm();
  checkout = join(temporaryFolder(), "checkout");
  home = temporaryFolder();
  execFileSync("git", ["clone", "--quiet", ROOT, checkout]);
  symlinkSync(join(ROOT, "node_modules"), join(checkout, "node_modules"));
});
afterAll(() => {
  registry.close();
});

/** Runs a script as a runner does, and returns what it prints. */
function run(folder: string, script: string): { code: number | null; out: string } {
  const { status, stdout, stderr } = spawnSync("bash", ["-e", "-c", script], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, HOME: home, BROWSER: browser(), ...registry.environment },
    maxBuffer: 2 ** 27,
  });
  return { code: status, out: stdout + stderr };
}

/** A browser that keeps the page that it opens. */
function browser(): string {
  const program = join(home, "browser");
  writeFileSync(program, `#!/bin/sh\ncp "$1" '${join(home, "opened.html")}'\n`);
  chmodSync(program, 0o755);
  return program;
}

/** The command of a step of the workflow of releases. */
function stepOf(name: string): string {
  const workflow = readFileSync(join(checkout, ".github/workflows/release.yml"), "utf8");
  const [, command] = new RegExp(`- name: ${name}\\n +run: (.+)\\n`).exec(workflow) ?? [];
  if (command === undefined) throw new Error(`The workflow has no step "${name}" of one line`);
  return command;
}

test("a tag of a clean clone is published, and a user has an applied stack from it", () => {
  const publish = stepOf("Publish the package").replace("--provenance ", "");
  const git = "git -c user.name=me -c user.email=me@example.com";
  const prepared = run(
    checkout,
    `npx tsx scripts/changelog.ts ${VERSION} 2026-12-01
     npm version ${VERSION} --no-git-tag-version
     ${git} commit --quiet --all --message Release
     git tag v${VERSION}
     GITHUB_REF_NAME=v${VERSION}
     ${stepOf("Compare the tag with the version")}`,
  );
  expect(prepared).toMatchObject({ code: 0 });
  const refused = run(checkout, publish);
  expect(refused.code).not.toBe(0);
  expect(refused.out).toContain("package.json has no repository, homepage, bugs");
  const published = run(
    checkout,
    `npm pkg set repository.type=git repository.url=git+https://code.example.com/console.git
     npm pkg set homepage=https://example.com bugs.url=https://example.com/issues
     ${publish}`,
  );
  expect({ ...published, out: published.out.slice(-2000) }).toMatchObject({ code: 0 });

  const readme = readFileSync(join(checkout, "README.md"), "utf8");
  const [, steps = ""] = /\n## First steps\n[^]*?\n```sh\n([^]*?)```/.exec(readme) ?? [];
  expect(steps).toContain("npx cdktf-console init my-console");
  const first = run(temporaryFolder(), steps.replace("npx ", "npx --yes "));
  expect({ ...first, out: first.out.slice(-2000) }).toMatchObject({ code: 0 });
  expect(first.out).toContain("Apply complete! Resources: 4 added");
  expect(readFileSync(join(home, "opened.html"), "utf8")).toContain("<html");
});
