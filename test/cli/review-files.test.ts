import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

function project() {
  const directory = temporaryFolder();
  writeStacks(directory, { one: { resource: { null_resource: { gate: {} } } } });
  return directory;
}

async function plan(directory: string, options: string[], environment = {}) {
  const terminal = new TestTerminal({ directory, environment });
  const code = await terminal.run("plan", "--out-dir", "cdktf.out", ...options);
  return { code, out: terminal.out, err: terminal.err };
}

test("makes the folder of a review, and names the file", async () => {
  const directory = project();
  const { code, out } = await plan(directory, ["--html", "reviews/today/plan.html"]);
  expect(code).toBe(0);
  expect(out).toContain("\nWrote the review to reviews/today/plan.html\n");
  expect(readFileSync(join(directory, "reviews/today/plan.html"), "utf8")).toContain("<html");
});

test("refuses a file that cannot be written, before planning", async () => {
  const directory = project();
  mkdirSync(join(directory, "folder"));
  const { code, out, err } = await plan(directory, ["--html", "folder"]);
  expect([code, out]).toEqual([1, ""]);
  expect(err.replaceAll("\n", " ")).toContain(
    "folder: is a directory. Name a file. Nothing was planned.",
  );
});

test("refuses a folder below a file, before planning", async () => {
  const directory = project();
  writeFileSync(join(directory, "file"), "");
  const { code, out, err } = await plan(directory, ["--markdown", "file/plan.md"]);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain("Error: The review cannot be written");
});

test("opens the page with the program in BROWSER", async () => {
  const directory = project();
  const browser = join(directory, "browser");
  writeFileSync(browser, '#!/bin/sh\necho "$1" > opened.tmp && mv opened.tmp opened\n');
  chmodSync(browser, 0o755);
  const options = ["--html", "plan.html", "--open"];
  expect((await plan(directory, options, { BROWSER: browser })).code).toBe(0);
  while (!existsSync(join(directory, "opened"))) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(readFileSync(join(directory, "opened"), "utf8")).toBe(`${join(directory, "plan.html")}\n`);
});

test("says that no program opens the page", async () => {
  const { code, out } = await plan(project(), ["--html", "plan.html", "--open"], {
    BROWSER: "no-such-browser",
  });
  expect(code).toBe(0);
  expect(out).toContain("No program was found to open it.");
});
