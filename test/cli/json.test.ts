import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LocalBackend } from "../../src/backends/local";
import { startSimulator, type Simulator } from "../../src/simulator";
import { consoleStack, SECRETS, temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

let simulator: Simulator;
let directory: string;

beforeEach(async () => {
  simulator = await startSimulator();
  directory = temporaryFolder();
  writeStacks(directory, { prod: consoleStack(simulator) });
});
afterEach(() => simulator.close());

interface Line {
  readonly "@level": string;
  readonly "@message": string;
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Standard output, which must have JSON lines only. */
async function run(...command: string[]) {
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const code = await terminal.run(...command, "--out-dir", "cdktf.out");
  expect(terminal.out).toMatch(/\n$/);
  const lines = terminal.out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  for (const secret of Object.values(SECRETS)) expect(terminal.out).not.toContain(secret);
  return { code, err: terminal.err, lines, types: lines.map(({ type }) => type) };
}

test("plan, apply and destroy print a stream that starts with its version", async () => {
  const planned = await run("plan", "--json");
  expect(planned).toMatchObject({ code: 0, err: "" });
  expect(planned.types).toEqual([
    "version",
    "planned_change",
    "planned_change",
    "planned_change",
    "change_summary",
    "outputs",
    "diagnostic",
  ]);
  expect(planned.lines[0]).toMatchObject({ "@module": "terraform.ui", ui: "1.2" });
  expect(planned.lines[4]).toMatchObject({
    "@message": "Plan: 3 to add, 0 to change, 0 to destroy.",
    changes: { add: 3, change: 0, import: 0, remove: 0, operation: "plan" },
  });
  expect(planned.lines[6]).toMatchObject({ "@level": "warn" });

  const applied = await run("apply", "--json", "--auto-approve");
  expect(applied).toMatchObject({ code: 0, err: "" });
  expect(applied.types.filter((type) => type === "apply_complete")).toHaveLength(3);
  expect(applied.lines.findLast(({ type }) => type === "outputs")).toMatchObject({
    outputs: { policy: { sensitive: false, type: "string", value: "First" } },
  });

  const destroyed = await run("destroy", "--json", "--auto-approve");
  expect(destroyed).toMatchObject({ code: 0, err: "" });
  expect(destroyed.lines.findLast(({ type }) => type === "change_summary")).toMatchObject({
    "@message": "Destroy complete! Resources: 3 destroyed.",
  });
});

test("errors are messages of the stream", async () => {
  const refused = await run("apply", "--json");
  expect(refused).toMatchObject({ code: 1, err: "", types: ["version", "diagnostic"] });
  expect(refused.lines[1]).toMatchObject({ "@level": "error" });
  await simulator.close();
  simulator = await startSimulator();
  const failed = await run("apply", "--json", "--auto-approve", "--refresh=false");
  expect(failed).toMatchObject({ code: 1, err: "" });
  expect(failed.lines.filter(({ "@level": level }) => level === "error")).not.toEqual([]);
});

test("messages name their stack in runs of several stacks", async () => {
  writeStacks(directory, { a: consoleStack(simulator), b: consoleStack(simulator) });
  const named = async (...options: string[]) => {
    const { lines } = await run("plan", "--json", ...options);
    const found = lines.filter(
      ({ type }) => type === "planned_change" || type === "change_summary",
    );
    return found.map(({ type, stack, stacks }) => [type, stack ?? stacks]);
  };
  const changes = (stacks: unknown) => [
    ...Array<unknown>(3).fill(["planned_change", stacks]),
    ["change_summary", stacks],
  ];
  // Plans that are alike are sent once.
  expect(await named()).toEqual(changes(["a", "b"]));
  expect(await named("--expand")).toEqual([...changes("a"), ...changes("b")]);
  writeStacks(directory, { a: consoleStack(simulator), b: consoleStack(simulator, "Other") });
  expect(await named()).toEqual([...changes("a"), ...changes("b")]);
});

describe("show --json", () => {
  const show = async (...args: string[]) => {
    const terminal = new TestTerminal({ directory, environment: SECRETS });
    const code = await terminal.run("show", "--json", ...args, "--out-dir", "cdktf.out");
    return { code, out: terminal.out, err: terminal.err };
  };

  test("prints the state of a stack in format 1.0", async () => {
    expect(await show()).toEqual({ code: 0, out: '{"format_version":"1.0"}\n', err: "" });
    await run("apply", "--json", "--auto-approve");
    const { out } = await show();
    const state = JSON.parse(out) as { values: { root_module: { resources: unknown[] } } };
    expect(state).toMatchObject({
      format_version: "1.0",
      values: { outputs: { policy: { sensitive: false, value: "First", type: "string" } } },
    });
    expect(state.values.root_module.resources).toContainEqual(
      expect.objectContaining({
        address: "cwp_license.license",
        provider_name: "registry.terraform.io/cdktf-console/cwp",
        schema_version: 0,
        depends_on: expect.arrayContaining(["cwp_bootstrap.bootstrap"]) as unknown,
      }),
    );
    const file = join(directory, "other.tfstate");
    writeFileSync(file, readFileSync(join(directory, "terraform.prod.tfstate")));
    expect((await show(file)).out).toBe(out);
  });

  test("prints warnings to standard error", async () => {
    await run("apply", "--json", "--auto-approve");
    const { out } = await show();
    const backend = new LocalBackend(join(directory, "terraform.prod.tfstate"));
    const { lock } = await backend.lock({ operation: "apply" });
    await backend.read();
    const { journal } = await backend.journal();
    await journal?.append({ kind: "intent", address: "cwp_license.other", action: "create" });
    await journal?.close();
    await lock?.release();
    const shown = await show();
    expect(shown).toMatchObject({ code: 0, out });
    expect(shown.err).toContain("Warning: ");
  });

  test("prints one document of several stacks", async () => {
    writeStacks(directory, { a: consoleStack(simulator), b: consoleStack(simulator) });
    const document = '{"format_version":"1.0"}';
    const both = `{"format_version":"1.0","stacks":{"a":${document},"b":${document}}}\n`;
    expect(await show()).toEqual({ code: 0, out: both, err: "" });
    expect((await show("--stack", "b")).out).toBe(`${document}\n`);
  });
});

describe("validate --json", () => {
  async function validate(stack: Parameters<typeof writeStacks>[1][string]) {
    const directory = temporaryFolder();
    writeStacks(directory, { one: stack });
    const terminal = new TestTerminal({ directory });
    const code = await terminal.run("validate", "--json", "--out-dir", "cdktf.out");
    return { code, document: JSON.parse(terminal.out) as unknown, err: terminal.err };
  }

  test("reports a valid configuration as Terraform does", async () => {
    expect(await validate({ resource: { null_resource: { gate: {} } } })).toEqual({
      code: 0,
      err: "",
      document: {
        format_version: "1.0",
        valid: true,
        error_count: 0,
        warning_count: 0,
        diagnostics: [],
      },
    });
  });

  test("reports errors in the document, and exits with 1", async () => {
    const { code, document, err } = await validate({
      resource: { null_resource: { gate: { trigger: {} } } },
    });
    expect([code, err]).toEqual([1, ""]);
    expect(document).toMatchObject({
      valid: false,
      error_count: 1,
      diagnostics: [{ severity: "error", address: "null_resource.gate" }],
    });
  });
});

test("warnings and errors name their stacks in runs of several stacks", async () => {
  const warned = (stack: object) => ({
    ...stack,
    check: {
      always: {
        assert: [
          { condition: '${null_resource.gate.id == "none"}', error_message: "Look at this." },
        ],
      },
    },
  });
  const broken = { provisioner: [{ "local-exec": { command: "exit 3" } }] };
  writeStacks(directory, {
    a: warned({ resource: { null_resource: { gate: {} } } }),
    b: warned({ resource: { null_resource: { gate: {} } } }),
    c: { resource: { null_resource: { gate: broken } } },
  });
  const named = (lines: readonly Line[]) =>
    lines.flatMap(({ type, stack, stacks, "@message": text }) =>
      type === "diagnostic" ? [[text, stack ?? stacks]] : [],
    );
  const { lines } = await run("apply", "--json", "--auto-approve");
  expect(named(lines)).toEqual([
    ["Warning: Check block assertion known after apply", ["a", "b"]],
    ["Warning: Check block assertion failed", ["a", "b"]],
    ["Error: local-exec provisioner error", "c"],
  ]);
});

test("a mistake in the command line is a message of the stream", async () => {
  const { code, err, lines } = await run("plan", "--json", "--no-such");
  expect({ code, err }).toEqual({ code: 1, err: "" });
  expect(lines).toMatchObject([
    {
      type: "diagnostic",
      "@level": "error",
      diagnostic: {
        summary: "Failed to parse command-line flags",
        detail: `Unknown option '--no-such'\n("cdktf-console plan --help-all" lists the options.)`,
      },
    },
  ]);
});

test("the apply of a saved plan describes its changes, and repeats no warning of the plan", async () => {
  const planned = await run("plan", "--json", "--out", join(directory, "p"));
  const changes = ({ lines }: typeof planned) =>
    lines.flatMap((line) => (line.type === "planned_change" ? [line.change] : []));
  expect(planned.lines.some((line) => line["@level"] === "warn")).toBe(true);
  const applied = await run("apply", "--json", join(directory, "p"));
  expect(applied).toMatchObject({ code: 0, err: "" });
  expect(changes(applied)).toEqual(changes(planned));
  expect(applied.lines.some((line) => line["@level"] === "warn")).toBe(false);
});

test("each assertion that is not known yet is reported", async () => {
  const condition = '${null_resource.gate.id == "none"}';
  writeStacks(directory, {
    s: {
      resource: { null_resource: { gate: {} } },
      check: {
        c: { assert: ["One.", "Two."].map((error_message) => ({ condition, error_message })) },
      },
    },
  });
  const { lines } = await run("plan", "--json");
  expect(lines.filter(({ "@level": level }) => level === "warn")).toHaveLength(2);
});
