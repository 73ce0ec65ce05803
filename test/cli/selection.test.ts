import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const gate = (labels: Record<string, string> = {}): StackJson => ({
  "//": { labels },
  resource: { null_resource: { gate: {} } },
});

const TENANTS = Object.fromEntries(
  Array.from({ length: 30 }, (_, at) => [
    `tenant-${String(at).padStart(2, "0")}`,
    gate({ ring: at < 2 ? "canary" : "rest", region: at % 2 === 0 ? "eu-1" : "us-1" }),
  ]),
);

function app(stacks: Record<string, StackJson> = { base: gate(), ...TENANTS }) {
  const directory = temporaryFolder();
  writeStacks(directory, stacks);
  const run = async (argv: readonly string[], input?: string) => {
    const terminal = new TestTerminal({ directory, ...(input !== undefined && { input }) });
    const code = await terminal.run(...argv, "--out-dir", "cdktf.out");
    return { code, out: terminal.out, err: terminal.err };
  };
  const planned = async (argv: readonly string[], input?: string) => {
    const { code, out, err } = await run(["plan", "--expand", ...argv], input);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    return out.match(/^Stack (\S+)$/gm)?.map((line) => line.slice("Stack ".length)) ?? [];
  };
  return { directory, run, planned };
}

test("selects stacks by names and patterns, in the order of the app", async () => {
  const { planned } = app();
  expect(await planned(["tenant-0?", "tenant-1[01]", "base"])).toEqual([
    "base",
    ...Object.keys(TENANTS).slice(0, 12),
  ]);
});

test("selects stacks that have all of the labels", async () => {
  const { planned } = app();
  expect(await planned(["--label", "ring=canary"])).toEqual(["tenant-00", "tenant-01"]);
  const narrow = ["tenant-0*", "--label", "region=eu-*", "--label", "ring=rest"];
  expect(await planned(narrow)).toEqual(["tenant-02", "tenant-04", "tenant-06", "tenant-08"]);
});

test("selects the stacks that a file or standard input lists", async () => {
  const { directory, planned } = app();
  const list = "# changed tenants\n\ntenant-03\r\n  tenant-2?\n";
  writeFileSync(join(directory, "changed.txt"), list);
  const expected = ["tenant-03", ...Object.keys(TENANTS).slice(20, 30)];
  expect(await planned(["--stacks-from", "changed.txt"])).toEqual(expected);
  expect(await planned(["--stacks-from", "-"], list)).toEqual(expected);
  expect(await planned(["base", "--stacks-from", "-"], "tenant-01")).toEqual(["base", "tenant-01"]);
});

describe("--changed-from", () => {
  /** The app after a change of two stacks, with a new one and without another. */
  function changedApp() {
    const base = gate();
    const others: Record<string, StackJson> = TENANTS;
    const left = { ...others };
    delete left["tenant-00"];
    const changed = { "tenant-07": gate({ ring: "new" }), "tenant-21": gate(), added: gate() };
    const { directory, ...rest } = app({ base, ...left, ...changed });
    // The same folder, because the stacks have the path of their states.
    const out = join(directory, "cdktf.out");
    cpSync(out, join(directory, "now"), { recursive: true });
    rmSync(out, { recursive: true });
    const earlier = writeStacks(directory, { base, ...others });
    cpSync(earlier, join(directory, "earlier"), { recursive: true });
    rmSync(earlier, { recursive: true });
    cpSync(join(directory, "now"), out, { recursive: true });
    return { directory, ...rest };
  }

  test("selects the stacks that differ or are new, and names those that are gone", async () => {
    const { planned, run } = changedApp();
    const changed = ["--changed-from", "earlier"];
    expect(await planned(changed)).toEqual(["tenant-07", "tenant-21", "added"]);
    expect(await planned(["tenant-*", ...changed])).toEqual(["tenant-07", "tenant-21"]);
    const { out } = await run(["plan", ...changed]);
    expect(out.replace(/\s+/g, " ")).toContain("stacks that are in earlier: tenant-00.");
  });

  test("plans nothing if no stack differs, and refuses a folder without stacks", async () => {
    const { run, directory } = changedApp();
    const { code, out } = await run(["plan", "--changed-from", "now", "--review-json", "r.json"]);
    expect(code).toBe(0);
    expect(out).toContain("No stacks selected");
    expect(JSON.parse(readFileSync(join(directory, "r.json"), "utf8"))).toMatchObject({
      stacks: [],
    });
    const missing = await run(["plan", "--changed-from", "no-such-folder"]);
    expect(missing.code).toBe(1);
    expect(missing.err).toContain("There is no manifest.json in");
  });
});

test("every stack is in one shard, which does not depend on the others", async () => {
  const { planned } = app();
  const shards = [];
  for (const index of [1, 2, 3]) shards.push(await planned(["--shard", `${index}/3`]));
  expect(shards.flat().sort()).toEqual(["base", ...Object.keys(TENANTS)]);
  const second = await planned(["tenant-*", "--shard", "2/3"]);
  expect(second).toEqual(shards[1]?.filter((name) => name !== "base"));
});

test.each([
  [["tenat-*"], 'No stack has a name that matches "tenat-*". Did you mean "tenant-*"?'],
  [["tenant-31"], 'There is no stack named "tenant-31". Did you mean "tenant-01"?'],
  [["--label", "ring=cannary"], 'No stack has the label ring=cannary. Did you mean "ring=canary"?'],
  [["base", "--label", "ring=canary"], "no stack satisfies all of them"],
  [["--stacks-from", "nowhere.txt"], "nowhere.txt: "],
  [["--label", "ring"], "It must be a key and a value, as in ring=canary."],
  [["--shard", "3/2"], "It must be I/N with I from 1 to N, as in 2/5."],
])("plan %j is an error that suggests", async (argv, text) => {
  const { run } = app();
  const { code, err, out } = await run(["plan", ...argv]);
  expect(code).toBe(1);
  expect(`${err}${out}`.replace(/\s+/g, " ")).toContain(text);
});

test("an empty shard and an empty list do nothing, and never select everything", async () => {
  const { run } = app({ base: gate() });
  const shard = await run(["plan", "--shard", "1/999"]);
  expect(shard).toMatchObject({ code: 0, err: "" });
  expect(shard.out).toContain("None of the stacks is in shard 1/999. There is nothing to do.");
  const list = await run(["apply", "--auto-approve", "--stacks-from", "-"], "# none\n");
  expect(list.code).toBe(0);
  expect(list.out).toContain("Standard input lists no stacks.");
  expect(list.out).not.toContain("null_resource");
});

test("reads a stack outside of the selection from its state, and excludes the reader without one", async () => {
  const down = (directory: string): StackJson => ({
    ...gate(),
    data: {
      terraform_remote_state: {
        up: { backend: "local", config: { path: join(directory, "terraform.up.tfstate") } },
      },
    },
    output: { copy: { value: "${data.terraform_remote_state.up.outputs.value}" } },
  });
  const { directory, run } = app({ other: gate() });
  const up: StackJson = { ...gate(), output: { value: { value: "from up" } } };
  writeStacks(directory, { up, down: down(directory), other: gate() });
  const missing = await run(["apply", "--auto-approve", "down", "other"]);
  expect(missing.code).toBe(1);
  expect(missing.out).toContain("Excluded: 1 of 2 stacks\n  - No state to read from (1): down\n");
  expect(missing.err.replace(/\s+/g, " ")).toContain(
    'reads the outputs of stack "up", which has no state yet. Select it too, or apply it first.',
  );
  expect((await run(["apply", "--auto-approve", "up"])).code).toBe(0);
  const applied = await run(["apply", "--auto-approve", "down"]);
  expect(applied).toMatchObject({ code: 0, err: "" });
  expect(applied.out).toContain('copy = "from up"');
});

test("stacks lists the selected stacks with console, labels and state", async () => {
  const { directory, run } = app({
    base: { ...gate(), provider: { cwp: [{ base_url: "https://console.example:8083" }] } },
    "tenant-1": gate({ ring: "canary" }),
    "tenant-2": gate(),
  });
  expect((await run(["apply", "--auto-approve", "tenant-1"])).code).toBe(0);
  writeFileSync(join(directory, "terraform.gone.tfstate"), "{}");
  mkdirSync(join(directory, "terraform.d"));
  const held = { ID: "0", Operation: "OperationTypeApply", Who: "me@host", Created: "2026-01-01" };
  writeFileSync(join(directory, ".terraform.tenant-2.tfstate.lock.info"), JSON.stringify(held));

  const { code, out, err } = await run(["stacks"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const lines = out.split("\n");
  expect(lines[0]).toMatch(
    /^Stack {5}Console {23}Labels {7}Resources {2}Serial {2}Last apply +Lock$/,
  );
  expect(lines[1]).toMatch(/^base {6}https:\/\/console\.example:8083 {2}- +0 +- +- +-$/);
  expect(lines[2]).toMatch(/^tenant-1 {2}- +ring=canary {2}1 +1 +\d{4}-\d\d-\d\dT[\d:]{8}Z {2}-$/);
  expect(lines[3]).toMatch(/^tenant-2 .* OperationTypeApply by me@host$/);
  expect(out).toMatch(/\nStates without a stack:\n {2}terraform\.gone\.tfstate\n$/);

  const json = await run(["ls", "tenant-*", "--json"]);
  expect(json.code).toBe(0);
  expect(JSON.parse(json.out)).toEqual({
    format_version: "1.0",
    stacks: [
      {
        name: "tenant-1",
        console: null,
        labels: { ring: "canary" },
        resources: 1,
        serial: 1,
        last_apply: expect.stringMatching(/^\d{4}-/) as string,
        lock: null,
      },
      expect.objectContaining({
        name: "tenant-2",
        serial: null,
        lock: { id: "0", operation: "OperationTypeApply", who: "me@host", created: "2026-01-01" },
      }),
    ],
    states_without_stack: ["terraform.gone.tfstate"],
  });
});

test("stacks reports a state that cannot be used, and lists the others", async () => {
  const { directory, run } = app({ good: gate(), bad: gate() });
  writeFileSync(join(directory, "terraform.bad.tfstate"), "{");
  const { code, out, err } = await run(["stacks", "--json"]);
  expect(code).toBe(1);
  expect(err).toContain("Error: ");
  const { stacks } = JSON.parse(out) as { stacks: { name: string; error?: string }[] };
  expect(stacks.map(({ name, error }) => [name, error !== undefined])).toEqual([
    ["good", false],
    ["bad", true],
  ]);
});

test("output and show take patterns", async () => {
  const value = (text: string): StackJson => ({ ...gate(), output: { name: { value: text } } });
  const { run } = app({ a1: value("1"), a2: value("2"), b: value("3") });
  expect((await run(["apply", "--auto-approve"])).code).toBe(0);
  const { out } = await run(["output", "--stack", "a*"]);
  expect(out).toBe('\nStack a1\nname = "1"\n\nStack a2\nname = "2"\n');
});
