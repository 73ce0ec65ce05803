import { StateServer } from "../support/state-server";
import { temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { TestTerminal } from "./test-terminal";

let server: StateServer;
beforeEach(async () => {
  server = await StateServer.open();
});
afterEach(() => server.close());

const terraform = (name: string) => ({
  required_providers: { null: { source: "null" } },
  backend: server.backend(name),
});

/** `down` reads an output of `up` on the server, as cdktf writes it. */
function stacks(trigger: string): Record<string, StackJson & { dependencies?: string[] }> {
  return {
    up: {
      terraform: terraform("up"),
      resource: { null_resource: { a: { triggers: { trigger } } } },
      output: { id: { value: "${null_resource.a.id}" } },
    },
    down: {
      terraform: terraform("down"),
      data: {
        terraform_remote_state: { up: { backend: "http", config: { address: server.url("up") } } },
      },
      output: { seen: { value: "${data.terraform_remote_state.up.outputs.id}" } },
      dependencies: ["up"],
    },
  };
}

test("a stack reads the outputs of another one on a server, planned together or alone", async () => {
  const directory = temporaryFolder();
  const run = async (...argv: string[]) => {
    const terminal = new TestTerminal({ directory, environment: {} });
    const code = await terminal.run(...argv, "--out-dir", "cdktf.out");
    return { code, out: terminal.out, err: terminal.err };
  };
  writeStacks(directory, stacks("1"));
  const alone = await run("plan", "down");
  expect(alone.code).toBe(1);
  expect(alone.err).toMatch(/outputs of stack "up", which has no\s+state yet/);

  expect(await run("apply", "--auto-approve")).toMatchObject({ code: 0, err: "" });
  const seen = () =>
    (JSON.parse(server.text("down")) as { outputs: { seen: { value: string } } }).outputs.seen;
  const first = seen().value;
  expect(first).toMatch(/^\d+$/);
  expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
  expect((await run("plan", "down", "--detailed-exitcode")).code).toBe(0);

  writeStacks(directory, stacks("2"));
  expect(await run("apply", "up", "--auto-approve")).toMatchObject({ code: 0, err: "" });
  expect((await run("plan", "down", "--detailed-exitcode")).code).toBe(2);
  expect(await run("apply", "down", "--auto-approve")).toMatchObject({ code: 0, err: "" });
  expect(seen().value).not.toBe(first);
  expect(server.lockedBy("up")).toBeUndefined();
});

test("state push stores what a run could not, and refuses older and foreign states", async () => {
  const directory = temporaryFolder();
  const run = async (...argv: string[]) => {
    const terminal = new TestTerminal({ directory, environment: {} });
    const code = await terminal.run(...argv, "--out-dir", "cdktf.out", "--stack", "up");
    return { code, out: terminal.out, err: terminal.err };
  };
  writeStacks(directory, stacks("1"));
  // An errored.tfstate is in the working directory.
  jest.spyOn(process, "cwd").mockReturnValue(directory);
  const apply = new TestTerminal({ directory, environment: {} });
  server.refusesUpdates = true;
  expect(await apply.run("apply", "up", "--auto-approve", "--out-dir", "cdktf.out")).toBe(1);
  server.refusesUpdates = false;
  expect(apply.err).toContain("cdktf-console state push");

  const pushed = await run("state", "push", "errored.tfstate");
  expect(pushed).toMatchObject({ code: 0, err: "" });
  expect(server.json("up")).toMatchObject({ resources: [{ type: "null_resource" }] });
  const again = await run("state", "push", "errored.tfstate");
  expect(again.code).toBe(1);
  expect(again.err).toContain("State is older than the stored one");
  const outputs = { a: { value: "1", type: "string" } };
  server.put(JSON.stringify({ version: 4, serial: 0, lineage: "other", outputs }), "up");
  const foreign = await run("state", "push", "errored.tfstate");
  expect(foreign.err).toContain("State of another stack");
});
