import { version } from "../../package.json";
import { createProgram } from "../../src/cli/command-line/run";
import { temporaryFolder } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const terminal = () => new TestTerminal({ directory: temporaryFolder() });

const PROGRAM = createProgram({ terminal: terminal(), finish: () => undefined });

/** Every command that does something, by its words. */
const COMMANDS = PROGRAM.commands.flatMap((command) =>
  command.commands.length === 0
    ? [[command.name()]]
    : command.commands.map((nested) => [command.name(), nested.name()]),
);

test("without arguments the help is printed", async () => {
  const { run, ...t } = bind(terminal());
  expect(await run()).toBe(0);
  expect(t.terminal.out).toMatch(/^Usage: cdktf-console \[options\] \[command\]\n/);
  for (const command of PROGRAM.commands) {
    expect(t.terminal.out).toMatch(new RegExp(`^  ${command.name()} `, "m"));
  }
});

test("--version prints the package's version", async () => {
  const { run, terminal: t } = bind(terminal());
  expect(await run("--version")).toBe(0);
  expect(t.out).toBe(`${version}\n`);
});

describe("--help", () => {
  test.each(COMMANDS.map((words) => [words]))(
    "of %j says what it does and gives an example, in 80 columns",
    async (words) => {
      const { run, terminal: t } = bind(terminal());
      expect(await run(...words, "--help")).toBe(0);
      expect(t.out).toMatch(/\n\n[A-Z][^]+[^.]\n\n/);
      expect(t.out).toContain(`  $ cdktf-console ${words.join(" ")}`);
      for (const line of t.out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    },
  );
});

describe("what cannot be understood", () => {
  test.each([
    ["an unknown command", ["plna"], /^\nError: Unknown command 'plna'\n\(Did you mean plan\?\)/],
    [
      "an option of another program",
      ["plan", "--migrate-state"],
      /Error: Unknown option '--migrate-state'/,
    ],
    ["no number", ["plan", "--parallelism", "many"], /It must be a whole number, 1 or more\./],
    ["no call at once", ["plan", "--parallelism", "0"], /It must be a whole number, 1 or more\./],
    ["no duration", ["apply", "--lock-timeout", "soon"], /a duration such as 30s, 5m or 1h30m/],
    ["neither true nor false", ["plan", "--refresh", "maybe"], /Allowed choices are true, false/],
    ["no level", ["plan", "--log-level", "loud"], /Allowed choices are trace, debug/],
    [
      "an option in Terraform's spelling",
      ["plan", "-out=production.plan"],
      /Error: Unknown option '-out=production\.plan'\n\(Did you mean --out\?\)/,
    ],
    [
      "an option before its command",
      ["--no-color", "plan"],
      /Error: Unknown option '--no-color'\n\(Put options after the command that they belong to\.\)/,
    ],
    [
      "an option before the command of its group",
      ["state", "--stack", "x", "list"],
      /Unknown option '--stack'\n\(Put options after the command/,
    ],
    ["an option that no command has", ["--nope", "plan"], /Error: Unknown option '--nope'\n$/],
    ["nothing for an app", ["plan", "--app", ""], /Option '--app <command>' argument is empty/],
    ["nothing for one target of two", ["plan", "--target", "a.b", "--target="], /'--target <addr/],
    ["a name that no stack can have", ["adopt", "--name", "a b"], /a name without spaces/],
    [
      "two sources",
      ["plan", "--app", "x", "--out-dir", "y"],
      /'--app <command>' cannot be used with/,
    ],
    ["an argument too few", ["state", "show"], /Missing required argument 'address'/],
    ["an argument too many", ["synth", "all"], /Too many arguments/],
  ])("%s: exit code 1, told on standard error", async (_, argv, message) => {
    const { run, terminal: t } = bind(terminal());
    expect(await run(...argv)).toBe(1);
    expect(t.err.replace(/(?<=\S)\n(?=\w)/g, " ")).toMatch(message);
    expect(t.out).toBe("");
  });
});

function bind(t: TestTerminal) {
  return { terminal: t, run: (...argv: string[]) => t.run(...argv) };
}
