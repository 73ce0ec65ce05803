import { temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const gate = (trigger: string) => ({
  resource: { null_resource: { gate: { triggers: { by: trigger } } } },
  output: { trigger: { value: trigger } },
});

function app() {
  const directory = temporaryFolder();
  writeStacks(directory, {
    second: { ...gate("b"), dependencies: ["first"] },
    first: gate("a"),
  });
  return async (command: string) => {
    const terminal = new TestTerminal({ directory });
    const code = await terminal.run(...command.split(" "), "--out-dir", "cdktf.out");
    return { code, out: terminal.out, err: terminal.err };
  };
}

test("prints each stack below its name in dependency order, and a total", async () => {
  const run = app();
  const { code, out } = await run("plan");
  expect(code).toBe(0);
  expect(out.match(/^Stack \w+$/gm)).toEqual(["Stack first", "Stack second"]);
  expect(out.match(/^Plan: 1 to add, 0 to change, 0 to destroy\.$/gm)).toHaveLength(2);
  expect(out).toMatch(/\nTotal of 2 stacks: 2 to add, 0 to change, 0 to destroy\.\n$/);

  const applied = await run("apply --auto-approve");
  expect(applied).toMatchObject({ code: 0, err: "" });
  expect(applied.out).toContain("\nfirst   null_resource.gate: Creating...\n");
  expect(applied.out).toContain("\nsecond  null_resource.gate: Creating...\n");
  expect(applied.out).toMatch(/\nTotal of 2 stacks: 2 added, 0 changed, 0 destroyed\.\n$/);

  expect((await run("output")).out).toBe(
    '\nStack first\ntrigger = "a"\n\nStack second\ntrigger = "b"\n',
  );
});

test("the total counts failed stacks", async () => {
  const directory = temporaryFolder();
  const failing = { provisioner: [{ "local-exec": { command: "exit 3" } }] };
  writeStacks(directory, {
    bad: { resource: { null_resource: { gate: failing } } },
    good: gate("a"),
  });
  const terminal = new TestTerminal({ directory });
  expect(await terminal.run("apply", "--auto-approve", "--out-dir", "cdktf.out")).toBe(1);
  expect(terminal.out).toMatch(
    /\nTotal of 2 stacks: 1 added, 0 changed, 0 destroyed\. 1 stack failed\.\n\nFailed: 1 of 2 stacks\n {2}- local-exec provisioner error \(1\): bad\n$/,
  );
});

test("a single stack has no heading and no total", async () => {
  const run = app();
  await run("apply --auto-approve");
  const { out } = await run("plan second");
  expect(out).not.toMatch(/Stack|Total/);
  expect(out).toMatch(/^null_resource\.gate: Refreshing state\.\.\./);
  expect((await run("output trigger --stack second")).out).toBe('"b"\n');
});

test.each(["output trigger --raw", "state show null_resource.gate", "force-unlock 1 --force"])(
  "%s requires --stack",
  async (command) => {
    const { code, err } = await app()(command);
    expect(code).toBe(1);
    expect(err).toContain("The app has 2 stacks: first, second. Select one of them with --stack.");
  },
);
