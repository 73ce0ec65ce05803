import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { consoleStack, temporaryFolder, writeStacks } from "../stack-files";
import { TestTerminal } from "../test-terminal";

/** A folder with stacks, and a PATH that only has `programs` and system folders. */
function terminalWith(programs: Readonly<Record<string, string>>): TestTerminal {
  const directory = temporaryFolder();
  writeStacks(directory, {
    prod: consoleStack({ consoles: [{ url: "https://console.invalid" }], caFile: "ca.pem" }),
  });
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(directory, name), 0o755);
  }
  return new TestTerminal({ directory, environment: { PATH: `${directory}:/bin:/usr/bin` } });
}

const version = (number: string) => `echo '{"terraform_version": "${number}"}'`;

test.each([
  ["terraform", "echo no", "Unknown version of Terraform"],
  ["terraform", version("1.10.5"), 'The "terraform" on PATH is 1.10.5. Stacks need 1.11 or newer'],
  ["tofu", version("1.10.0"), 'The "tofu" on PATH is 1.10.0'],
])("refuses %s that runs %s", async (program, script, message) => {
  const terminal = terminalWith({ [program]: script });
  const plan = ["plan", "--engine", program, "--out-dir", "cdktf.out"];
  expect(await terminal.run(...plan)).toBe(1);
  expect(terminal.err.replace(/\s+/g, " ")).toContain(message);
  expect(terminal.out).toBe("");
});

test("names a program that is not installed", async () => {
  const terminal = terminalWith({});
  expect(await terminal.run("plan", "--engine", "tofu", "--out-dir", "cdktf.out")).toBe(1);
  expect(terminal.err).toContain("OpenTofu is not installed");
});

test("runs tofu in the folder of the stack, without variables on its command line", async () => {
  const terminal = terminalWith({
    tofu: `case $1 in version) ${version("1.11.0")};; *) echo "$PWD: $*, $TF_VAR_size";; esac`,
  });
  const argv = ["plan", "--engine", "tofu", "--out-dir", "cdktf.out", "--var", "size=canary"];
  expect(await terminal.run(...argv)).toBe(0);
  expect(terminal.out).toContain("cdktf.out/stacks/prod: plan -no-color -input=false, canary");
});

test("exit code 2 of terraform means changes only with --detailed-exitcode", async () => {
  const script = `case $1 in version) ${version("1.12.0")};; init) ;; *) exit 2;; esac`;
  const terminal = terminalWith({ terraform: script });
  const plan = ["plan", "--engine", "terraform", "--out-dir", "cdktf.out"];
  expect(await terminal.run(...plan, "--detailed-exitcode")).toBe(2);
  expect(await terminal.run(...plan)).toBe(1);
});

test.each([
  [["apply"], "Not approved"],
  [["apply", "--json"], "Not approved"],
  [["destroy"], "Not approved"],
  [["plan", "--html", "plan.html"], "Unsupported by this engine"],
  [["apply", "cdktf.out/manifest.json", "--auto-approve"], "Unsupported by this engine"],
  [["plan", "missing"], 'There is no stack named "missing"'],
])("refuses %j before terraform runs", async (argv, message) => {
  const script = `case $1 in version) ${version("1.12.0")};; *) echo ran;; esac`;
  const terminal = terminalWith({ terraform: script });
  expect(await terminal.run(...argv, "--engine", "terraform", "--out-dir", "cdktf.out")).toBe(1);
  expect(terminal.err).toContain(message);
  expect(terminal.out).not.toContain("ran");
});
