import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { TestTerminal } from "./test-terminal";

/** A stack that appends its name to the file `applied`, and fails while there is a file `broken-NAME`. */
const tenant = (name: string, labels: Record<string, string>, version = 1): StackJson => ({
  "//": { labels },
  resource: {
    null_resource: {
      gate: {
        triggers: { version: String(version) },
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

const RINGS: Readonly<Record<string, Record<string, string>>> = {
  c1: { ring: "canary" },
  e1: { region: "eu" },
  e2: { region: "eu" },
  u1: { region: "us" },
};
const names = Object.keys(RINGS);

let directory: string;

const write = (version = 1, only = names) => {
  const stacks = names.map((name) => {
    const changed = only.includes(name) ? version : 1;
    return [name, tenant(name, RINGS[name] ?? {}, changed)] as const;
  });
  writeStacks(directory, Object.fromEntries(stacks));
};

const breaks = (...broken: readonly string[]) => {
  for (const name of broken) writeFileSync(join(directory, `broken-${name}`), "");
};

beforeEach(() => {
  directory = temporaryFolder();
  write();
});

const applied = () => {
  const file = join(directory, "applied");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
};

async function run(argv: readonly string[], given: object = {}) {
  const terminal = new TestTerminal({ directory, environment: {}, ...given });
  const code = await terminal.run(...argv, "--out-dir", "cdktf.out");
  return { code, out: terminal.out, err: terminal.err };
}

const apply = (line: string, given?: object) =>
  run(["apply", "--parallelism", "1", ...line.split(" ")], given);

const history = async () => {
  const terminal = new TestTerminal({ directory, environment: {} });
  await terminal.run("history");
  return terminal.out;
};

const WAVES = "--auto-approve --waves ring=canary,region=eu/50%,region=eu,100%";
const START = `${WAVES} --until-wave 1 --run-log run.jsonl`;

test("a run ends after a wave, waits, and goes on when another person approves the next one", async () => {
  const first = await apply(START);
  expect(first).toMatchObject({ code: 0, err: "" });
  expect(first.out).toContain(
    'The run waits for wave 2 of 4. After a review, start it with "cdktf-console apply --resume run.jsonl --approve-wave 2".',
  );
  expect(applied()).toEqual(["c1"]);
  expect(await history()).toContain("run.jsonl: waits for wave 2 of 4\n");

  // A plain resume retries, and waits again.
  expect(await apply("--auto-approve --resume run.jsonl")).toMatchObject({ code: 0 });
  expect(applied()).toEqual(["c1"]);

  const approved = await apply("--resume run.jsonl --approve-wave 2", {
    environment: { GITHUB_ACTOR: "alice" },
  });
  expect(approved).toMatchObject({ code: 0, err: "" });
  expect(approved.out).toContain("Wave 2 of 4: 1 stack");
  expect(approved.out).toContain("The run waits for wave 3 of 4.");
  expect(applied()).toEqual(["c1", "e1"]);
  expect(await history()).toMatch(
    /^run\.jsonl: waits for wave 3 of 4\n(.*\n)* {2}Wave 2 was approved by alice \(claimed\)$/m,
  );
  for (const wave of [3, 4]) {
    const environment = { GITHUB_ACTOR: `actor-${wave}` };
    const next = await apply(`--resume run.jsonl --approve-wave ${wave}`, { environment });
    expect(next.code).toBe(0);
  }
  expect(applied()).toEqual(names);
  const whole = await history();
  expect(whole).toContain("run.jsonl: complete\n");
  expect(whole.match(/Wave . was approved by \S+/g)).toEqual([
    "Wave 2 was approved by alice",
    "Wave 3 was approved by actor-3",
    "Wave 4 was approved by actor-4",
  ]);
});

test("an approved wave with other plans than those that were recorded is refused", async () => {
  await apply(START);
  write(2);
  const refused = await apply("--resume run.jsonl --approve-wave 2");
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(
    /Plans have changed since the review\n\n3 stacks would not get the changes that were reviewed: e1, e2, u1\. Nothing\s+was\s+applied\./,
  );
  expect(applied()).toEqual(["c1"]);
  expect(await history()).toContain("waits for wave 2 of 4");
  expect((await apply("--auto-approve --resume run.jsonl")).code).toBe(0);
  expect((await apply("--resume run.jsonl --approve-wave 2 --until-wave 4")).code).toBe(0);
  expect(applied()).toEqual(names);
});

test("an approval starts nothing that was not reviewed, also of waves that have ended", async () => {
  breaks("c1");
  await apply(`${START} --max-failures 1`);
  rmSync(join(directory, "broken-c1"));
  write(2, ["c1"]);
  const refused = await apply("--resume run.jsonl --approve-wave 2");
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/Plans have changed since the review\n\n1 stack would not get/);
  expect(applied()).toEqual([]);
});

test.each([
  [
    "--resume run.jsonl --approve-wave 3",
    /Wave does not wait\n\nThe run in run\.jsonl waits for\s+wave 2 of 4/,
  ],
  ["-y --resume run.jsonl --until-wave 3", /Wave is not approved/],
  ["-y --resume run.jsonl --waves 100% --run-log run.jsonl", /Wave is not approved/],
  ["-y --resume run.jsonl --approve-wave 2 --until-wave 1", /contradicts --approve-wave 2/],
  ["-y --approve-wave 2", /--approve-wave needs --resume/],
  ["-y --until-wave 2 --run-log other.jsonl", /--until-wave needs --waves/],
  ["-y --until-wave 1 --waves 1,100%", /--until-wave needs --run-log/],
])("%s starts nothing", async (line, problem) => {
  await apply(START);
  const refused = await apply(line);
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(problem);
  expect(applied()).toEqual(["c1"]);
});

test("a manual wave waits, also with --auto-approve, and is asked about on a terminal", async () => {
  const line =
    "--auto-approve --waves ring=canary,region=eu:manual,100%:manual --run-log run.jsonl";
  expect(await apply(line)).toMatchObject({ code: 0, err: "" });
  expect(applied()).toEqual(["c1"]);
  const next = await apply("--resume run.jsonl --approve-wave 2");
  expect(next.out).toContain("The run waits for wave 3 of 3.");
  expect(applied()).toEqual(["c1", "e1", "e2"]);
  const asked = await apply("--auto-approve --resume run.jsonl", { answers: ["yes"] });
  expect(asked.out).not.toContain("Do you want to start");
  expect(applied()).toEqual(["c1", "e1", "e2"]);
  expect((await apply("--resume run.jsonl --approve-wave 3")).code).toBe(0);
  expect(applied()).toEqual(names);
});

test("a resumed run keeps the budget, and the failures of stacks that it does not have", async () => {
  breaks("c1", "e1");
  const first = await apply(`${WAVES} --max-failures 1 --run-log run.jsonl`);
  expect(first.code).toBe(1);
  expect(first.err).toContain("--max-failures allows 1");
  const others = await apply("--auto-approve --resume run.jsonl e2 u1");
  expect(others.code).toBe(1);
  expect(others.err).toMatch(
    /2 of 4 stacks failed or were excluded, and --max-failures\s+allows 1/,
  );
  expect(applied()).toEqual([]);
  rmSync(join(directory, "broken-c1"));
  rmSync(join(directory, "broken-e1"));
  expect((await apply("--auto-approve --resume run.jsonl")).code).toBe(0);
  expect(applied()).toEqual(names);
});

test("units that fail after a write are no more than the budget allows in all parts of a run", async () => {
  breaks(...names);
  await apply("-y --waves 1,100% --max-failures 1 --until-wave 1 --run-log run.jsonl");
  await run(["apply", "--resume", "run.jsonl", "--approve-wave", "2", "--exclude", "c1"]);
  const record = readFileSync(join(directory, "run.jsonl"), "utf8");
  expect(record.match(/"status":"failed"/g)).toHaveLength(2);
});

test("an excluded tenant uses no budget of a run that is resumed without it", async () => {
  const wrong = { "//": { errors: ["tenants.csv:3: removed must be true or false"] } };
  const stacks = names.map((name) => [name, tenant(name, RINGS[name] ?? {})] as const);
  writeStacks(directory, { ...Object.fromEntries(stacks), e1: wrong });
  const first = await apply(START);
  expect(first).toMatchObject({
    code: 1,
    out: expect.stringContaining("waits for wave 2") as string,
  });
  const line = "-y --resume run.jsonl --exclude e1";
  expect((await apply(`${line} --approve-wave 2`)).code).toBe(0);
  expect(applied()).toEqual(["c1", "e2"]);
});

test("a wave of a label that no stack has is an error", async () => {
  const refused = await apply("--auto-approve --waves ring=canery,100%");
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(
    /No stack has the label ring=canery\. Did you mean\s+"ring=canary"\?/,
  );
  expect(applied()).toEqual([]);
  // Another shard, or another selection, has the canaries.
  expect((await apply("--auto-approve --waves ring=canary,100% e1")).code).toBe(0);
});

test("stacks that no wave takes are an error before anything is planned", async () => {
  const refused = await apply("--auto-approve --waves ring=canary,region=eu");
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(
    /Stacks are in no wave\n\n--waves takes all stacks but 1 stack: u1\./,
  );
  expect(refused.out).not.toContain("Plan:");
});

test("--exclude and '!NAME' leave stacks out", async () => {
  expect((await apply("--auto-approve --exclude e* !u1")).code).toBe(0);
  expect(applied()).toEqual(["c1"]);
  const wrong = await apply("--auto-approve --exclude u2");
  expect(wrong.code).toBe(1);
  expect(wrong.err).toMatch(/There is no stack named "u2"/);
  const none = await apply("--auto-approve c1 --exclude c1");
  expect(none.code).toBe(1);
  expect(none.err).toMatch(/No stack matches/);
});
