import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { TestTerminal } from "./test-terminal";

interface Line {
  readonly type: string;
  readonly stack?: string;
  readonly [member: string]: unknown;
}

/** A stack that appends its name to the file `applied`, and fails while there is a file `broken-NAME`. */
const tenant = (name: string): StackJson => ({
  resource: {
    null_resource: {
      gate: {
        provisioner: [
          {
            "local-exec": {
              command: `test ! -e broken-${name} && echo ${name} >> applied`,
              working_dir: "${path.root}/../../..",
            },
          },
        ],
      },
    },
  },
});

const names = ["t0", "t1", "t2", "t3", "t4", "t5"];

let directory: string;
let applied: () => readonly string[];

beforeEach(() => {
  directory = temporaryFolder();
  writeStacks(directory, Object.fromEntries(names.map((name) => [name, tenant(name)])));
  applied = () => {
    const file = join(directory, "applied");
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  };
});

const breaks = (name: string) => {
  writeFileSync(join(directory, `broken-${name}`), "");
};

async function run(
  argv: readonly string[],
  terminal: { answers?: string[]; piped?: boolean } = {},
) {
  const used = new TestTerminal({
    directory,
    environment: { TF_VAR_PASSWORD: "hidden-one", PASSWORD: "hidden-two", OPEN: "yes" },
    ...terminal,
  });
  const code = await used.run(...argv, "--out-dir", "cdktf.out");
  return { code, out: used.out, err: used.err };
}

const apply = (...options: string[]) =>
  run(["apply", "--auto-approve", "--parallelism", "1", ...options]);

const logged = (file = "run.jsonl") =>
  readFileSync(join(directory, file), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

const results = (lines: readonly Line[]): Record<string, string> =>
  Object.fromEntries(
    lines.flatMap(({ type, stack = "", result }): [string, string][] =>
      type === "stack_result" ? [[stack, (result as { status: string }).status]] : [],
    ),
  );

describe("--waves", () => {
  test("start one after the other, with the check between them", async () => {
    const check = 'read first; echo "$CDKTF_CONSOLE_WAVE $first $OPEN [$PASSWORD$TF_VAR_PASSWORD]"';
    writeStacks(directory, {
      ...Object.fromEntries(names.map((name) => [name, tenant(name)])),
      t0: {
        ...tenant("t0"),
        variable: { PASSWORD: { type: "string", sensitive: true, ephemeral: true } },
      },
    });
    const { code, out, err } = await apply("--waves", "1,50%,100%", "--check", check);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(applied()).toEqual(names);
    expect(out).toContain("\nThe stacks are started in 3 waves: 1 stack, then 2, then 3.\n");
    const steps = out.match(/^Wave \d of 3: .*$|^\d t\d .*$/gm);
    expect(steps).toEqual([
      "Wave 1 of 3: 1 stack",
      "1 t0 yes []",
      "Wave 2 of 3: 2 stacks",
      "2 t1 yes []",
      "Wave 3 of 3: 3 stacks",
    ]);
  });

  test("end when the check fails, and the rest can be resumed", async () => {
    const { code, out, err } = await apply(
      ..."--waves 1,50%,100% --run-log run.jsonl --check".split(" "),
      "exit 7",
    );
    expect(code).toBe(1);
    expect(applied()).toEqual(["t0"]);
    expect(err).toMatch(
      /Error: Check failed\n\nThe check after wave 1 ended with exit code 7: exit 7/,
    );
    expect(out).toContain("\nNot started: 5 of 6 stacks\n  - t1, t2, t3, t4, t5\n");
    expect(results(logged())).toEqual({ t0: "applied" });

    const resumed = await apply("--resume", "run.jsonl");
    expect(resumed.code).toBe(0);
    expect(resumed.out).toContain(
      "Resuming: 5 of 6 stacks left. Left out, because they are applied completely: 1 (t0). To apply: 5 (t1, t2, t3, t4, t5).",
    );
    expect(applied()).toEqual(names);
  });

  test("are approved one by one on a terminal", async () => {
    const command = ["apply", "--parallelism", "1", "--waves", "1,3,100%"];
    const { code, out } = await run(command, { answers: ["yes", "yes", "no"] });
    expect(code).toBe(1);
    expect(applied()).toEqual(["t0", "t1", "t2"]);
    expect(out.match(/Do you want to .*\?/g)).toEqual([
      "Do you want to perform these actions?",
      "Do you want to start wave 2 of 3?",
      "Do you want to start wave 3 of 3?",
    ]);
    expect(out).toContain("The rollout ends after wave 2.");
    expect(out).toContain("\nNot started: 3 of 6 stacks\n");
  });

  test("are approved one by one in a pipe, and do not start after its end", async () => {
    const command = ["apply", "--parallelism", "1", "--waves", "1,3,100%"];
    const { code, err } = await run(command, { answers: ["yes", "yes"], piped: true });
    expect(code).toBe(1);
    expect(applied()).toEqual(["t0", "t1", "t2"]);
    expect(err).toContain("Error: No answer");
  });

  test("keep the order of dependent stacks, in a destroy too", async () => {
    writeStacks(directory, {
      app: { ...tenant("app"), dependencies: ["base"] },
      base: tenant("base"),
      other: tenant("other"),
    });
    expect((await apply("--waves", "1,100%")).code).toBe(0);
    expect(applied()).toEqual(["base", "app", "other"]);
    const destroyed = await run([
      ..."destroy --auto-approve --waves 1,2,100% --run-log run.jsonl".split(" "),
    ]);
    expect(destroyed.code).toBe(0);
    const order = logged().flatMap(({ type, stack }) => (type === "stack_start" ? [stack] : []));
    expect(order.indexOf("app")).toBeLessThan(order.indexOf("base"));
  });

  test("apply to a saved plan", async () => {
    expect((await run(["plan", "--out", "all.plan"])).code).toBe(0);
    const terminal = new TestTerminal({ directory });
    const waves = "apply all.plan --parallelism 1 --waves 1,100% --run-log run.jsonl --check";
    expect(await terminal.run(...waves.split(" "), "false")).toBe(1);
    expect(applied()).toEqual(["t0"]);
    const again = new TestTerminal({ directory });
    expect(await again.run("apply", "all.plan", "--resume", "run.jsonl")).toBe(0);
    expect([...applied()].sort()).toEqual(names);
  });
});

describe("--max-failures", () => {
  test("starts no further stacks after more failures", async () => {
    breaks("t1");
    const { code, out, err } = await apply("--max-failures", "0", "--run-log", "run.jsonl");
    expect(code).toBe(1);
    expect(applied()).toEqual(["t0"]);
    expect(out).toContain("Not started: 4 of 6 stacks");
    expect(err).toContain("1 of 6 stacks failed or were excluded, and --max-failures allows 0");
    expect(results(logged())).toEqual({ t0: "applied", t1: "failed" });
    expect(logged().at(-1)).toMatchObject({
      type: "run_result",
      run: { applied: 1, failed: 1, excluded: 0, not_started: 4, interrupted: false },
    });
  });

  test("is none with waves, and any number without", async () => {
    breaks("t0");
    expect((await apply("--waves", "1,100%")).code).toBe(1);
    expect(applied()).toEqual([]);
    expect((await apply()).code).toBe(1);
    expect(applied()).toEqual(["t1", "t2", "t3", "t4", "t5"]);
  });

  test("allows a percentage of all stacks", async () => {
    breaks("t0");
    expect((await apply("--waves", "1,100%", "--max-failures", "17%")).code).toBe(1);
    expect(applied()).toEqual(["t1", "t2", "t3", "t4", "t5"]);
  });

  test.each(["1", "8"])("bounds the stacks that fail, with parallelism %s", async (parallelism) => {
    for (const name of names) breaks(name);
    const options = ["--max-failures", "1", "--parallelism", parallelism, "--run-log", "run.jsonl"];
    const { code, out, err } = await run(["apply", "--auto-approve", ...options]);
    expect(code).toBe(1);
    expect(Object.values(results(logged()))).toEqual(["failed", "failed"]);
    expect(out).toContain("Not started: 4 of 6 stacks");
    expect(err).toContain("--resume run.jsonl continues");
    expect(existsSync(join(directory, "terraform.t5.tfstate"))).toBe(false);
    for (const name of names) rmSync(join(directory, `broken-${name}`));
    expect((await apply("--resume", "run.jsonl")).code).toBe(0);
    expect([...applied()].sort()).toEqual(names);
  });

  test("bounds nothing in soft mode", async () => {
    for (const name of names) breaks(name);
    const soft = "--max-failures 1 --parallelism 8 --failure-mode soft --run-log run.jsonl";
    const { code, out } = await run(["apply", "--auto-approve", ...soft.split(" ")]);
    expect(code).toBe(1);
    expect(out).not.toContain("at a time");
    expect(Object.values(results(logged())).length).toBeGreaterThan(2);
  });

  test("starts no stack that waits for one that failed", async () => {
    writeStacks(directory, {
      app: { ...tenant("app"), dependencies: ["base"] },
      base: tenant("base"),
    });
    breaks("base");
    const { out, err } = await apply("--max-failures", "3", "--run-log", "run.jsonl");
    expect(out).toContain("\nNot started: 1 of 2 stacks\n  - app\n");
    expect(err).not.toContain("Not applied completely");
    expect(results(logged())).toEqual({ base: "failed" });
  });

  test("counts excluded stacks, before anything is asked", async () => {
    writeFileSync(join(directory, "terraform.t3.tfstate"), "{");
    const { code, out, err } = await run(["apply", "--max-failures", "0"], { answers: [] });
    expect(code).toBe(1);
    expect(err).toContain("Error: Too many stacks failed");
    expect(out).not.toContain("Do you want");
    expect(applied()).toEqual([]);
  });
});

describe("--resume", () => {
  test("applies what failed, and nothing else", async () => {
    breaks("t2");
    expect((await apply("--run-log", "run.jsonl")).code).toBe(1);
    writeStacks(directory, Object.fromEntries(names.map((name) => [name, tenant(name)])));
    const again = await apply("--resume", "run.jsonl", "--run-log", "run.jsonl");
    expect(again.code).toBe(1);
    expect(again.out).toContain("Resuming: 1 of 6 stacks left.");
    expect(applied()).toEqual(["t0", "t1", "t3", "t4", "t5"]);
    writeFileSync(join(directory, "applied"), "");
    // The log of both runs says that only one stack is left.
    writeStacks(directory, {
      ...Object.fromEntries(names.map((name) => [name, tenant(name)])),
      t2: tenant("new"),
    });
    const last = await apply("--resume", "run.jsonl", "--run-log", "run.jsonl");
    expect(last.code).toBe(0);
    expect(applied()).toEqual(["new"]);
    const nothing = await apply("--resume", "run.jsonl");
    expect(nothing.code).toBe(0);
    expect(nothing.out).toContain("Resuming: 0 of 6 stacks left.");
  });

  test("takes the output of --json", async () => {
    breaks("t2");
    const { out } = await apply("--json");
    writeFileSync(join(directory, "out.jsonl"), out);
    expect(results(logged("out.jsonl"))).toMatchObject({ t1: "applied", t2: "failed" });
    const { out: resumed } = await apply("--resume", "out.jsonl");
    expect(resumed).toContain("Resuming: 1 of 6 stacks left.");
  });

  test("says which stacks are not selected any more", async () => {
    breaks("t2");
    await apply("--run-log", "run.jsonl");
    const { code, out } = await apply("t0", "t1", "--resume", "run.jsonl");
    expect(code).toBe(0);
    expect(out).toContain("Warning: Stacks are not resumed");
    expect(out).toMatch(/does not select, or that the app\s+no longer has: t2\./);
  });

  test.each([
    ["a file that does not exist", undefined, "Run log cannot be read"],
    ["another file", "hello\n", "Invalid run log"],
    ["an empty file", "", "No run in the log"],
    [
      "the log of a destroy",
      '{"type":"run_start","run":{"operation":"destroy","resumed":false,"stacks":[]}}\n',
      "Log of another operation",
    ],
  ])("refuses %s with one error", async (_, text, summary) => {
    if (text !== undefined) writeFileSync(join(directory, "run.jsonl"), text);
    const { code, err } = await apply("--resume", "run.jsonl");
    expect(code).toBe(1);
    expect(err.match(/^Error: .*$/gm)).toEqual([`Error: ${summary}`]);
    expect(applied()).toEqual([]);
  });
});

test("an interrupt ends the wave, completes the log, and the rest can be resumed", async () => {
  writeStacks(
    directory,
    Object.fromEntries(
      names.map((name) => {
        const command = `echo ${name} >> applied; sleep 0.2`;
        const exec = { command, working_dir: "${path.root}/../../.." };
        const gate = { provisioner: [{ "local-exec": exec }] };
        return [name, { resource: { null_resource: { gate } } }];
      }),
    ),
  );
  const terminal = new TestTerminal({ directory });
  const command = "apply --auto-approve --parallelism 2 --waves 4,100% --run-log run.jsonl";
  const ended = terminal.run(...command.split(" "), "--out-dir", "cdktf.out");
  await terminal.printed("t1  null_resource.gate: Creation complete");
  terminal.interrupt();
  expect(await ended).toBe(130);
  expect(terminal.out).toMatch(
    /\d of 6 stacks are complete\. Run apply again with --resume run\.jsonl to continue\./,
  );
  expect(logged().at(-1)).toMatchObject({ type: "run_result", run: { interrupted: true } });
  const before = applied();
  expect(before.length).toBeLessThan(5);
  expect((await apply("--resume", "run.jsonl")).code).toBe(0);
  expect([...applied()].sort()).toEqual(names);
});

test("an interrupt ends the check, and starts no further wave", async () => {
  const terminal = new TestTerminal({ directory });
  const command = "apply --auto-approve --waves 1,100% --run-log run.jsonl --out-dir cdktf.out";
  const ended = terminal.run(...command.split(" "), "--check", "echo checking; exec sleep 600");
  await terminal.printed("checking\n");
  terminal.interrupt();
  expect(await ended).toBe(130);
  expect(terminal.err).not.toContain("Check failed");
  expect(applied()).toEqual(["t0"]);
  expect((await apply("--resume", "run.jsonl")).code).toBe(0);
  expect(applied()).toEqual(names);
});

test("an interrupt at the question ends the run", async () => {
  const terminal = new TestTerminal({ directory, answers: ["yes"] });
  const ended = terminal.run("apply", "--waves", "1,100%", "--out-dir", "cdktf.out");
  await terminal.printed("Do you want to start wave 2 of 2?");
  terminal.interrupt();
  expect(await ended).toBe(130);
  expect(applied()).toEqual(["t0"]);
});

test("does not wait for the reader of a FIFO as the run log", async () => {
  execFileSync("mkfifo", [join(directory, "run.jsonl")]);
  const { code, err } = await apply("--run-log", "run.jsonl");
  expect(code).toBe(1);
  expect(err).toContain("run.jsonl: is not a regular file.");
  expect(applied()).toEqual([]);
});

test.each([
  [["--waves", "1,5%"], "The last wave must be 100%"],
  [["--waves", "5,2,100%"], "Waves are cumulative"],
  [["--max-failures", "many"], "It must be a whole number or a percentage"],
  [["--check", "true"], "Error: --check needs --waves"],
  [["--run-log", "absent/run.jsonl"], "Error: Run log cannot be written"],
])("refuses %j", async (options, message) => {
  const { code, err } = await apply(...options);
  expect(code).toBe(1);
  expect(err.replaceAll(/\s+/g, " ")).toContain(message);
  expect(applied()).toEqual([]);
});
