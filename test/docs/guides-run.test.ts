import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { startSimulator } from "../../src/simulator";
import { temporaryFolder } from "../cli/stack-files";
import { BLOCKS, PAGES, ROOT, type Block } from "./support/pages";

const run = promisify(execFile);

/**
 * Blocks of guides with the language `sh` are run in a new project, whose stack was applied to a
 * console, with the command line that `npm test` has built. A comment `<!-- before: COMMAND -->` in front of a block prepares the project for it.
 */
const BEFORE = /<!-- before: (.*) -->\n\n$/;

/** A block of the language `shell` cannot run so. The comment in front of it has the reason. */
const NOT_RUN = /<!-- not run here: .+ -->\n\n$/;

const guides = BLOCKS.filter(({ page }) => page.startsWith("docs/guides/"));
const shown = guides.filter(({ language }) => language === "shell");
const pages = [
  ...new Set(guides.filter(({ language }) => language === "sh").map(({ page }) => page)),
];

function textBefore({ page, line }: Block): string {
  const text = PAGES.find(({ path }) => path === page)?.text ?? "";
  return text
    .split("\n")
    .slice(0, line - 1)
    .map((one) => `${one}\n`)
    .join("");
}

test("a block that is not run has the reason", () => {
  const silent = shown.filter((block) => !NOT_RUN.test(textBefore(block)));
  expect(silent.map(({ place }) => place)).toEqual([]);
});

test.each(pages)("every command of %s succeeds", async (page) => {
  const directory = newProject();
  const blocks = guides.filter((block) => block.page === page && block.language === "sh");
  const script = blocks.flatMap((block) => [
    BEFORE.exec(textBefore(block))?.[1] ?? "",
    `echo "${block.place}"`,
    block.text,
  ]);
  const simulator = await startSimulator();
  try {
    const environment = {
      PATH: [join(directory, "bin"), process.env.PATH].join(delimiter),
      HOME: directory,
      BROWSER: "true",
      CONSOLE_URL: simulator.consoles[0].url,
      CONSOLE_CA_FILE: simulator.caFile,
      CONSOLE_USERNAME: "admin",
      CONSOLE_PASSWORD: "correct-horse-battery",
      CONSOLE_LICENSE_KEY: "license-key-of-the-test",
    };
    const text = ["exec 2>&1", "set -e", "cdktf-console apply -y", ...script].join("\n");
    const ended = await run("bash", ["-c", text], { cwd: directory, env: environment }).then(
      () => "done",
      (failure: unknown) => outputOf(failure),
    );
    expect(ended).toBe("done");
  } finally {
    await simulator.close();
  }
});

/** The end of what a script printed before it failed. */
function outputOf(failure: unknown): string {
  const hasOutput = failure instanceof Error && "stdout" in failure;
  return hasOutput ? String(failure.stdout).slice(-2000) : String(failure);
}

/** The project of `init`, with this checkout as its package, and an `npx` that needs no npm. */
function newProject(): string {
  const directory = temporaryFolder();
  cpSync(join(ROOT, "templates/typescript"), directory, { recursive: true });
  const settings = join(directory, "cdktf.json");
  writeFileSync(settings, readFileSync(settings, "utf8").replace("{{ $base }}", "guide"));
  mkdirSync(join(directory, "node_modules"));
  for (const name of ["cdktf", "constructs", "@cdktf"]) {
    symlinkSync(join(ROOT, "node_modules", name), join(directory, "node_modules", name));
  }
  symlinkSync(ROOT, join(directory, "node_modules/cdktf-console"));
  mkdirSync(join(directory, "bin"));
  const programs = {
    npx: '#!/bin/sh\nexec "$@"\n',
    tsx: `#!/bin/sh\nexec node '${join(ROOT, "node_modules/tsx/dist/cli.mjs")}' "$@"\n`,
    "cdktf-console": `#!/bin/sh\nexec node '${join(ROOT, "dist/cli.js")}' "$@"\n`,
  };
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(directory, "bin", name), text, { mode: 0o755 });
  }
  return directory;
}
