import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ownOptions, ownWords, parseProblem } from "./support/parse-command";
import { blocksOf, PAGES, prose, ROOT } from "./support/pages";
import { shellCommands } from "./support/shell-commands";

const blocks = blocksOf("sh", "shell");
const commands = blocks.flatMap(({ place, text }) =>
  shellCommands(text).map((words) => ({ place, words })),
);

test("every command of cdktf-console is accepted, with its options and their values", () => {
  const own = commands.flatMap(({ place, words }) => {
    const given = ownWords(words);
    return given ? [{ place, given }] : [];
  });
  expect(own.length).toBeGreaterThan(40);
  const problems = own.flatMap(({ place, given }) => {
    const problem = parseProblem(given);
    return problem === undefined ? [] : [`${place}: ${given.join(" ")}: ${problem}`];
  });
  expect(problems).toEqual([]);
});

test("a wrong option, value or command is found", () => {
  const problemOf = (line: string) => parseProblem(ownWords(shellCommands(line)[0] ?? []) ?? []);
  expect(problemOf("npx cdktf-console plan --html")).toContain("argument missing");
  expect(problemOf("CI=1 cdktf-console plan --shard 3/2 # comment")).toContain("I/N");
  expect(problemOf("cdktf-console simulate -- cdktf-console plans > out")).toContain("plans");
  expect(problemOf("cdktf-console plan 'tenant-*' --label ring=canary | less")).toBeUndefined();
});

test("every script of npm exists, here or in a new project", () => {
  const scripts = ["package.json", "templates/typescript/package.json"].flatMap((path) => {
    const text = readFileSync(join(ROOT, path), "utf8");
    return Object.keys((JSON.parse(text) as { scripts: object }).scripts);
  });
  const missing = commands.flatMap(({ place, words: [program, run, name = ""] }) =>
    program === "npm" && run === "run" && !scripts.includes(name) ? [`${place}: ${name}`] : [],
  );
  expect(missing).toEqual([]);
});

test("every block is a valid script", () => {
  const problems = blocks.flatMap(({ place, text }) => {
    const { status, stderr } = spawnSync("bash", ["-n"], { input: text, encoding: "utf8" });
    return status === 0 ? [] : [`${place}: ${stderr}`];
  });
  expect(problems).toEqual([]);
});

/** Spans of code with the options of other programs, and a page that describes one. */
const OF_OTHERS =
  /^`(?:[A-Z_]+=\S+ )*(?:npm|npx jest|cdktf|terraform|tofu) |^`--(?:skip-provider-lock|hcl)`/;
const PAGE_OF_OTHERS = "docs/maintainers/benchmarks.md";

test("every option that a text mentions exists", () => {
  const options = new Set([...ownOptions(), "--help", "--version"]);
  const unknown = PAGES.filter(({ path }) => path !== PAGE_OF_OTHERS).flatMap((page) =>
    [...prose(page).matchAll(/`[^`\n]*`/g)]
      .map(([code]) => code)
      .filter((code) => !OF_OTHERS.test(code))
      .flatMap((code) => [...code.matchAll(/(?<=[ `])--[a-z][\w-]*/g)])
      .map(([option]) => option)
      .filter((option) => !options.has(option))
      .map((option) => `${page.path}: ${option}`),
  );
  expect(unknown).toEqual([]);
});
