import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LocalBackend } from "../../src/backends/local";
import { PROVIDER } from "../backends/records";
import { StateServer } from "../support/state-server";
import { temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

let server: StateServer;
let directory: string;
beforeEach(async () => {
  server = await StateServer.open("ann:password-of-ann");
  directory = temporaryFolder();
});
afterEach(() => server.close());

const ENVIRONMENT = { TF_HTTP_USERNAME: "ann", TF_HTTP_PASSWORD: "password-of-ann" };

async function run(line: string, input = "") {
  const terminal = new TestTerminal({ directory, environment: ENVIRONMENT, input });
  const code = await terminal.run(...line.split(" "), "--out-dir", "cdktf.out");
  return { code, out: terminal.out, err: terminal.err, said: terminal.err.replace(/\s+/g, " ") };
}

const local = (name: string, folder = "") => ({
  local: { path: join(directory, folder, `terraform.${name}.tfstate`) },
});

/** Synthesizes stacks with their states in these backends. */
function synthesize(backends: Record<string, object>): void {
  const stacks = Object.entries(backends).map(([name, backend]) => {
    const terraform = { required_providers: { null: { source: "null" } }, backend };
    return [name, { terraform, resource: { null_resource: { gate: {} } } }] as const;
  });
  writeStacks(directory, Object.fromEntries(stacks));
}

const DONE = { code: 0, err: "" };
const records = () =>
  readFileSync(join(directory, "cdktf.out/stacks/a/.terraform/cdktf-console.backend.json"), "utf8");

describe("a stack whose backend changes", () => {
  test("is not planned with the empty state, and is the same after its state was moved", async () => {
    synthesize({ a: local("a") });
    expect(await run("apply --auto-approve")).toMatchObject(DONE);
    const before = (await run("state pull")).out;
    synthesize({ a: server.backend("a") });
    for (const command of ["plan", "apply --auto-approve", "destroy --auto-approve"]) {
      const { code, said } = await run(command);
      expect(code).toBe(1);
      expect(said).toContain("Backend configuration changed");
      expect(said).toContain(server.url("a"));
      expect(said).toContain("terraform.a.tfstate, has one resource");
      expect(said).toContain('run "cdktf-console state migrate --out-dir cdktf.out"');
    }
    expect(server.text("a")).toBe("");

    const moved = await run("state migrate");
    expect(moved).toMatchObject(DONE);
    expect(moved.out).toContain(`a: moved serial 1 from`);
    expect((await run("state pull")).out).toBe(before);
    expect(readdirSync(directory).filter((name) => name.startsWith("terraform."))).toEqual([
      "terraform.a.tfstate.moved-1",
    ]);
    expect(await run("plan --detailed-exitcode")).toMatchObject(DONE);
    expect(server.lockedBy("a")).toBeUndefined();
    expect(await run("state migrate")).toMatchObject(DONE);
    expect(records()).not.toContain("password");

    // Back again: a server has no second place for the old state.
    synthesize({ a: local("a", "back") });
    expect((await run("plan")).code).toBe(1);
    expect(await run("state migrate")).toMatchObject(DONE);
    expect(server.text("a")).toBe("");
    expect(readFileSync(join(directory, "back/terraform.a.tfstate"), "utf8")).toBe(before);
    expect(await run("plan --detailed-exitcode")).toMatchObject(DONE);
  });

  test("is moved if it has outputs only", async () => {
    const output = { colour: { value: "blue" } };
    writeStacks(directory, { a: { terraform: { backend: local("a") }, output } });
    expect(await run("apply --auto-approve")).toMatchObject(DONE);
    const before = (await run("state pull")).out;
    writeStacks(directory, { a: { terraform: { backend: server.backend("a") }, output } });
    expect(await run("state migrate")).toMatchObject(DONE);
    expect((await run("state pull")).out).toBe(before);
  });

  test("is planned in a new place after a destroy, and after its record was deleted", async () => {
    synthesize({ a: local("a") });
    expect(await run("apply --auto-approve")).toMatchObject(DONE);
    expect(await run("destroy --auto-approve")).toMatchObject(DONE);
    synthesize({ a: local("a", "next") });
    expect(await run("apply --auto-approve")).toMatchObject(DONE);
  });

  test("is not planned if the earlier state cannot be read", async () => {
    synthesize({ a: server.backend("a") });
    expect(await run("apply --auto-approve")).toMatchObject(DONE);
    synthesize({ a: local("a") });
    server.answers.set("GET", { status: 403 });
    const { code, said } = await run("plan");
    expect(code).toBe(1);
    expect(said).toContain("cannot be read now");
    expect(said).toContain("cdktf-console.backend.json");
  });
});

describe("state migrate", () => {
  test("moves from a file and from a backend that are named", async () => {
    synthesize({ a: local("a"), b: local("b") });
    expect(await run("apply --auto-approve")).toMatchObject(DONE);
    synthesize({ a: server.backend("a"), b: server.backend("b") });
    const several = await run("state migrate --from-file terraform.a.tfstate");
    expect(several.said).toContain("2 are selected");
    expect(await run("state migrate a --from-file terraform.a.tfstate")).toMatchObject(DONE);
    const block = JSON.stringify({ terraform: { backend: local("b") } });
    expect(await run("state migrate b --from-backend -", block)).toMatchObject(DONE);
    expect(await run("plan --detailed-exitcode")).toMatchObject(DONE);
  });

  test("refuses to replace another state, and changes neither", async () => {
    synthesize({ a: local("a") });
    expect(await run("apply --auto-approve")).toMatchObject(DONE);
    const other = JSON.stringify({ version: 4, serial: 3, lineage: "other", outputs: {} });
    server.put(other, "a");
    synthesize({ a: server.backend("a") });
    const { code, said } = await run("state migrate");
    expect(code).toBe(1);
    expect(said).toContain("Both places have a state");
    expect(server.text("a")).toBe(other);
    expect(existsSync(join(directory, "terraform.a.tfstate"))).toBe(true);
    expect(server.lockedBy("a")).toBeUndefined();
  });

  test("names the missing record of a fresh checkout", async () => {
    synthesize({ a: server.backend("a") });
    const { code, said } = await run("state migrate");
    expect(code).toBe(1);
    expect(said).toContain("Earlier backend not known");
  });

  test("leaves the state where it is if the copy differs", async () => {
    synthesize({ a: local("a") });
    expect(await run("apply --auto-approve")).toMatchObject(DONE);
    synthesize({ a: server.backend("a") });
    server.answers.set("POST", { status: 200 });
    const { code, said } = await run("state migrate");
    expect(code).toBe(1);
    expect(said).toContain("does not return what was written");
    expect(existsSync(join(directory, "terraform.a.tfstate"))).toBe(true);
    server.answers.clear();
    expect(await run("state migrate")).toMatchObject(DONE);
  });
});

test("an unfinished run's journal is a part of the state that is moved", async () => {
  synthesize({ a: local("a") });
  expect(await run("apply --auto-approve")).toMatchObject(DONE);
  const killed = new LocalBackend(join(directory, "terraform.a.tfstate"));
  await killed.read();
  const { journal } = await killed.journal();
  const address = "null_resource.gate";
  await journal?.append({ kind: "instance", address, provider: PROVIDER, instance: null });
  await journal?.close();
  synthesize({ a: server.backend("a") });
  const { code, out } = await run("state migrate");
  expect(code).toBe(0);
  expect(out).toContain("serial 2");
  expect(server.json("a").resources).toEqual([]);
});
