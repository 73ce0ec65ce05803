import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onPath, testWhere } from "../support/requirement";
import { temporaryFolder } from "./stack-files";
import { TestTerminal } from "./test-terminal";

async function scriptOf(shell: string) {
  const terminal = new TestTerminal({ directory: temporaryFolder() });
  const code = await terminal.run("completion", shell);
  return { code, script: terminal.out, err: terminal.err };
}

/** The completions that bash offers for the last word. */
function complete(script: string, ...words: string[]): string[] {
  const given = ["cdktf-console", ...words].map((word) => `'${word}'`).join(" ");
  const source = `${script}
COMP_WORDS=(${given}); COMP_CWORD=${words.length}; _cdktf_console; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", source], { encoding: "utf8" }).trim().split("\n");
}

test("completes commands, commands of groups and options in bash", async () => {
  const { code, script } = await scriptOf("bash");
  expect(code).toBe(0);
  expect(complete(script, "pl")).toEqual(["plan"]);
  expect(complete(script, "de")).toEqual(["deploy", "destroy"]);
  expect(complete(script, "state", "")).toEqual(expect.arrayContaining(["list", "show", "rm"]));
  expect(complete(script, "plan", "--ht")).toEqual(["--html"]);
  expect(complete(script, "plan", "production", "--ht")).toEqual(["--html"]);
  expect(complete(script, "state", "list", "--out")).toEqual(["--out-dir"]);
});

test("completes the values of an option in bash", async () => {
  const { script } = await scriptOf("bash");
  expect(complete(script, "plan", "--engine", "")).toEqual(["embedded", "terraform", "tofu"]);
  expect(complete(script, "plan", "production", "--engine", "t")).toEqual(["terraform", "tofu"]);
  expect(complete(script, "simulate", "--release", "20.1")).toEqual(["20.12"]);
});

/** Writes the script of a shell into a folder without other files. */
async function fileOf(shell: string): Promise<string> {
  const { script } = await scriptOf(shell);
  const file = join(temporaryFolder(), "completion");
  writeFileSync(file, script);
  return file;
}

testWhere(
  onPath("fish"),
  "completes commands, commands of groups and options in fish",
  async () => {
    const file = await fileOf("fish");
    const complete = (line: string) =>
      execFileSync("fish", ["-c", `source ${file}; complete -C '${line}'`], { encoding: "utf8" })
        .trim()
        .split("\n")
        .map((offered) => offered.split("\t")[0]);
    expect(complete("cdktf-console pl")).toEqual(["plan"]);
    expect(complete("cdktf-console de")).toEqual(["deploy", "destroy"]);
    expect(complete("cdktf-console state ")).toEqual([
      "force-unlock",
      "list",
      "migrate",
      "mv",
      "pull",
      "push",
      "rename-stack",
      "rm",
      "show",
      "taint",
      "untaint",
    ]);
    expect(complete("cdktf-console plan production --ht")).toEqual(["--html"]);
    expect(complete("cdktf-console plan --engine ")).toEqual(["embedded", "terraform", "tofu"]);
    expect(complete("cdktf-console plan --engine=te")).toEqual(["--engine=terraform"]);
  },
);

/** Types a line and a tab into an interactive zsh, and prints what it shows. */
const TYPING = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -u -D; source $1; LISTMAX=1000; PS1='<''ready>'"
zpty -r shell shown $'*<ready>*'
zpty -w -n shell "$2"$'\\t'
zpty -w -n shell $'\\x15''print <''end>'$'\\n'
zpty -r shell shown $'*<end>*'
print -r -- "$shown"`;

/** zsh rings it between what was typed and the rest of the word. */
const BELL = "\u0007";

testWhere(onPath("zsh"), "completes commands, commands of groups and options in zsh", async () => {
  const file = await fileOf("zsh");
  const complete = (line: string) =>
    execFileSync("zsh", ["-f", "-c", TYPING, "zsh", file, line], {
      cwd: dirname(file),
      encoding: "utf8",
    }).replaceAll(BELL, "");
  expect(complete("cdktf-console grap")).toContain("cdktf-console graph");
  expect(complete("cdktf-console plan production --ht")).toContain("production --html");
  expect(complete("cdktf-console plan --engine te")).toContain("--engine terraform");
  const offered = complete("cdktf-console state ");
  expect(offered).toMatch(/list\s+-- List resource instances/);
  expect(offered).toMatch(/push\s+-- Store/);
  // Files are offered where nothing else is.
  expect(offered).not.toContain("completion");
});

test.each([
  ["zsh", /^#compdef cdktf-console\n[^]*'--html:write the plan as/],
  ["fish", /-l html -r -d 'write the plan as/],
])("describes the options in %s", async (shell, expected) => {
  expect((await scriptOf(shell)).script).toMatch(expected);
});

test("names the shells for another one", async () => {
  const { code, script, err } = await scriptOf("tcsh");
  expect([code, script]).toEqual([1, ""]);
  expect(err).toContain("The shells are: bash, zsh, fish.");
});
