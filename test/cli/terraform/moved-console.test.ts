import { readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { startSimulator, type Simulator } from "../../../src/simulator";
import { describeWithTofu, TOFU } from "../../opentofu/install";
import { LONG_TESTS } from "../../support/cases";
import { describeWithTerraform } from "../../support/terraform";
import { describeWithTerraform115, TERRAFORM_1_15 } from "../../terraform-1.15/install";
import { temporaryFolder, writeStacks, type StackJson } from "../stack-files";
import { TestTerminal } from "../test-terminal";

/* Programs plan and apply by the provider of this process, which refuses another console. */

jest.setTimeout(600_000);

const ADMIN = { username: "admin", password: "long-secret" };
const REFUSED = "Object is on another console";
const SET = "cwp_compliance_policy_set.policies";
const POLICIES = { policies: [{ name: "managed", checks: { 599: true } }] };

describeWithTerraform("a stack of Terraform whose console is another one", () => {
  movedConsole("terraform");
});
if (LONG_TESTS) {
  describeWithTerraform115("a stack of Terraform 1.15 whose console is another one", () => {
    movedConsole("terraform", dirname(TERRAFORM_1_15));
  });
  describeWithTofu("a stack of OpenTofu whose console is another one", () => {
    movedConsole("tofu", dirname(TOFU));
  });
}

function movedConsole(engine: "terraform" | "tofu", folder?: string): void {
  let path: string | undefined;
  beforeAll(() => {
    path = process.env.PATH;
    process.env.PATH = [...(folder === undefined ? [] : [folder]), path].join(delimiter);
  });
  afterAll(() => {
    process.env.PATH = path;
  });

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

  const blockOf = ({ caFile, consoles }: Simulator) => ({
    base_url: consoles[0].url,
    ca_certificate_file: caFile,
    ...ADMIN,
  });
  const stackOn = (simulator: Simulator, provider = {}, rest: StackJson = {}) => ({
    one: {
      provider: { cwp: [{ ...blockOf(simulator), ...provider }] },
      resource: { cwp_compliance_policy_set: { policies: POLICIES } },
      ...rest,
    },
  });

  async function run(line: string, { answers, environment }: Run = {}) {
    const terminal = new TestTerminal({
      directory,
      ...(answers && { answers }),
      ...(environment && { environment }),
    });
    const [command = "", ...rest] = line.split(" ");
    const isSaved = rest.some((word) => word.endsWith(".plan") && command === "apply");
    const options = isSaved ? [] : ["--out-dir", "cdktf.out", "--engine", engine, "--with-null"];
    const code = await terminal.run(command, ...rest, ...options);
    const said = (terminal.out + terminal.err).replace(/[│\s]+/g, " ");
    return { code, said };
  }

  const state = () => readFileSync(join(directory, "terraform.one.tfstate"), "utf8");
  const hostOf = ({ consoles }: Simulator) => new URL(consoles[0].url).host;
  const namesOf = ({ consoles }: Simulator) =>
    consoles[0].console.policies().map((one) => one.name);

  async function applied(): Promise<void> {
    writeStacks(directory, stackOn(old));
    expect(await run("apply -y")).toMatchObject({ code: 0 });
  }

  test("is refused, unless the address is a previous one", async () => {
    await applied();
    expect(state()).toContain(`"console": "${hostOf(old)}"`);
    writeStacks(directory, stackOn(present));
    const refused = [
      "plan",
      "plan --refresh false",
      "plan --refresh-only",
      "refresh",
      "destroy -y",
    ];
    for (const command of refused) {
      const { code, said } = await run(command);
      expect(said).toContain(REFUSED);
      expect(said).toContain(hostOf(old));
      expect(said).toContain(hostOf(present));
      expect(code).toBe(1);
    }
    expect(namesOf(old)).toEqual(["managed"]);
    await present.consoles[0].console.load({ policies: old.consoles[0].console.policies() });
    writeStacks(directory, stackOn(present, { previous_base_urls: [hostOf(old)] }));
    expect(await run("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });

  test("is the same for one run after a question with both addresses", async () => {
    await applied();
    const url = old.consoles[0].url.replace("127.0.0.1", "localhost");
    writeStacks(directory, stackOn(old, { base_url: url }));
    const planned = await run("plan --detailed-exitcode --same-console one", { answers: ["yes"] });
    expect(planned).toMatchObject({ code: 0 });
    expect(planned.said).toContain(hostOf(old));
    expect(planned.said).toContain(new URL(url).host);
    expect((await run("plan")).said).toContain(REFUSED);
    expect(await run("destroy -y --same-console one")).toMatchObject({ code: 0 });
    expect(namesOf(old)).toEqual([]);
  });

  test("is not changed by a plan that was saved for the old console", async () => {
    writeStacks(directory, stackOn(old, { base_url: null, ca_certificate_file: null }));
    const on = (simulator: Simulator) => ({
      environment: {
        CONSOLE_URL: simulator.consoles[0].url,
        CONSOLE_CA_FILE: simulator.caFile,
      },
    });
    expect(await run("plan --out p.plan", on(old))).toMatchObject({ code: 0 });
    expect(await run("apply p.plan", on(present))).toMatchObject({ code: 1 });
    expect(present.consoles[0].console.requests).toEqual([]);
  });

  test("gets no import from another console next to its objects, but from that of an alias", async () => {
    await applied();
    const before = state();
    const auto = "cwp_serverless_auto_deploy";
    const onPresent = (rest: object) =>
      stackOn(
        present,
        {},
        { resource: { cwp_compliance_policy_set: { policies: POLICIES }, ...rest } },
      );
    writeStacks(directory, onPresent({ [auto]: { auto: { specs: [] } } }));
    const { code, said } = await run(`import one ${auto}.auto serverless-auto-deploy`);
    expect(said).toContain(REFUSED);
    expect(code).toBe(1);
    expect(state()).toBe(before);
    const aliased = {
      one: {
        provider: { cwp: [blockOf(old), { ...blockOf(present), alias: "b" }] },
        resource: {
          cwp_compliance_policy_set: { policies: POLICIES },
          [auto]: { auto: { specs: [], provider: "cwp.b" } },
        },
      },
    };
    writeStacks(directory, aliased);
    const imported = await run(`import one ${auto}.auto serverless-auto-deploy`);
    expect(imported.said).toContain("Import successful!");
    expect(imported.code).toBe(0);
    expect(state()).toContain(`"console": "${hostOf(present)}"`);
  });

  describe("while the old console is gone", () => {
    beforeEach(async () => {
      await applied();
      await old.close();
    });

    test("is forgotten by a removed block, and created", async () => {
      const removed = [{ from: SET, lifecycle: { destroy: false } }];
      writeStacks(directory, stackOn(present, {}, { resource: {}, removed }));
      // OpenTofu reads objects before it forgets them.
      const forgotten = await run(engine === "tofu" ? "apply -y --refresh false" : "apply -y");
      expect(forgotten.said).not.toContain(REFUSED);
      expect(forgotten.code).toBe(0);
      writeStacks(directory, stackOn(present));
      expect(await run("apply -y")).toMatchObject({ code: 0 });
      expect(namesOf(present)).toEqual(["managed"]);
    });

    test("is forgotten by state rm, and created", async () => {
      writeStacks(directory, stackOn(present));
      expect(await run(`state rm ${SET}`)).toMatchObject({ code: 0 });
      expect(await run("apply -y")).toMatchObject({ code: 0 });
      expect(namesOf(present)).toEqual(["managed"]);
    });
  });
}

interface Run {
  readonly answers?: string[];
  readonly environment?: Record<string, string>;
}
