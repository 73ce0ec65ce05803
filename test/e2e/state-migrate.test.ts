import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeStacks } from "../cli/stack-files";
import { StateServer } from "../support/state-server";
import { describeWithTerraform } from "../support/terraform";
import { startCli } from "./support/bundle";
import { TERRAFORM } from "./support/engines";
import { expectMovedInSpiteOfKills } from "./support/killed-migration";
import { httpPlace } from "./support/state-places";

jest.setTimeout(600_000);

// A state that moves is in exactly one place, also after kills.

let server: StateServer;
let directory: string;
beforeEach(async () => {
  server = await StateServer.open();
  directory = temporaryFolder();
});
afterEach(() => server.close());

const fileOf = (name: string) => join(directory, `terraform.${name}.tfstate`);

function synthesize(backendOf: (name: string) => object): void {
  const required_providers = { null: { source: "null" } };
  const terraform = { required_providers, backend: backendOf("a") };
  writeStacks(directory, { a: { terraform, resource: { null_resource: { gate: {} } } } });
}

const inFiles = (name: string) => ({ local: { path: fileOf(name) } });
const onServer = (name: string) => server.backend(name);

const start = (line: string) =>
  startCli([...line.split(" "), "--out-dir", "cdktf.out"], { cwd: directory, environment: {} });

async function done(line: string): Promise<void> {
  const { code, err } = await start(line).ended;
  expect({ line, code, err }).toEqual({ line, code: 0, err: "" });
}

test("states of many stacks move to a server and back, killed ten times", () =>
  expectMovedInSpiteOfKills(httpPlace(server), server, { stacks: 40, kills: 5, step: 7 }));

describeWithTerraform("a backend that changes under Terraform", () => {
  test("is noticed in a folder that only the executor has used", async () => {
    synthesize(inFiles);
    await done("apply --auto-approve");
    synthesize(onServer);
    const { code, err } = await start(`plan ${TERRAFORM}`).ended;
    expect(code).toBe(1);
    expect(err).toContain("Backend configuration changed");
    expect(err).toContain("state migrate");
    await done("state migrate");
    await done(`plan --detailed-exitcode ${TERRAFORM}`);
  });

  test("is noticed if only Terraform has the new one", async () => {
    synthesize(inFiles);
    await done("apply --auto-approve");
    synthesize(() => ({ inmem: {} }));
    const { code, err } = await start(`plan ${TERRAFORM}`).ended;
    expect(code).toBe(1);
    expect(err).toContain("Backend configuration changed");
    expect(err.replaceAll(/\s+/g, " ")).toContain("state push FILE --engine terraform");
  });

  test("needs no further step after the state of a folder of Terraform was moved", async () => {
    synthesize(inFiles);
    await done(`apply --auto-approve ${TERRAFORM}`);
    const state = readFileSync(fileOf("a"), "utf8");
    synthesize(onServer);
    // The record is Terraform's own.
    expect((await start("plan").ended).err).toContain("Backend configuration changed");
    await done("state migrate");
    expect(JSON.parse(server.text("a"))).toEqual(JSON.parse(state));
    await done(`plan --detailed-exitcode ${TERRAFORM}`);
    await done("plan --detailed-exitcode");
  });
});
