import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { TestTerminal } from "./test-terminal";

jest.setTimeout(300_000);

const ADMIN = { username: "admin", password: "long-secret" };
const REFUSED = "Object is on another console";
const SET = "cwp_compliance_policy_set.policies";

let directory: string;
let consoles: Simulator[];
beforeEach(async () => {
  directory = temporaryFolder();
  consoles = await Promise.all(["a", "b"].map((name) => open(name)));
});
afterEach(() => Promise.all(consoles.map((console) => console.close())));

async function open(name: string): Promise<Simulator> {
  const opened = await startSimulator({ signedUp: ADMIN, licensed: true });
  await opened.consoles[0].console.load({ policies: [{ name: `${name} before` }] });
  return opened;
}

const served = (at: number) => {
  const found = consoles[at];
  if (!found) throw new Error("no such console");
  return found;
};
const nameOf = (at: number) => new URL(served(at).consoles[0].url).host;
const policiesOf = (at: number) =>
  served(at)
    .consoles[0].console.policies()
    .map(({ name }) => name);

const POLICIES = { policies: [{ name: "managed", checks: { 599: true } }] };

/** A stack on one of the consoles. */
function stackOn(at: number, provider: object = {}, rest: StackJson = {}): StackJson {
  const {
    caFile,
    consoles: [{ url }],
  } = served(at);
  const block = { base_url: url, ca_certificate_file: caFile, ...ADMIN, ...provider };
  return {
    provider: { cwp: [block] },
    resource: { cwp_compliance_policy_set: { policies: POLICIES } },
    ...rest,
  };
}

interface Run {
  readonly answers?: string[];
  readonly environment?: Record<string, string>;
}

async function run(line: string, { answers, environment = {} }: Run = {}) {
  const terminal = new TestTerminal({ directory, environment, ...(answers && { answers }) });
  const code = await terminal.run(...line.split(" "), "--out-dir", "cdktf.out");
  return { code, out: terminal.out, err: terminal.err, said: terminal.err.replace(/\s+/g, " ") };
}

const stateOf = (stack: string) =>
  readFileSync(join(directory, `terraform.${stack}.tfstate`), "utf8");

/** Imports what the consoles have, so that a destroy restores it, and applies. */
async function managed(stacks: Record<string, StackJson>): Promise<void> {
  writeStacks(directory, stacks);
  for (const name of Object.keys(stacks)) {
    expect(await run(`import ${name} ${SET} container`)).toMatchObject({ code: 0 });
  }
  expect(await run("apply --auto-approve")).toMatchObject({ code: 0 });
}

test("refuses two stacks whose consoles are swapped, and changes nothing", async () => {
  await managed({ one: stackOn(0), two: stackOn(1) });
  expect([policiesOf(0), policiesOf(1)]).toEqual([["managed"], ["managed"]]);
  const before = stateOf("one");
  writeStacks(directory, { one: stackOn(1), two: stackOn(0) });
  for (const command of ["plan", "plan --refresh-only", "plan --refresh false", "destroy -y"]) {
    const { code, said } = await run(command);
    expect(code).toBe(1);
    expect(said).toContain(REFUSED);
    expect(said).toContain(nameOf(0));
    expect(said).toContain(nameOf(1));
  }
  expect(stateOf("one")).toBe(before);
  writeStacks(directory, { one: stackOn(0), two: stackOn(1) });
  expect(await run("destroy -y")).toMatchObject({ code: 0 });
  expect([policiesOf(0), policiesOf(1)]).toEqual([["a before"], ["b before"]]);
});

test("refuses to roll back a run of another console", async () => {
  await managed({ one: stackOn(0) });
  const policies = [{ name: "managed", checks: { 41: true } }];
  const changed = { resource: { cwp_compliance_policy_set: { policies: { policies } } } };
  writeStacks(directory, { one: stackOn(0, {}, changed) });
  expect(await run("apply -y --run-log run.log")).toMatchObject({ code: 0 });
  const before = stateOf("one");
  writeStacks(directory, { one: stackOn(1, {}, changed) });
  for (const command of ["plan --rollback run.log", "rollback run.log -y"]) {
    const { code, said } = await run(command);
    expect(code).toBe(1);
    expect(said).toContain(REFUSED);
  }
  expect(policiesOf(1)).toEqual(["b before"]);
  expect(stateOf("one")).toBe(before);
  writeStacks(directory, { one: stackOn(0, {}, changed) });
  expect(await run("rollback run.log -y")).toMatchObject({ code: 0 });
});

test("refuses to import an object of another console, and to refresh", async () => {
  await managed({ one: stackOn(0) });
  const before = stateOf("one");
  const resource = {
    cwp_compliance_policy_set: { policies: POLICIES },
    cwp_serverless_auto_deploy: { auto: { specs: [] } },
  };
  const imported = [{ to: "cwp_serverless_auto_deploy.auto", id: "serverless-auto-deploy" }];
  writeStacks(directory, { one: stackOn(1, {}, { resource, import: imported }) });
  const commands = [
    "import one cwp_serverless_auto_deploy.auto serverless-auto-deploy",
    "plan",
    "refresh",
  ];
  for (const command of commands) {
    const { code, said } = await run(command);
    expect({ command, code }).toEqual({ command, code: 1 });
    expect(said).toContain(REFUSED);
  }
  expect(stateOf("one")).toBe(before);
});

test("excludes the stack of another console only", async () => {
  await managed({ one: stackOn(0) });
  await served(1).consoles[0].console.load({ policies: [] });
  writeStacks(directory, { one: stackOn(1), two: stackOn(1) });
  const { code, out, said } = await run("plan");
  expect(code).toBe(1);
  expect(said).toContain(REFUSED);
  expect(out).toContain(`# ${SET} will be created`);
});

test("refuses a saved plan of a create for another console", async () => {
  for (const at of [0, 1]) await served(at).consoles[0].console.load({ policies: [] });
  const block = { base_url: null, ca_certificate_file: null };
  writeStacks(directory, { one: stackOn(0, block) });
  const {
    caFile,
    consoles: [{ url }],
  } = served(0);
  const first = { CONSOLE_URL: url, CONSOLE_CA_FILE: caFile };
  expect(await run("plan --out p.plan", { environment: first })).toMatchObject({ code: 0 });
  const second = {
    ...first,
    CONSOLE_URL: served(1).consoles[0].url,
    CONSOLE_CA_FILE: served(1).caFile,
  };
  const terminal = new TestTerminal({ directory, environment: second });
  expect(await terminal.run("apply", "p.plan")).toBe(1);
  expect(policiesOf(1)).toEqual([]);
});

describe("a stack that moves to a new console, while the old one is gone", () => {
  beforeEach(async () => {
    await managed({ one: stackOn(0) });
    await served(0).close();
    await served(1).consoles[0].console.load({ policies: [] });
  });

  test("forgets its objects with state rm, and creates them", async () => {
    writeStacks(directory, { one: stackOn(1) });
    expect(await run(`state rm ${SET}`)).toMatchObject({ code: 0, err: "" });
    expect(await run("apply -y")).toMatchObject({ code: 0 });
    expect(policiesOf(1)).toEqual(["managed"]);
  });

  test("forgets its objects with a removed block, and creates them", async () => {
    const removed = [{ from: SET, lifecycle: { destroy: false } }];
    writeStacks(directory, { one: stackOn(1, {}, { resource: {}, removed }) });
    expect(await run("apply -y")).toMatchObject({ code: 0 });
    writeStacks(directory, { one: stackOn(1) });
    expect(await run("apply -y")).toMatchObject({ code: 0 });
    expect(policiesOf(1)).toEqual(["managed"]);
  });

  test("shows and validates what it has", async () => {
    writeStacks(directory, { one: stackOn(1) });
    for (const command of ["state list", "show", "output", "validate", "state pull"]) {
      expect(await run(command)).toMatchObject({ code: 0, err: "" });
    }
  });
});

describe("the same console at another address", () => {
  /** The console, behind its name in place of its number. */
  const moved = (provider = {}) => {
    const url = served(0).consoles[0].url.replace("127.0.0.1", "localhost");
    return stackOn(0, { base_url: url, ...provider });
  };

  beforeEach(() => managed({ one: stackOn(0) }));

  test.each([
    ["the provider", true],
    ["the environment", false],
  ])("is the same by previous addresses of %s", async (_, isBlock) => {
    const previous = `https://${nameOf(0)}/`;
    const environment = isBlock ? {} : { CONSOLE_PREVIOUS_URLS: `https://x,${previous}` };
    writeStacks(directory, { one: moved(isBlock ? { previous_base_urls: [previous] } : {}) });
    const planned = await run("plan --detailed-exitcode", { environment });
    expect(planned).toMatchObject({ code: 0, err: "" });
    expect(await run("apply -y", { environment })).toMatchObject({ code: 0, err: "" });
    expect(stateOf("one")).toContain(`"console": "${nameOf(0)}"`);
  });

  test("is the same for one run after a question with both addresses", async () => {
    writeStacks(directory, { one: moved() });
    expect((await run("plan")).said).toContain(REFUSED);
    const asked = await run("plan --detailed-exitcode --same-console one", { answers: ["yes"] });
    expect(asked).toMatchObject({ code: 0, err: "" });
    expect(asked.out).toContain(`localhost:${nameOf(0).split(":")[1] ?? ""}`);
    expect(asked.out).toContain(nameOf(0));
    expect((await run("plan --same-console one", { answers: ["no"] })).said).toContain(REFUSED);
    expect((await run("plan --same-console two")).said).toContain("does not select");
  });

  test("is stored by a write", async () => {
    const policies = [{ name: "managed", checks: { 41: true } }];
    const resource = { cwp_compliance_policy_set: { policies: { policies } } };
    writeStacks(directory, { one: { ...moved(), resource } });
    const applied = await run("apply --auto-approve --same-console one");
    expect(applied).toMatchObject({ code: 0 });
    expect(stateOf("one")).toContain('"console": "localhost:');
    expect(await run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  });
});

/** Behind its name in place of its number. */
const renamed = (at: number) => ({
  base_url: served(at).consoles[0].url.replace("127.0.0.1", "localhost"),
});

describe("several consoles in one run", () => {
  test("asks for each stack that --same-console names", async () => {
    await managed({ one: stackOn(0), two: stackOn(1) });
    writeStacks(directory, { one: stackOn(0, renamed(0)), two: stackOn(1, renamed(1)) });
    const both = "plan --same-console one --same-console two";
    const asked = await run(both, { answers: ["yes", "yes"] });
    expect(asked).toMatchObject({ code: 0, err: "" });
    for (const at of [0, 1]) expect(asked.out).toContain(`the same one as ${nameOf(at)}?`);
    const half = await run("plan --same-console one", { answers: ["yes"] });
    expect(half.code).toBe(1);
    expect(half.out).not.toContain(`the same one as ${nameOf(1)}?`);
    expect(half.out).toContain("Excluded: 1 of 2 stacks");
  });

  const AUTO = "cwp_serverless_auto_deploy";
  /** A stack with a provider for each console. */
  const stackOnBoth = (first: object, second: object): StackJson => ({
    ...stackOn(0),
    provider: {
      cwp: [0, 1].map((at) => ({
        base_url: served(at).consoles[0].url,
        ca_certificate: readFileSync(served(at).caFile, "utf8"),
        ...ADMIN,
        ...(at === 0 ? first : { alias: "b", ...second }),
      })),
    },
    resource: {
      cwp_compliance_policy_set: { policies: POLICIES },
      [AUTO]: { auto: { specs: [], provider: "cwp.b" } },
    },
  });

  test("asks for each console of a stack, which --auto-approve does not answer", async () => {
    await managed({ one: stackOnBoth({}, {}) });
    writeStacks(directory, { one: stackOnBoth(renamed(0), {}) });
    const approved = await run("apply --auto-approve --same-console one");
    expect(approved.code).toBe(1);
    expect(approved.out + approved.err).toContain("objects of several consoles");
    expect(approved.said).toContain(REFUSED);
    const answers = { answers: ["no", "no", "no"] };
    expect((await run("plan --same-console one", answers)).said).toContain(REFUSED);
    const previous = { ...renamed(0), previous_base_urls: [nameOf(0)] };
    writeStacks(directory, { one: stackOnBoth(previous, {}) });
    expect(await run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  });

  test("a target is refused where it is elsewhere, and not where another object is", async () => {
    await managed({ one: stackOnBoth({}, {}) });
    writeStacks(directory, { one: stackOnBoth(renamed(0), {}) });
    const elsewhere = await run(`plan --target ${SET}`);
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.said).toContain(REFUSED);
    expect((await run(`plan --target ${AUTO}.auto`)).said).not.toContain(REFUSED);
    expect((await run(`destroy -y --target ${AUTO}.auto`)).code).toBe(0);
    expect(policiesOf(0)).toEqual(["managed"]);
  });
});

test("keeps the name of the console out of the first plan after the update", async () => {
  await managed({ one: stackOn(0) });
  const file = join(directory, "terraform.one.tfstate");
  const old = JSON.parse(stateOf("one")) as {
    resources: { instances: { attributes: { console?: string }; private: string }[] }[];
  };
  for (const { instances } of old.resources) {
    for (const instance of instances) {
      delete instance.attributes.console;
      const known = new Map(
        Object.entries(JSON.parse(Buffer.from(instance.private, "base64").toString()) as object),
      );
      known.delete("console");
      instance.private = Buffer.from(JSON.stringify(Object.fromEntries(known))).toString("base64");
    }
  }
  writeFileSync(file, JSON.stringify(old));
  const planned = await run("plan --detailed-exitcode");
  expect(planned).toMatchObject({ code: 0, err: "" });
  expect(planned.out).toContain("No changes.");
  expect(await run("apply -y")).toMatchObject({ code: 0, err: "" });
  expect(stateOf("one")).toContain(`"console": "${nameOf(0)}"`);
});

describe("state rename-stack", () => {
  test("moves the state to the new name", async () => {
    await managed({ one: stackOn(0) });
    writeStacks(directory, { renamed: stackOn(0) });
    const moved = await run("state rename-stack one renamed");
    expect(moved).toMatchObject({ code: 0, err: "" });
    expect(moved.out).toContain('Stack "one" is "renamed" now.');
    expect(await run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  });

  test("refuses names that it cannot move", async () => {
    await managed({ one: stackOn(0) });
    expect((await run("state rename-stack one two")).code).toBe(1);
    writeStacks(directory, { one: stackOn(0), two: stackOn(1) });
    expect((await run("state rename-stack one two")).said).toContain("still has the stack");
    writeStacks(directory, { two: stackOn(1) });
    expect((await run("state rename-stack three two")).said).toContain("No state to move");
  });
});
