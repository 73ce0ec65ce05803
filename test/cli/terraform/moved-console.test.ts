import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../../src/simulator";
import { describeWithTerraform } from "../../support/terraform";
import { temporaryFolder, writeStacks, type StackJson } from "../stack-files";
import { TestTerminal } from "../test-terminal";

/* Terraform plans and applies by the provider of this process, which refuses another console. */

jest.setTimeout(300_000);

const ADMIN = { username: "admin", password: "long-secret" };
const REFUSED = "Object is on another console";
const SET = "cwp_compliance_policy_set.policies";
const POLICIES = { policies: [{ name: "managed", checks: { 599: true } }] };

describeWithTerraform("a stack of Terraform whose console is another one", () => {
  let directory: string;
  let old: Simulator;
  let present: Simulator;
  beforeEach(async () => {
    directory = temporaryFolder();
    const open = () => startSimulator({ signedUp: ADMIN, licensed: true });
    [old, present] = await Promise.all([open(), open()]);
    for (const { consoles } of [old, present]) await consoles[0].console.load({ policies: [] });
  });
  afterEach(() => Promise.all([old.close(), present.close()]));

  const stackOn = ({ caFile, consoles }: Simulator, provider = {}, rest: StackJson = {}) => ({
    one: {
      provider: {
        cwp: [{ base_url: consoles[0].url, ca_certificate_file: caFile, ...ADMIN, ...provider }],
      },
      resource: { cwp_compliance_policy_set: { policies: POLICIES } },
      ...rest,
    },
  });

  async function run(line: string) {
    const terminal = new TestTerminal({ directory });
    const options = ["--out-dir", "cdktf.out", "--engine", "terraform", "--with-null"];
    const code = await terminal.run(...line.split(" "), ...options);
    const said = (terminal.out + terminal.err).replace(/[│\s]+/g, " ");
    return { code, said };
  }

  const state = () => readFileSync(join(directory, "terraform.one.tfstate"), "utf8");
  const namesOf = ({ consoles }: Simulator) =>
    consoles[0].console.policies().map((one) => one.name);

  test("is refused, unless the address is a previous one", async () => {
    writeStacks(directory, stackOn(old));
    expect(await run("apply -y")).toMatchObject({ code: 0 });
    const name = new URL(old.consoles[0].url).host;
    expect(state()).toContain(`"console": "${name}"`);
    writeStacks(directory, stackOn(present));
    for (const command of ["plan", "plan --refresh false", "destroy -y"]) {
      const { code, said } = await run(command);
      expect(said).toContain(REFUSED);
      expect(said).toContain(name);
      expect(code).toBe(1);
    }
    expect(namesOf(old)).toEqual(["managed"]);
    await present.consoles[0].console.load({ policies: old.consoles[0].console.policies() });
    writeStacks(directory, stackOn(present, { previous_base_urls: [name] }));
    expect(await run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });

  test("is forgotten by a removed block while the old console is gone, and created", async () => {
    writeStacks(directory, stackOn(old));
    expect(await run("apply -y")).toMatchObject({ code: 0 });
    await old.close();
    const removed = [{ from: SET, lifecycle: { destroy: false } }];
    writeStacks(directory, stackOn(present, {}, { resource: {}, removed }));
    const forgotten = await run("apply -y");
    expect(forgotten.said).not.toContain(REFUSED);
    expect(forgotten.code).toBe(0);
    writeStacks(directory, stackOn(present));
    expect(await run("apply -y")).toMatchObject({ code: 0 });
    expect(namesOf(present)).toEqual(["managed"]);
  });
});
