import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { createProgram } from "../../src/cli/run";
import type { Simulator } from "../../src/simulator";
import { openConsole } from "./console-terminal";
import { writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

// Files that a user names for a command to write.

const GIVEN = ["--out-dir", "cdktf.out"];
const APPLY = ["apply", "--auto-approve", ...GIVEN, "--waves", "100%"];
const SCAN =
  '{"results":[{"vulnerabilities":[{"publishedDays":90}],"scanTime":"2021-03-01T09:30:00Z"}]}';

/** Command lines by command and option. The file comes last. */
const WRITING: Readonly<Record<string, readonly string[]>> = {
  "plan --out": ["plan", ...GIVEN, "--out"],
  "plan --html": ["plan", ...GIVEN, "--html"],
  "plan --markdown": ["plan", ...GIVEN, "--markdown"],
  "plan --review-json": ["plan", ...GIVEN, "--review-json"],
  "plan --sarif": ["plan", ...GIVEN, "--sarif"],
  "plan --junit": ["plan", ...GIVEN, "--junit"],
  "plan --propose-waivers": ["plan", ...GIVEN, "--propose-waivers"],
  "apply --propose-waivers": [...APPLY, "--propose-waivers"],
  "apply --run-log": [...APPLY, "--run-log"],
  "destroy --run-log": ["destroy", "--auto-approve", ...GIVEN, "--waves", "100%", "--run-log"],
  "show --html": ["show", "saved.plan", "--html"],
  "show --markdown": ["show", "saved.plan", "--markdown"],
  "review --html": ["review", "plan.json", "--html"],
  "review --markdown": ["review", "plan.json", "--markdown"],
  "review --sarif": ["review", "plan.json", "--sarif"],
  "review --junit": ["review", "plan.json", "--junit"],
  "review --propose-waivers": ["review", "plan.json", "--propose-waivers"],
  "status --html": ["status", ...GIVEN, "--html"],
  "status --markdown": ["status", ...GIVEN, "--markdown"],
  "report convert --out": ["report", "convert", "scan.json", "--out"],
  "adopt --output": ["adopt", "--force", "--output"],
  "doctor --report": ["doctor", "--yes", "--report"],
  "download serverless --output": ["download", "serverless", "--output"],
  "download cloud-discovery --output": ["download", "cloud-discovery", "--output"],
  "download compliance --output": ["download", "compliance", "--output"],
};

/** Options with a file that is read, or that test/temporal writes, with a server. */
const READ = [
  "--stacks-from",
  "--var-file",
  "--resume",
  "--client-ca",
  "--tls-cert",
  "--scripts",
  "--contract",
  "--from-file",
  "--from-backend",
  "--tenants",
  "adopt --consoles",
  "rollout record --out",
];

let simulator: Simulator;
let terminal: TestTerminal;
beforeAll(async () => {
  ({ simulator, terminal } = await openConsole({ release: "next" }));
  const { directory } = terminal;
  writeStacks(directory, { one: { resource: { null_resource: { gate: {} } } } });
  writeFileSync(join(directory, "scan.json"), SCAN);
  const { environment } = terminal;
  const run = async (...argv: string[]) => {
    const other = new TestTerminal({ directory });
    expect([await other.run(...argv), other.err]).toEqual([0, ""]);
    return other.out;
  };
  await run("plan", ...GIVEN, "--out", "saved.plan");
  writeFileSync(join(directory, "plan.json"), await run("show", "saved.plan", "--json"));
  Object.assign(environment, { CHECKPOINT_DISABLE: "1" });
});
afterAll(() => simulator.close());

/** Runs a row with a file. */
async function write(row: string, file: string) {
  const { directory, environment } = terminal;
  const other = new TestTerminal({ directory });
  Object.assign(other.environment, environment);
  const code = await other.run(...(WRITING[row] ?? []), file);
  return { code, err: other.err.replaceAll("\n", " ") };
}

test.each(Object.keys(WRITING))(
  "%s refuses a FIFO, and does not wait for its reader",
  async (row) => {
    const name = `${row.replaceAll(/\W/g, "")}.ts`;
    execFileSync("mkfifo", [join(terminal.directory, name)]);
    const { code, err } = await write(row, name);
    expect(err).toMatch(/Error: .*: is not a regular file\./);
    expect(err).not.toContain("internal");
    expect(code).toBe(1);
  },
);

test.each(Object.keys(WRITING))("%s leaves a device in its place", async (row) => {
  const path = join(terminal.directory, `${row.replaceAll(/\W/g, "")}-null.ts`);
  symlinkSync("/dev/null", path);
  const { err } = await write(row, path);
  expect(err).toBe("");
  expect(statSync(path).isCharacterDevice()).toBe(true);
});

test.each(Object.keys(WRITING))("%s follows no link that another user planted", async (row) => {
  const other = 12_345;
  const folder = join(terminal.directory, `shared-${row.replaceAll(/\W/g, "")}`);
  const [target, link] = [`${folder}.ts`, join(folder, "out.ts")];
  mkdirSync(folder);
  chmodSync(folder, 0o1777);
  symlinkSync(target, link);
  // Only root can make files of others: without its rights, this process plays another user.
  if (process.getuid?.() === 0) lchownSync(link, other, other);
  else jest.spyOn(process, "getuid").mockReturnValue(other);
  const { code, err } = await write(row, link);
  jest.restoreAllMocks();
  expect(err).toContain("is a link of another user");
  expect(code).toBe(1);
  expect(existsSync(target)).toBe(false);
});

test("a saved plan is written where a link leads to", async () => {
  const { directory } = terminal;
  symlinkSync("target.plan", join(directory, "link.plan"));
  expect(await write("plan --out", "link.plan")).toEqual({ code: 0, err: "" });
  expect(readFileSync(join(directory, "target.plan")).length).toBeGreaterThan(0);
});

test("every option with a file is in a row", () => {
  const program = createProgram({ terminal, finish: () => undefined });
  const described = (command: Command, name: string): string[] => [
    ...command.options
      .filter(({ flags }) => /[<[](file|path)/.test(flags))
      .map(({ long }) => `${name} ${long ?? ""}`.trim()),
    ...command.commands.flatMap((one) => described(one, `${name} ${one.name()}`.trim())),
  ];
  const isRead = (row: string) => READ.some((read) => row.endsWith(read));
  // "rollback" is "apply --rollback" under another name, and "watch" plans as "plan" does.
  const options = described(program, "").filter(
    (row) => !isRead(row) && !/^(rollback|watch) /.test(row),
  );
  expect(options.sort()).toEqual(Object.keys(WRITING).sort());
});
