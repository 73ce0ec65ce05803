import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
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

test.each([
  ["zsh", "/usr/bin/zsh", /^#compdef cdktf-console\n[^]*'--html:write the plan as/],
  ["fish", "/usr/bin/fish", /-l html -r -d 'write the plan as/],
])("describes the options in %s", async (shell, program, expected) => {
  const { script } = await scriptOf(shell);
  expect(script).toMatch(expected);
  if (existsSync(program)) execFileSync(program, ["-n", "/dev/stdin"], { input: script });
});

test("names the shells for another one", async () => {
  const { code, script, err } = await scriptOf("tcsh");
  expect([code, script]).toEqual([1, ""]);
  expect(err).toContain("The shells are: bash, zsh, fish.");
});
