import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeStacks } from "../cli/stack-files";
import { StateServer } from "../support/state-server";
import { describeWithTerraform } from "../support/terraform";
import { startCli } from "./support/bundle";
import { TERRAFORM } from "./support/engines";

jest.setTimeout(600_000);

// A state that moves is in exactly one place, also after kills.

const STACKS = 40;
const NAMES = Array.from({ length: STACKS }, (_, index) => `s${index}`);

let server: StateServer;
let directory: string;
beforeEach(async () => {
  server = await StateServer.open();
  directory = temporaryFolder();
});
afterEach(() => server.close());

const fileOf = (name: string) => join(directory, `terraform.${name}.tfstate`);

function synthesize(names: readonly string[], backendOf: (name: string) => object): void {
  const stacks = names.map((name) => {
    const terraform = {
      required_providers: { null: { source: "null" } },
      backend: backendOf(name),
    };
    return [name, { terraform, resource: { null_resource: { gate: {} } } }] as const;
  });
  writeStacks(directory, Object.fromEntries(stacks));
}

const inFiles = (name: string) => ({ local: { path: fileOf(name) } });
const onServer = (name: string) => server.backend(name);

const start = (line: string) =>
  startCli([...line.split(" "), "--out-dir", "cdktf.out"], { cwd: directory, environment: {} });

async function done(line: string): Promise<void> {
  const { code, err } = await start(line).ended;
  expect({ line, code, err }).toEqual({ line, code: 0, err: "" });
}

/** Migrates, killed at ever later requests, then to the end. */
async function migrateWithKills(kills: number): Promise<void> {
  for (let kill = 1; kill <= kills; kill++) {
    const running = start("state migrate");
    const killed = server.at(server.requests.length + 3 + kill * 7).then(() => {
      running.child.kill("SIGKILL");
    });
    await Promise.race([running.ended, killed]);
    await running.ended;
  }
  await done("state migrate");
}

test("states of many stacks move to a server and back, killed ten times", async () => {
  synthesize(NAMES, inFiles);
  await done("apply --auto-approve");
  const states = new Map(NAMES.map((name) => [name, readFileSync(fileOf(name), "utf8")]));

  synthesize(NAMES, onServer);
  await migrateWithKills(5);
  for (const name of NAMES) {
    expect(server.text(name)).toBe(states.get(name));
    expect(existsSync(fileOf(name))).toBe(false);
    expect(readFileSync(`${fileOf(name)}.moved-1`, "utf8")).toBe(states.get(name));
    expect(server.lockedBy(name)).toBeUndefined();
  }
  await done("plan --detailed-exitcode");

  synthesize(NAMES, inFiles);
  await migrateWithKills(5);
  for (const name of NAMES) {
    expect(readFileSync(fileOf(name), "utf8")).toBe(states.get(name));
    expect(server.text(name)).toBe("");
    expect(server.lockedBy(name)).toBeUndefined();
  }
  await done("plan --detailed-exitcode");
});

describeWithTerraform("a backend that changes under Terraform", () => {
  it("is noticed in a folder that only the executor has used", async () => {
    synthesize(["a"], inFiles);
    await done("apply --auto-approve");
    synthesize(["a"], onServer);
    const { code, err } = await start(`plan ${TERRAFORM}`).ended;
    expect(code).toBe(1);
    expect(err).toContain("Backend configuration changed");
    expect(err).toContain("state migrate");
    await done("state migrate");
    await done(`plan --detailed-exitcode ${TERRAFORM}`);
  });

  it("needs no further step after the state of a folder of Terraform was moved", async () => {
    synthesize(["a"], inFiles);
    await done(`apply --auto-approve ${TERRAFORM}`);
    const state = readFileSync(fileOf("a"), "utf8");
    synthesize(["a"], onServer);
    // The record is Terraform's own.
    expect((await start("plan").ended).err).toContain("Backend configuration changed");
    await done("state migrate");
    expect(JSON.parse(server.text("a"))).toEqual(JSON.parse(state));
    await done(`plan --detailed-exitcode ${TERRAFORM}`);
    await done("plan --detailed-exitcode");
  });
});
