import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import {
  consoleStack,
  policyStack,
  SECRETS,
  temporaryFolder,
  writeStacks,
  type StackJson,
} from "./stack-files";
import { TestTerminal } from "./test-terminal";

/* A recorded run goes back: consoles and states get what they had before, or a refusal names why not. */

const SET = "cwp_compliance_policy_set.policies";

let simulator: Simulator;
let directory: string;

beforeEach(async () => {
  simulator = await startSimulator();
  directory = temporaryFolder();
});
afterEach(() => simulator.close());

const write = (stack: StackJson) => writeStacks(directory, { prod: stack });
const policies = (...names: string[]) =>
  policyStack(
    simulator,
    names.map((name) => ({ name, checks: { 41: true } })),
  );

async function run(...argv: readonly string[]) {
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const code = await terminal.run(...argv, "--out-dir", "cdktf.out");
  return { code, out: terminal.out, err: terminal.err };
}
const apply = (...options: readonly string[]) => run("apply", "--auto-approve", ...options);
const record = (...options: readonly string[]) => apply("--run-log", "run.jsonl", ...options);
const rollBack = (...options: readonly string[]) => apply("--rollback", "run.jsonl", ...options);

/** The policies of the console, without the author and the time of their last change. */
const console_ = () =>
  simulator.consoles[0].console
    .policies()
    .map(({ name, ...policy }) => ({ ...policy, name, modified: undefined, owner: undefined }));
const names = () => console_().map(({ name }) => name);

interface StateFile {
  readonly serial: number;
  readonly resources: readonly { readonly type: string; readonly instances: unknown }[];
}
const state = () =>
  JSON.parse(readFileSync(join(directory, "terraform.prod.tfstate"), "utf8")) as StateFile;
const instances = () => state().resources;

test("of an update puts back the policies and the state, and the next plan shows the update", async () => {
  write(policies("a", "b"));
  await apply();
  const before = { console: console_(), instances: instances() };
  write(
    policyStack(simulator, [
      { name: "c", checks: { 599: true } },
      { name: "a", checks: {} },
    ]),
  );
  expect((await record()).code).toBe(0);
  expect(names()).toEqual(["c", "a"]);
  const planned = await run("plan", "--rollback", "run.jsonl", "--detailed-exitcode");
  expect(planned).toMatchObject({ code: 2, err: "" });
  expect(planned.out).toContain(`# ${SET} will be updated in-place`);
  expect(planned.out).toContain("Plan: 0 to add, 1 to change, 0 to destroy.");
  expect(planned.out).toMatch(/Protection: 1 weaker, 1 stronger/);

  const { code, out, err } = await rollBack();
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/\nRolling back the apply \S+ by \S+@\S+: 1 of 1 stack that it started\.\n/);
  expect(out).toContain("Rollback complete! Resources: 0 added, 1 changed, 0 destroyed.");
  expect({ console: console_(), instances: instances() }).toEqual(before);
  expect((await run("plan")).out).toContain("Plan: 0 to add, 1 to change, 0 to destroy.");

  // There is nothing left to do.
  expect((await rollBack()).out).toContain("No changes. There is nothing to roll back.");
});

test("of a first apply removes the set, and lists what stays", async () => {
  const found = console_();
  write(consoleStack(simulator));
  await record();
  const { code, out } = await rollBack();
  expect(code).toBe(0);
  expect(out).toContain("Warning: Changes that are not rolled back");
  expect(out).toContain("  - cwp_license.license (created)");
  expect(out).toContain("  - cwp_bootstrap.bootstrap (created)");
  expect(console_()).toEqual(found);
  expect(instances().map(({ type }) => type)).toEqual(["cwp_bootstrap", "cwp_license"]);
  expect((await run("plan")).out).toContain("Plan: 1 to add, 0 to change, 0 to destroy.");
  const again = (await rollBack()).out;
  expect(again).toContain("No changes. Nothing of the run can be rolled back.");
  expect(again).not.toContain("as they were before the run");
});

test("of a destroy brings the set back", async () => {
  write(policies("a"));
  await apply();
  const before = {
    console: console_(),
    set: instances().find(({ type }) => type === SET.split(".")[0]),
  };
  await run("destroy", "--auto-approve", "--run-log", "run.jsonl");
  expect(instances()).toEqual([]);
  expect((await rollBack()).code).toBe(0);
  expect({ console: console_(), set: instances()[0] }).toEqual(before);
});

test("of a rollback is possible, too", async () => {
  write(policies("a"));
  await apply();
  write(policies("b"));
  await record();
  const after = { console: console_(), instances: instances() };
  expect((await rollBack("--run-log", "back.jsonl")).code).toBe(0);
  expect(names()).toEqual(["a"]);
  expect((await run("rollback", "back.jsonl", "--auto-approve")).code).toBe(0);
  expect({ console: console_(), instances: instances() }).toEqual(after);
});

test("refuses what somebody changed on the console since, by its name", async () => {
  write(policies("a"));
  await apply();
  write(policies("b", "c"));
  await record();
  const { console } = simulator.consoles[0];
  const changed = console
    .policies()
    .map((policy) => (policy.name === "c" ? { ...policy, disabled: true } : policy));
  await console.load({ policies: changed });
  const { code, err } = await rollBack();
  expect(code).toBe(1);
  expect(err).toContain("The console's compliance policies changed since the run");
  expect(err).toMatch(/Changed since:\n\s*- "c"\n/);
  expect(console_().at(1)).toMatchObject({ name: "c", disabled: true });
});

test("refuses what somebody added between a write and the read after it", async () => {
  write(policies("a"));
  await apply();
  write(policies("b"));
  const { console } = simulator.consoles[0];
  const handle = console.handle.bind(console);
  const watch = jest.spyOn(console, "handle").mockImplementation(async (request) => {
    const response = await handle(request);
    if (request.method === "PUT") {
      await console.load({ policies: [...console.policies(), { name: "theirs" }] });
    }
    return response;
  });
  await record();
  watch.mockRestore();
  const { code, err } = await rollBack();
  expect(code).toBe(1);
  expect(err).toMatch(/Changed since:\n\s*- "theirs"\n/);
  expect(names()).toContain("theirs");
});

test("passes over a write that the console refused, beside another one to the same collection", async () => {
  const { resource, ...stack } = policyStack(simulator, []);
  const { cwp_bootstrap, cwp_license } = resource as StackJson;
  const setUp = { cwp_bootstrap, cwp_license };
  write({ ...stack, resource: setUp });
  await apply();
  const before = console_();
  const set = (ownership: string, name: string) => ({
    ownership,
    policies: [{ name, checks: { 41: true } }],
  });
  const sets = { refused: set("prefix", "a"), written: set("suffix", "b") };
  write({ ...stack, resource: { ...setUp, cwp_compliance_policy_set: sets } });
  const { console } = simulator.consoles[0];
  const handle = console.handle.bind(console);
  let isRefused = false;
  const watch = jest.spyOn(console, "handle").mockImplementation((request) => {
    if (request.method !== "PUT" || isRefused) return handle(request);
    isRefused = true;
    return Promise.resolve({ status: 500, headers: {}, body: "" });
  });
  expect((await record()).code).toBe(1);
  watch.mockRestore();
  expect(console_()).not.toEqual(before);
  expect(await rollBack()).toMatchObject({ code: 0, err: "" });
  expect(console_()).toEqual(before);
});

describe("of a run that was killed, or could not record more,", () => {
  const linesOf = (file: string) => readFileSync(join(directory, file), "utf8").split("\n");
  beforeEach(async () => {
    write(policies("a"));
    await apply();
    write(policies("b"));
    await record();
  });

  test.each<[string, (lines: readonly string[]) => readonly string[]]>([
    [
      "before the state had its last object",
      (lines) => {
        const last = lines.findLast((line) => line.includes('"kind":"stored"')) ?? "";
        return [...lines, last.replace(/"content_sha256":"[^"]*"/, '"content_sha256":"none"')];
      },
    ],
    [
      "after a write, which the state has, in an earlier version",
      (lines) =>
        lines
          .filter((line) => !/"kind":"stored"|"content":\{"digest"|"stack_result"/.test(line))
          .map((line) => line.replace(/"previous":"[^"]*",/, "")),
    ],
  ])("%s", async (when, change) => {
    const lines = linesOf("run.jsonl").slice(0, -1);
    const changed = change(lines);
    expect(changed).not.toEqual(lines);
    writeFileSync(join(directory, "run.jsonl"), changed.map((line) => `${line}\n`).join(""));
    const { code, out } = await rollBack();
    expect(code).toBe(0);
    expect(out.includes("Record of an earlier version")).toBe(when.includes("earlier version"));
    expect(names()).toEqual(["a"]);
  });

  test("before a second write that it had recorded", async () => {
    write(policies("c"));
    await apply("--run-log", "second.jsonl");
    expect((await run("rollback", "second.jsonl", "--auto-approve")).code).toBe(0);
    const begun = linesOf("second.jsonl").filter((line) => /"kind":"start"|"found":/.test(line));
    expect(begun).toHaveLength(2);
    writeFileSync(join(directory, "run.jsonl"), [...linesOf("run.jsonl"), ...begun, ""].join("\n"));
    expect(await rollBack()).toMatchObject({ code: 0, err: "" });
    expect(names()).toEqual(["a"]);
  });
});

test("refuses an object that a later run changed, and passes over later changes of others", async () => {
  write(policies("a"));
  await apply();
  write(policies("b"));
  await record();
  const later = policies("b");
  write({ ...later, resource: { ...(later.resource as StackJson), null_resource: { later: {} } } });
  await apply();
  expect((await rollBack()).code).toBe(0);
  expect(names()).toEqual(["a"]);

  await apply("--run-log", "second.jsonl");
  write(policies("d"));
  await apply();
  const { code, err } = await run("rollback", "second.jsonl", "--auto-approve");
  expect(code).toBe(1);
  expect(err).toContain("Object changed since the run");
  expect(err).toContain(SET);
  expect(names()).toEqual(["d"]);
});

test("refuses an object that is in no state any more", async () => {
  write(policies("a"));
  await record();
  expect((await run("state", "rm", SET)).code).toBe(0);
  const { code, err } = await rollBack();
  expect({ code, err }).toMatchObject({ code: 1 });
  expect(err).toContain("Object changed since the run");
  expect(names()).toEqual(["a"]);
});

test("refuses a state that is another one", async () => {
  write(policies("a"));
  await record();
  const file = join(directory, "terraform.prod.tfstate");
  writeFileSync(file, JSON.stringify({ ...state(), lineage: "another" }));
  const { code, err } = await rollBack();
  expect(code).toBe(1);
  expect(err).toContain("State is not the one that the run left");
});

test("needs the record of a file, which it does not replace", async () => {
  write(policies("a"));
  const { out } = await apply("--json");
  writeFileSync(join(directory, "run.jsonl"), out);
  expect((await rollBack()).err).toMatch(/Nothing is recorded to roll back[^]*of 1 stack: prod\./);
  expect((await rollBack("--engine", "terraform")).err).toContain("Unsupported by this engine");
  expect((await rollBack("--run-log", "./run.jsonl")).err).toContain("Run log would be replaced");
  expect(readFileSync(join(directory, "run.jsonl"), "utf8")).toBe(out);
});

describe("is reviewed as any other plan", () => {
  const WEAK = [{ name: "a", checks: { 41: false } }];
  const STRONG = [{ name: "a", checks: { 41: true } }];

  /** A recorded run that strengthens protection, so that its rollback weakens it. */
  beforeEach(async () => {
    write(policyStack(simulator, WEAK));
    await apply();
    write(policyStack(simulator, STRONG));
    await record();
  });
  const checkOf = () => simulator.consoles[0].console.policies()[0];

  test("in every form, with its effect on protection", async () => {
    const files = ["--html", "p.html", "--markdown", "p.md", "--review-json", "p.json"];
    const { code, out } = await run("plan", "--rollback", "run.jsonl", ...files);
    expect(code).toBe(0);
    expect(out).toMatch(/^Protection: 1 weaker$/m);
    for (const file of ["p.html", "p.md"]) {
      expect(readFileSync(join(directory, file), "utf8")).toMatch(/41[^]*blocks/);
    }
    const review = JSON.parse(readFileSync(join(directory, "p.json"), "utf8")) as {
      stacks: { protection: unknown[] }[];
    };
    expect(review.stacks[0]!.protection).toMatchObject([{ weaker: 1, complete: true }]);
    const { out: lines } = await run("plan", "--rollback", "run.jsonl", "--json");
    expect(lines).toContain('"action":"update"');
  });

  test("and refused by --fail-on weaker and by the contract", async () => {
    const before = checkOf();
    expect((await rollBack("--fail-on", "weaker")).code).toBe(3);
    const contract = "version: 1\nrequire: [{ name: checked, checks: { 41: block } }]\n";
    writeFileSync(join(directory, "protection.yaml"), contract);
    const { code, err } = await rollBack();
    expect({ code, err }).toMatchObject({ code: 1 });
    expect(checkOf()).toEqual(before);
  });
});

/** A set of one policy, and a registry scan. */
const both = (name: string, cap: number): StackJson => {
  const stack = policies(name);
  const specifications = [{ registry: "r", repository: "x", tag: "*", cap }];
  const resource = {
    ...(stack.resource as StackJson),
    cwp_registry_scan: { r: { specifications, depends_on: ["cwp_license.license"] } },
  };
  return { ...stack, resource };
};

test.each([
  ["in its file", "run.jsonl", "run.jsonl", "run.jsonl"],
  ["in another file", "run.jsonl", "later.jsonl", "later.jsonl"],
  ["in its folder", "runs/", "runs/", undefined],
])("takes back a run and the one that resumed it %s", async (_, first, second, file) => {
  write(both("a", 1));
  await apply();
  write(both("b", 2));
  const { console } = simulator.consoles[0];
  console.faults.add({
    target: "PUT /api/v1/policies",
    times: 1,
    outcome: { kind: "status", status: 400 },
  });
  expect((await apply("--run-log", first)).code).toBe(1);
  const earlier = file ? "run.jsonl" : join("runs", readdirSync(join(directory, "runs"))[0] ?? "");
  expect((await apply("--resume", earlier, "--run-log", second)).code).toBe(0);
  expect({ names: names(), registry: console.collection("registry") }).toMatchObject({
    names: ["b"],
    registry: [{ cap: 2 }],
  });
  if (!file) expect(readdirSync(join(directory, "runs"))).toHaveLength(1);
  expect(await apply("--rollback", file ?? earlier)).toMatchObject({ code: 0, err: "" });
  expect({ names: names(), registry: console.collection("registry") }).toMatchObject({
    names: ["a"],
    registry: [{ cap: 1 }],
  });
});

test("keeps what somebody added between a run and the one that resumed it", async () => {
  const shared = (name: string, cap: number): StackJson => {
    const stack = both(name, cap);
    const resource = stack.resource as Record<string, Record<string, object>>;
    const set = { ...resource.cwp_compliance_policy_set?.policies, ownership: "prefix" };
    return { ...stack, resource: { ...resource, cwp_compliance_policy_set: { policies: set } } };
  };
  write(shared("a", 1));
  await apply();
  const { console } = simulator.consoles[0];
  const before = names();
  write(shared("b", 2));
  console.faults.add({
    target: "PUT /api/v1/settings/registry",
    times: 1,
    outcome: { kind: "status", status: 400 },
  });
  expect((await record()).code).toBe(1);
  await console.edit({ policies: [...console.policies(), { name: "theirs" }] });
  write(shared("c", 2));
  expect((await record("--resume", "run.jsonl")).code).toBe(0);
  expect(names()).toEqual(["c", ...before.slice(1), "theirs"]);
  expect(await rollBack()).toMatchObject({ code: 0, err: "" });
  expect(names()).toEqual([...before, "theirs"]);
});

test("puts back the objects that --target names, and refuses nothing else", async () => {
  write(both("a", 1));
  await apply();
  write(both("b", 2));
  await record();
  const { console } = simulator.consoles[0];
  await console.load({ policies: [{ name: "somebody" }] });
  expect((await rollBack()).code).toBe(1);
  expect(console.collection("registry")).toMatchObject([{ cap: 2 }]);
  expect(await rollBack("--target", "cwp_registry_scan.r")).toMatchObject({ code: 0 });
  expect(console.collection("registry")).toMatchObject([{ cap: 1 }]);
  expect(names()).toEqual(["somebody"]);
});

test("lists content with inline credentials, which no record has", async () => {
  await simulator.close();
  simulator = await startSimulator({ release: "20.04" });
  const registry = (cap: number): StackJson => {
    const { provider, ...stack } = policies("a");
    const [cwp] = (provider as { cwp: object[] }).cwp;
    const credential = { type: "basic", account_id: "me", secret: "very-secret-value" };
    const specification = { registry: "r", repository: "x", tag: "*", cap, credential };
    const { cwp_bootstrap, cwp_license } = stack.resource as StackJson;
    return {
      ...stack,
      provider: { cwp: [{ ...cwp, release: "20.04" }] },
      resource: {
        cwp_bootstrap,
        cwp_license,
        cwp_registry_scan: {
          r: { specifications: [specification], depends_on: ["cwp_license.license"] },
        },
      },
    };
  };
  write(registry(1));
  await apply();
  write(registry(2));
  expect((await record()).code).toBe(0);
  expect(readFileSync(join(directory, "run.jsonl"), "utf8")).not.toContain("very-secret-value");
  const { code, out } = await rollBack();
  expect(code).toBe(0);
  expect(out).toContain("  - cwp_registry_scan.r (updated)");
  expect(simulator.consoles[0].console.collection("registry")).toMatchObject([{ cap: 2 }]);
});
