import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ContentReader } from "../../src/fleet/run-log/repeated-content";
import { startSimulator, type Simulator } from "../../src/simulator";
import { consoleStack, policyStack, SECRETS, temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

/* A run log records the changes of a run, so that they can be rolled back. */

const POLICIES = "cwp_compliance_policy_set.policies";

let simulator: Simulator;
let directory: string;

beforeEach(async () => {
  simulator = await startSimulator();
  directory = temporaryFolder();
  writeStacks(directory, { prod: consoleStack(simulator) });
});
afterEach(() => simulator.close());

async function apply(...options: readonly string[]) {
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const shared = ["--auto-approve", "--out-dir", "cdktf.out"];
  const code = await terminal.run("apply", ...shared, ...options);
  return { code, out: terminal.out, err: terminal.err };
}

type Line = Record<string, unknown> & { type: string };

const text = (file = "run.jsonl") => readFileSync(join(directory, file), "utf8");
const linesOf = (file?: string) =>
  text(file)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
/** The lines about an object, with the contents that they name. */
const objectsOf = (address: string, file?: string) => {
  const contents = new ContentReader();
  return linesOf(file).flatMap(({ type, object, content }) => {
    if (type === "content") contents.add(content as { sha256: string; value: unknown });
    const found = contents.expand(object) as { address: string; kind: string };
    return type === "object_record" && found.address === address ? [found] : [];
  });
};
const mode = (path: string) => statSync(join(directory, path)).mode & 0o777;

test("has the state before and after, and the backend", async () => {
  expect((await apply("--run-log", "run.jsonl")).code).toBe(0);
  const [start, started] = linesOf();
  expect(start).toMatchObject({
    type: "run_start",
    run: { operation: "apply", stacks: ["prod"], by: expect.stringContaining("@") as string },
  });
  const state = JSON.parse(text("terraform.prod.tfstate")) as { lineage: string; serial: number };
  expect(started).toMatchObject({ type: "wave_start" });
  expect(linesOf().find(({ type }) => type === "stack_start")).toMatchObject({
    origin: {
      state: { lineage: "", serial: 0 },
      workspace: "default",
      backend: { type: "local", path: join(directory, "terraform.prod.tfstate") },
    },
  });
  const stored = { lineage: state.lineage, serial: state.serial };
  expect(linesOf().find(({ type }) => type === "stack_result")).toMatchObject({
    result: { status: "applied", state: stored },
  });
  expect(mode("run.jsonl")).toBe(0o600);
});

test("has the object and the content of a collection before and after each write", async () => {
  await apply();
  const found = simulator.consoles[0].console.policies();
  writeStacks(directory, {
    prod: policyStack(simulator, [{ name: "Second", checks: { 599: false } }]),
  });
  expect((await apply("--run-log", "run.jsonl")).code).toBe(0);
  const [start, content, digest, stored, ...others] = objectsOf(POLICIES);
  const policies = (name: string) => ({ attributes: { policies: [{ name }] } });
  expect(others).toEqual([]);
  expect(start).toMatchObject({ kind: "start", action: "update", before: policies("First") });
  const { found: before, written } = (content as unknown as { content: Record<string, string> })
    .content;
  expect(JSON.parse(before!)).toEqual(found);
  expect(JSON.parse(written!)).toMatchObject([{ name: "Second" }]);
  expect(digest).toMatchObject({
    content: { digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
  });
  expect(stored).toMatchObject({ kind: "stored", after: policies("Second") });
  // The output of the stack and the secrets of the run are in no line.
  expect(text()).not.toMatch(new RegExp(Object.values(SECRETS).join("|")));
  expect(text()).not.toContain('"outputs"');
});

test("is not in the stream of --json", async () => {
  const { out } = await apply("--run-log", "run.jsonl", "--json");
  expect(out).toContain('"type":"stack_result"');
  expect(out).not.toContain("object_record");
});

test("is in a new file of a folder that only this user can read", async () => {
  const { code, out } = await apply("--run-log", "runs/");
  expect(code).toBe(0);
  expect((await apply("--run-log", "runs")).code).toBe(0);
  const files = readdirSync(join(directory, "runs"));
  expect(files).toHaveLength(2);
  expect(out).toContain(`\nThe run is recorded in runs/${files[0]}.\n`);
  for (const file of files) {
    expect(file).toMatch(/^\d{8}T\d{9}Z-[0-9a-f]{8}\.jsonl$/);
    expect(mode(`runs/${file}`)).toBe(0o600);
    const [start] = linesOf(`runs/${file}`);
    expect(start).toMatchObject({ run: { id: file.replace(".jsonl", "") } });
  }
  expect(mode("runs")).toBe(0o700);
});

test("replaces a file that others can read", async () => {
  writeFileSync(join(directory, "run.jsonl"), "", { mode: 0o644 });
  await apply("--run-log", "run.jsonl");
  expect(mode("run.jsonl")).toBe(0o600);
});

test.each(["taken/", "/dev/full"])("that cannot be written starts no run: %s", async (path) => {
  writeFileSync(join(directory, "taken"), "");
  const refused = await apply("--run-log", path);
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining("Run log cannot be written") as string,
  });
  expect(simulator.consoles[0].console.requests).toEqual([]);
});
