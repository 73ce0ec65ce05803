import { chmodSync, readFileSync, writeFileSync } from "node:fs";
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
  return new TestTerminal({
    directory,
    environment: { PATH: `${directory}:/bin:/usr/bin`, CALLS: join(directory, "calls") },
  });
}

const version = (number: string) => `echo '{"terraform_version": "${number}"}'`;

test.each([
  ["terraform", "echo no", "Unknown version of Terraform"],
  ["terraform", version("1.10.5"), 'The "terraform" on PATH is 1.10.5. Install 1.11 or newer'],
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

/** Answers as Terraform does, and notes its calls in `calls`. */
const program = (number: string, plan = "") => `
  case $1 in
    version) ${version(number)};;
    plan) echo "$PWD: $*, $TF_VAR_size, $TF_REATTACH_PROVIDERS" >> "$CALLS"; ${plan};;
    show) echo '{"format_version":"1.2","terraform_version":"1.11.0","planned_values":{},"configuration":{}}';;
  esac`;

test("runs tofu in the folder of the stack, without variables on its command line", async () => {
  const terminal = terminalWith({ tofu: program("1.12.0", "echo noise >&2") });
  const argv = ["plan", "--engine", "tofu", "--out-dir", "cdktf.out", "--var", "size=canary"];
  expect(await terminal.run(...argv)).toBe(0);
  const [call = ""] = readFileSync(join(terminal.directory, "calls"), "utf8").split("\n");
  expect(call).toMatch(/cdktf\.out\/stacks\/prod: plan -json [^,]*, canary, /);
  expect(call.split(",")[0]).not.toContain("canary");
  const served = JSON.parse(call.slice(call.indexOf("{"))) as Record<string, object>;
  expect(served["cdktf-console/cwp"]).toMatchObject({ Addr: { Network: "unix" } });
  expect(Object.keys(served)).toHaveLength(3);
});

test("reads the answers of tofu behind warnings about its CLI configuration", async () => {
  const warning =
    'printf "\\nWarning: Unable to open CLI configuration file\\n\\nIt does not exist.\\n"';
  const terminal = terminalWith({ tofu: `${warning}\n${program("1.12.0")}` });
  const code = await terminal.run("plan", "--engine", "tofu", "--out-dir", "cdktf.out");
  expect({ code, err: terminal.err }).toEqual({ code: 0, err: "" });
  expect(terminal.out).toContain("No changes.");
});

test("shows the output of a program that fails without a diagnostic", async () => {
  const terminal = terminalWith({ terraform: program("1.12.0", "echo broken; exit 7") });
  expect(await terminal.run("plan", "--engine", "terraform", "--out-dir", "cdktf.out")).toBe(1);
  expect(terminal.err).toContain("Terraform failed");
  expect(terminal.err).toContain("broken");
});

test.each([
  [["apply", "--no-input"], "Not approved"],
  [["apply", "--json"], "Not approved"],
  [["destroy", "--no-input"], "Not approved"],
  [["apply", "cdktf.out/manifest.json", "--auto-approve"], "Unsupported by this engine"],
  [["plan", "missing"], 'There is no stack named "missing"'],
])("refuses %j before terraform runs", async (argv, message) => {
  const script = `case $1 in version) ${version("1.12.0")};; *) echo ran;; esac`;
  const terminal = terminalWith({ terraform: script });
  expect(await terminal.run(...argv, "--engine", "terraform", "--out-dir", "cdktf.out")).toBe(1);
  expect(terminal.out + terminal.err).toContain(message);
  expect(terminal.out).not.toContain('"ran');
});
