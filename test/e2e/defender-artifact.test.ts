import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DefenderArtifact } from "../../src";
import { FOLDER, synthesizeStack } from "./support/synthesized";
import { NOTHING, Tenant } from "./support/tenant";

const signedUp = { username: "admin", password: "correct-horse-battery" };
const ADDRESS = "cwp_defender_artifact.install";

let tenant: Tenant;
afterEach(() => tenant.close());

async function open(filename: string): Promise<string> {
  const stack = synthesizeStack((stack) => {
    new DefenderArtifact(stack, "install", { kind: "linux_script", filename });
  });
  tenant = await Tenant.open(stack, { signedUp, licensed: true });
  return join(tenant.folder, "defender.sh");
}

test("detects a changed file as drift, and creates a missing one again", async () => {
  const file = await open(join(FOLDER, "defender.sh"));
  expect((await tenant.apply()).errors).toEqual([]);
  const content = readFileSync(file, "utf8");
  tenant.requests();
  expect(await tenant.plan()).toEqual(NOTHING);
  // A plan only reads the file.
  expect(tenant.requests()).toEqual([]);

  writeFileSync(file, "theirs");
  expect(await tenant.plan()).toMatchObject({ changes: [`${ADDRESS} update`], drift: [ADDRESS] });
  expect((await tenant.apply()).errors).toEqual([]);
  expect(readFileSync(file, "utf8")).toBe(content);
  expect(await tenant.plan()).toEqual(NOTHING);

  rmSync(file);
  expect((await tenant.apply()).changes).toEqual([`${ADDRESS} create`]);
  expect(readFileSync(file, "utf8")).toBe(content);
  expect(await tenant.plan()).toEqual(NOTHING);
  // No line of it is in the state.
  expect(tenant.state("prod")).not.toContain(content.split("\n")[1]);

  writeFileSync(file, "theirs");
  const destroyed = await tenant.destroy();
  expect(destroyed.errors).toEqual([]);
  expect(destroyed.warnings.join("\n")).toContain("File is kept");
  expect(readFileSync(file, "utf8")).toBe("theirs");
});

test("writes relative to the stack on the command line, as terraform does, and converges without a state", async () => {
  await open("./defender.sh");
  const file = join(tenant.outDir, "stacks/prod/defender.sh");
  expect(await tenant.run("apply --auto-approve")).toMatchObject({ code: 0, err: "" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  rmSync(tenant.statePath("prod"));
  expect(await tenant.run("apply --auto-approve")).toMatchObject({ code: 0, err: "" });
  expect(await tenant.run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  expect(await tenant.run("destroy --auto-approve")).toMatchObject({ code: 0, err: "" });
  expect(existsSync(file)).toBe(false);
});
