import { readdirSync } from "node:fs";
import { version } from "../../package.json";
import { temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

// Exceptions of the engine's own code. Those of providers are diagnostics.

let failing: "plan" | "apply" | undefined;

jest.mock("../../src/runtime/plan/managed", () => {
  const actual = jest.requireActual<object>("../../src/runtime/plan/managed");
  return { ...actual, planManaged: failIn("plan", actual, "planManaged") };
});
jest.mock("../../src/runtime/apply/put", () => {
  const actual = jest.requireActual<object>("../../src/runtime/apply/put");
  return { ...actual, put: failIn("apply", actual, "put") };
});

function failIn(command: typeof failing, module: object, name: string) {
  const actual = (module as Record<string, (...given: unknown[]) => unknown>)[name];
  return (...given: unknown[]) => {
    if (failing === command) throw new TypeError("no such member");
    return actual?.(...given);
  };
}

afterEach(() => {
  failing = undefined;
});

async function run(...argv: string[]) {
  const directory = temporaryFolder();
  const variable = { secret: { type: "string", default: "" } };
  writeStacks(directory, { prod: { variable, resource: { null_resource: { a: {} } } } });
  const terminal = new TestTerminal({ directory });
  const code = await terminal.run(...argv, "--out-dir", "cdktf.out");
  return { code, out: terminal.out, err: terminal.err, files: readdirSync(directory) };
}

const REPORT = new RegExp(
  "^\nError: Internal error\n\nThis is a bug in cdktf-console, not in your configuration\\. [^]*" +
    "\n\nPlease report the bug with the following lines\\. Remove secrets before you send them\\.\n\n" +
    `cdktf-console ${version}, Node\\.js ${process.version}, .*\n` +
    "Command: cdktf-console (.*)\n" +
    " {2}\\| TypeError: no such member\n {2}\\| {5}at ",
);

test.each([
  ["plan", "plan", "plan --out-dir"],
  ["plan", "apply --auto-approve --var secret=s3cret", "apply --auto-approve --var --out-dir"],
  ["apply", "apply --auto-approve", "apply --auto-approve --out-dir"],
] as const)("an exception in the %s of %j is reported", async (phase, line, command) => {
  failing = phase;
  const { code, out, err, files } = await run(...line.split(" "));
  expect(code).toBe(1);
  expect(err).toMatch(REPORT);
  expect(REPORT.exec(err)?.[1]).toBe(command);
  expect(out).not.toMatch(/Plan: .*\n[^]*complete|No changes/);
  expect(out + err).not.toContain("s3cret");
  // The lock is released.
  expect(files.filter((name) => name.endsWith(".lock"))).toEqual([]);
});

test("it is the last line of the JSON stream too", async () => {
  failing = "apply";
  const { code, out, err } = await run("apply", "--auto-approve", "--json");
  expect(code).toBe(1);
  const lines = out.trimEnd().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
    "@level": "error",
    type: "diagnostic",
    diagnostic: {
      severity: "error",
      summary: "Internal error",
      detail: expect.stringContaining("TypeError: no such member") as string,
    },
  });
  expect(out).not.toMatch(/"changes":{[^}]*"operation":"apply"/);
  expect(err).toMatch(REPORT);
});

test("a failure that nothing handles ends a command that still runs", async () => {
  const directory = temporaryFolder();
  const terminal = new TestTerminal({ directory });
  const ended = terminal.run("simulate", "--port", "0");
  await terminal.printed('"url"');
  terminal.fail(new TypeError("no such member"));
  expect(await ended).toBe(1);
  expect(terminal.err).toMatch(REPORT);
  terminal.interrupt();
});
