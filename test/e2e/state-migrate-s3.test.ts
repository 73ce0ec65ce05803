import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeStacks } from "../cli/stack-files";
import { describeWithMoto, KEYS, Moto } from "../object-stores/moto";
import { startCli } from "./support/bundle";

jest.setTimeout(600_000);

const NAMES = Array.from({ length: 100 }, (_, index) => `s${index}`);

describeWithMoto("states of 100 stacks that move to S3 and back", () => {
  let moto: Moto;
  beforeAll(async () => {
    moto = await Moto.open();
  });
  afterAll(() => moto.close());

  const directory = temporaryFolder();
  const fileOf = (name: string) => join(directory, `terraform.${name}.tfstate`);
  const inFiles = (name: string) => ({ local: { path: fileOf(name) } });
  const inS3 = (name: string) => moto.backend(name);

  function synthesize(backendOf: (name: string) => object): void {
    const required_providers = { null: { source: "null" } };
    const stacks = NAMES.map((name) => {
      const terraform = { required_providers, backend: backendOf(name) };
      return [name, { terraform, resource: { null_resource: { gate: {} } } }] as const;
    });
    writeStacks(directory, Object.fromEntries(stacks));
  }

  const start = (line: string) =>
    startCli([...line.split(" "), "--out-dir", "cdktf.out"], { cwd: directory, environment: KEYS });

  async function done(line: string): Promise<void> {
    const { code, err } = await start(line).ended;
    expect({ line, code, err }).toEqual({ line, code: 0, err: "" });
  }

  /** Migrates, killed at ever later requests, then to the end. */
  async function migrateWithKills(kills: number): Promise<void> {
    for (let kill = 1; kill <= kills; kill++) {
      const running = start("state migrate");
      const killed = moto.relay.at(moto.relay.requests.length + 3 + kill * 11).then(() => {
        running.child.kill("SIGKILL");
      });
      await Promise.race([running.ended, killed]);
      await running.ended;
    }
    await done("state migrate");
  }

  test("are in exactly one place, and equal, after ten kills", async () => {
    synthesize(inFiles);
    await done("apply --auto-approve");
    const states = new Map(NAMES.map((name) => [name, readFileSync(fileOf(name), "utf8")]));

    synthesize(inS3);
    await migrateWithKills(5);
    for (const name of NAMES) {
      expect(await moto.text(name)).toBe(states.get(name));
      expect(existsSync(fileOf(name))).toBe(false);
      expect(await moto.text(`${name}.tflock`)).toBe("");
    }
    await done("plan --detailed-exitcode");

    synthesize(inFiles);
    await migrateWithKills(5);
    for (const name of NAMES) {
      expect(readFileSync(fileOf(name), "utf8")).toBe(states.get(name));
      expect(await moto.text(name)).toBe("");
      expect(await moto.text(`${name}.moved-1`)).toBe(states.get(name));
      expect(await moto.text(`${name}.tflock`)).toBe("");
    }
    await done("plan --detailed-exitcode");
  });
});
