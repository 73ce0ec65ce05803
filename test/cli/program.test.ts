import type { Command } from "commander";
import { version } from "../../package.json";
import { COMMAND_GROUPS, FIRST_COMMANDS } from "../../src/cli/commands";
import { createProgram } from "../../src/cli/run";
import { temporaryFolder } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const terminal = () => new TestTerminal({ directory: temporaryFolder() });

const PROGRAM = createProgram({ terminal: terminal(), finish: () => undefined });

/** The words of every command below one, without groups. */
const wordsOf = (parent: Command): string[][] =>
  parent.commands.flatMap((command) =>
    command.commands.length === 0
      ? [[command.name()]]
      : wordsOf(command).map((words) => [command.name(), ...words]),
  );
const COMMANDS = wordsOf(PROGRAM);

/** The names of the commands in a help. */
const listedIn = (help: string) =>
  [...help.matchAll(/^ {2}([a-z][\w-]*) {2,}\S/gm)].map(([, name]) => name);

test("prints the ten commands that people use first without arguments", async () => {
  const { run, ...t } = bind(terminal());
  expect(await run()).toBe(0);
  expect(t.terminal.out).toMatch(/^Usage: cdktf-console \[options\] \[command\]\n/);
  expect(listedIn(t.terminal.out).sort()).toEqual([...FIRST_COMMANDS].sort());
});

test("--help-all prints all commands in their groups", async () => {
  const { run, ...t } = bind(terminal());
  expect(await run("--help-all")).toBe(0);
  for (const [heading] of COMMAND_GROUPS) expect(t.terminal.out).toContain(`\n${heading}\n`);
  const names = [...PROGRAM.commands.map((command) => command.name()), "help"];
  expect(listedIn(t.terminal.out).sort()).toEqual([...names].sort());
});

test("help of a command has ten options at most, --help-all has all of them", async () => {
  const plan = PROGRAM.commands.find((command) => command.name() === "plan");
  const optionsOf = async (option: string) => {
    const { run, ...t } = bind(terminal());
    expect(await run("plan", option)).toBe(0);
    return [...t.terminal.out.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name);
  };
  const first = await optionsOf("--help");
  expect(first.filter((name) => !name?.startsWith("--help"))).toHaveLength(10);
  expect(first).toEqual(expect.arrayContaining(["--html", "--out", "--help-all"]));
  const all = (plan?.options ?? []).map(({ long }) => long);
  expect((await optionsOf("--help-all")).sort()).toEqual([...all, "--help"].sort());
});

test("usage errors have 80 columns on a terminal without a size", async () => {
  const { run, terminal: t } = bind(new TestTerminal({ directory: temporaryFolder(), columns: 0 }));
  expect(await run("scan", "x")).toBe(1);
  expect(t.err).toContain("\nError: Too many arguments for 'scan'.");
});

test("--version prints the version of the package", async () => {
  const { run, terminal: t } = bind(terminal());
  expect(await run("--version")).toBe(0);
  expect(t.out).toBe(`${version}\n`);
});

test("version --json is for programs", async () => {
  const { run, terminal: t } = bind(terminal());
  expect(await run("version", "--json")).toBe(0);
  expect(JSON.parse(t.out)).toMatchObject({
    version,
    node_version: process.versions.node,
    tested: { terraform: ["1.11.4", "1.15.5"], opentofu: ["1.12.6"] },
    platform: expect.stringMatching(/^[a-z]+_[a-z0-9]+$/) as string,
  });
});

describe("--help", () => {
  test.each(COMMANDS.map((words) => [words]))(
    "of %j has a summary and an example, in 80 columns",
    async (words) => {
      const { run, terminal: t } = bind(terminal());
      expect(await run(...words, "--help")).toBe(0);
      expect(t.out).toMatch(/\n\n[A-Z][^]+[^.]\n\n/);
      expect(t.out).toContain(`  $ cdktf-console ${words.join(" ")}`);
      for (const line of t.out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    },
  );
});

test.each([
  ["diff", "plan"],
  ["preview", "plan"],
  ["deploy", "apply"],
  ["up", "apply"],
  ["list", "stacks"],
  ["ls", "stacks"],
])("%s is %s", async (alias, name) => {
  const { run, terminal: t } = bind(terminal());
  expect(await run(alias, "--help")).toBe(0);
  expect(t.out).toContain(`  $ cdktf-console ${name}\n`);
});

describe("usage errors", () => {
  test.each([
    ["an unknown command", ["plna"], /^\nError: Unknown command 'plna'\n\(Did you mean plan\?\)/],
    [
      "a command that is like no other",
      ["login"],
      /Error: Unknown command 'login'\n\("cdktf-console --help" lists the commands\.\)\n$/,
    ],
    ["a misspelt alias", ["deplyo"], /'deplyo'\n\(Did you mean deploy\?\)/],
    ["a misspelt command of a group", ["state", "lsit"], /'lsit'\n\(Did you mean list\?\)/],
    ["a misspelt option", ["apply", "--autoapprove"], /\(Did you mean --auto-approve\?\)\n$/],
    ["the same with one dash", ["apply", "-autoapprove"], /\(Did you mean --auto-approve\?\)\n$/],
    [
      "the same before its command",
      ["--autoapprove", "apply"],
      /\(Did you mean --auto-approve\? Put options after the command that they belong to\.\)\n$/,
    ],
    [
      "an option of another program",
      ["plan", "--migrate-state"],
      /Error: Unknown option '--migrate-state'/,
    ],
    [
      "text for a number",
      ["plan", "--parallelism", "many"],
      /It must be a whole number, 1 or more\./,
    ],
    ["zero operations", ["plan", "--parallelism", "0"], /It must be a whole number, 1 or more\./],
    [
      "text for a duration",
      ["apply", "--lock-timeout", "soon"],
      /a duration such as 30s, 5m or 1h30m/,
    ],
    ["neither true nor false", ["plan", "--refresh", "maybe"], /Allowed choices are true, false/],
    ["an unknown log level", ["plan", "--log-level", "loud"], /Allowed choices are trace, debug/],
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
    [
      "an option of no command",
      ["--nope", "plan"],
      /Error: Unknown option '--nope'\n\("cdktf-console --help-all" lists the options\.\)\n$/,
    ],
    ["an empty app", ["plan", "--app", ""], /Option '--app <command>' argument is empty/],
    ["an option for a value", ["plan", "--html", "--open"], /'--html <file>' argument missing/],
    [
      "an option for one value of two",
      ["plan", "--target", "a.b", "--target", "--html"],
      /'--target <address>' argument missing/,
    ],
    ["one empty target of two", ["plan", "--target", "a.b", "--target="], /'--target <addr/],
    ["an invalid name of a stack", ["adopt", "--name", "a b"], /a name without spaces/],
    [
      "two sources of stacks",
      ["plan", "--app", "x", "--out-dir", "y"],
      /'--app <command>' cannot be used with/,
    ],
    [
      "a missing argument",
      ["state", "show"],
      /Missing required argument 'address'\n\(Usage: cdktf-console state show \[options\] <address>\)/,
    ],
    ["an excess argument", ["synth", "all"], /Too many arguments/],
  ])("%s: exit code 1 and an error on standard error", async (_, argv, message) => {
    const { run, terminal: t } = bind(terminal());
    expect(await run(...argv)).toBe(1);
    expect(t.err.replace(/(?<=\S)\n(?=\w)/g, " ")).toMatch(message);
    expect(t.out).toBe("");
  });
});

test.each(COMMANDS.map((words) => [words]))(
  "an option of %j without the dashes inside is suggested",
  async (words) => {
    const command = words.reduce(
      (found, word) => found.commands.find((one) => one.name() === word) ?? found,
      PROGRAM,
    );
    const required = command.options.flatMap(({ mandatory, long }) =>
      mandatory ? (long ?? []) : [],
    );
    for (const { long } of command.options) {
      const wrong = `--${long?.slice(2).replaceAll("-", "")}`;
      if (wrong === long) continue;
      const { run, terminal: t } = bind(terminal());
      expect(await run(...words, ...required, wrong)).toBe(1);
      expect(t.err).toContain(`(Did you mean ${long}?)`);
    }
  },
);

function bind(t: TestTerminal) {
  return { terminal: t, run: (...argv: string[]) => t.run(...argv) };
}
