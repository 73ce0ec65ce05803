import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StateServer } from "../support/state-server";
import { temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

let server: StateServer;
beforeEach(async () => {
  server = await StateServer.open();
});
afterEach(() => server.close());

const COMMAND = "\n::error::executed\r\n\x1b[2J\u202e";
const INFO = { ID: `7${COMMAND}`, Operation: `apply${COMMAND}`, Who: `mallory${COMMAND}` };
const HOLDER = { ...INFO, Info: "", Version: "", Created: "2026-01-02T03:04:05Z", Path: "" };

function folder(backend?: object): string {
  const directory = temporaryFolder();
  const terraform = { required_providers: { null: { source: "null" } }, backend };
  const resource = { null_resource: { gate: {} } };
  writeStacks(directory, { prod: { resource, ...(backend && { terraform }) } });
  return directory;
}

async function run(directory: string, ...argv: string[]) {
  const terminal = new TestTerminal({ directory, environment: { CI: "true" } });
  const code = await terminal.run(...argv, "--out-dir", "cdktf.out");
  return { code, out: terminal.out, err: terminal.err, said: terminal.err.replace(/\s+/g, " ") };
}

describe("a lock that is not released", () => {
  test.each([
    ["plan"],
    ["apply", "--auto-approve"],
    ["destroy", "--auto-approve", "--json"],
    ["state", "rm", "null_resource.gate"],
  ])("is an error of %s %s, which names force-unlock", async (...argv) => {
    const directory = folder(server.backend());
    expect((await run(directory, "apply", "--auto-approve")).code).toBe(0);
    server.answers.set("UNLOCK", { status: 500 });
    const { code, out, said } = await run(directory, ...argv);
    expect(code).toBe(1);
    const text = argv.includes("--json") ? out : said;
    expect(text).toContain("Error releasing the state lock");
    expect(text).toContain("the server answered 500 to the request to unlock it");
    expect(text).toContain(`force-unlock ${String(server.lockedBy())} --out-dir cdktf.out`);
  });
});

test.each([
  ["a text", 'locked by "someone"'],
  ["nothing", ""],
  ["a list", "[1]"],
  ["a lock without an ID", '{"Who":"mallory"}'],
])(
  "a lock that the server describes by %s leads to no force-unlock without ID",
  async (_, answer) => {
    server.answers.set("LOCK", { status: 423, answer });
    const { code, said } = await run(folder(server.backend()), "plan");
    expect(code).toBe(1);
    expect(said).toContain("State is locked");
    expect(said).toContain("Its ID is not known.");
    expect(said).not.toContain("force-unlock");
  },
);

/** Puts a lock where a run finds it, and returns the folder of the stack. */
const LOCKS: Readonly<Record<string, () => string>> = {
  "on a server": () => {
    server.answers.set("LOCK", { status: 423, answer: JSON.stringify(HOLDER) });
    return folder(server.backend());
  },
  "of another run": () => {
    const directory = folder();
    const Process = { pid: 1, host: `elsewhere${COMMAND}` };
    const lock = JSON.stringify({ ...HOLDER, ID: randomUUID(), Process });
    writeFileSync(join(directory, "terraform.prod.tfstate.lock"), lock);
    return directory;
  },
  "of Terraform": () => {
    const directory = folder();
    const lock = JSON.stringify(HOLDER);
    writeFileSync(join(directory, ".terraform.prod.tfstate.lock.info"), lock);
    return directory;
  },
};

test.each(Object.entries(LOCKS))("a lock %s begins no line of the output", async (_, place) => {
  const directory = place();
  for (const argv of [["plan"], ["stacks"], ["state", "rm", "null_resource.gate"]]) {
    const { out, err } = await run(directory, ...argv);
    expect(out + err).not.toMatch(/^\s*::/m);
    expect(out + err).not.toMatch(/[^\P{C}\n]/u);
  }
  const { code, err, said } = await run(directory, "plan");
  expect(code).toBe(1);
  expect(err).toMatch(/State is locked/);
  expect(said).toContain("mallory\\n::error::executed\\r\\n\\x1b[2J\\u202e");
});

test("a folder in the place of the journal is not a fault of the state file", async () => {
  const directory = folder();
  mkdirSync(join(directory, "terraform.prod.tfstate.journal"));
  const { code, said } = await run(directory, "plan");
  expect(code).toBe(1);
  expect(said).toMatch(/Journal cannot be read/);
  expect(said).toContain("terraform.prod.tfstate.journal: is a directory");
  expect(said).not.toContain("State cannot be read");
});
